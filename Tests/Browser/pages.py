"""Pages for visitors in a real browser: usage: pages.py SERVICE PICTURES KEY [FOLDER]

SERVICE is the URL of a running service, PICTURES the port of a TLS server for the store's page and for pictures, KEY an
admin key, FOLDER where the screenshots go. Exit status 1 where something is wrong.
"""

import json
import os
import sys
import time
import urllib.parse
import urllib.request

from webdriver import Browser

SERVICE, PICTURES, KEY = sys.argv[1:4]
FOLDER = sys.argv[4] if len(sys.argv) > 4 else None
LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ja", "zh-Hans", "zh-Hant", "ko", "ar"]
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.0 Mobile/15E148 Safari/604.1")
INSTAGRAM = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
             "Mobile/15E148 Instagram 350.0.0.0.0")
INSTAGRAM_ON_ANDROID = ("Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
                        "Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.0.0 Android")
STORE = "https://apps.apple.com/app/id123456789"
GET = "a[data-copy]"
OPEN = "a[data-fallback]"
TICK = "[data-continue]"

wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)
        print(f"wrong: {what}", file=sys.stderr)


def api(method, path, body):
    request = urllib.request.Request(
        SERVICE + path, json.dumps(body).encode(), method=method,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def make(service=SERVICE, **members):
    return service + "/" + api("POST", "/api/v1/links", members)["slug"]


def use(browser, agent=IPHONE, language="en", width=390, dark=False):
    browser.cdp("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=2, mobile=True)
    browser.cdp("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])


def show(browser, url, **how):
    use(browser, **how)
    browser.open(url)
    browser.wait(lambda: browser.run(
        "return document.readyState === 'complete' && !document.querySelector('[data-needs-script][hidden]')"),
        "the page's script")


def write_clipboard(browser, text):
    result = browser.run_async("await navigator.clipboard.writeText(arguments[0]); return 'written';", text)
    assert result == "written", result


def read_clipboard(browser):
    """By a page of the service: others have no permission."""
    browser.open(SERVICE + "/nothing")
    return browser.run_async("return await navigator.clipboard.readText();")


def open_without_app(browser):
    """A tap on "Open the app" of which nothing comes: Chromium would ask which program to start, and take the focus."""
    browser.run("document.querySelector(arguments[0]).addEventListener('click', (event) => event.preventDefault())", OPEN)
    browser.click(OPEN)


def reach_store(browser, what):
    browser.wait(lambda: browser.url.startswith(STORE), what)


def check_clipboard(browser, link):
    show(browser, link)
    write_clipboard(browser, "before")
    copied = browser.run("return document.querySelector(arguments[0]).dataset.copy", GET)
    expect("?_hk_cid=" in copied and link.rsplit("/", 1)[1] in copied, "the link to copy has a click id")
    expect(not browser.run("return document.querySelector(arguments[0]).checked", TICK), "the tick is not set at first")

    browser.click(TICK)
    browser.click(GET)
    reach_store(browser, "“Get the app” leads to the store")
    expect(read_clipboard(browser) == copied, "“Get the app” puts the link on the clipboard")

    show(browser, link)
    write_clipboard(browser, "before")
    browser.click(GET)
    reach_store(browser, "“Get the app” without the tick leads to the store")
    expect(read_clipboard(browser) == "before", "without the tick nothing is copied")

    # The tap on "Open the app" is what allows the copy behind it.
    show(browser, link)
    write_clipboard(browser, "before")
    copied = browser.run("return document.querySelector(arguments[0]).dataset.copy", GET)
    browser.click(TICK)
    open_without_app(browser)
    reach_store(browser, "without the app “Open the app” leads to the store")
    expect(read_clipboard(browser) == copied, "the fallback puts the link on the clipboard")

    show(browser, link)
    write_clipboard(browser, "before")
    open_without_app(browser)
    reach_store(browser, "without app and tick “Open the app” leads to the store")
    expect(read_clipboard(browser) == "before", "without the tick the fallback copies nothing")

    # An app that comes to the front takes the focus.
    show(browser, link)
    write_clipboard(browser, "before")
    browser.click(TICK)
    open_without_app(browser)
    browser.run("window.dispatchEvent(new Event('blur'))")
    time.sleep(3.5)
    expect(browser.url.startswith(link), "where the app came up the page stays")
    expect(read_clipboard(browser) == "before", "where the app came up nothing is copied")

    show(browser, link)
    time.sleep(3)
    expect(browser.url.startswith(link), "nothing opens by itself")


def check_broken_clipboards(browser, link):
    """Whatever becomes of the clipboard, the way to the store stays open."""
    for name, script in {
        "hangs": "navigator.clipboard.writeText = navigator.clipboard.write = () => new Promise(() => {});",
        "fails": "navigator.clipboard.writeText = navigator.clipboard.write = async () => { throw new Error('no'); };",
        "throws": "navigator.clipboard.writeText = navigator.clipboard.write = () => { throw new Error('no'); };",
        "is missing": "Object.defineProperty(Navigator.prototype, 'clipboard', { get() { return undefined; } });",
    }.items():
        for allowed in [True, False]:
            more = "" if allowed else "document.execCommand = () => false;"
            added = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=script + more)
            for button in [GET, OPEN]:
                show(browser, link)
                copied = browser.run("return document.querySelector(arguments[0]).dataset.copy", GET)
                browser.click(TICK)
                if button == OPEN:
                    open_without_app(browser)
                else:
                    browser.click(button)
                reach_store(browser, f"a clipboard that {name} leaves the way to the store open")
            browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])
            if allowed:
                expect(read_clipboard(browser) == copied, f"the old way copies where the clipboard {name}")


def check_copy_button(browser, link):
    show(browser, link, agent=INSTAGRAM)
    write_clipboard(browser, "before")
    browser.click("button[data-copy]")
    browser.wait(lambda: browser.run("return document.querySelector('[role=status]').textContent") != "",
                 "the button says that it copied")
    copied = browser.run("return document.querySelector('button[data-copy]').dataset.copy")
    expect(read_clipboard(browser) == copied, "“Copy link” copies the link")


def check_fragments(browser, link):
    """Browsers don't send what stands behind "#": the page passes it on, as a redirect does."""
    found = """
        const of = (selector, name) => document.querySelector(selector)?.getAttribute(name) ?? "";
        return {open: of("a[data-fallback]", "href"), fallback: of("a[data-fallback]", "data-fallback"),
                store: of("a.quiet", "href"), copied: of("[data-copy]", "data-copy")};
    """
    show(browser, f"{link}?ref=ana#reviews/2")
    page = browser.run(found)
    expect(page["open"].endswith("#reviews/2"), "the app gets the fragment")
    expect(page["copied"].endswith("#reviews/2"), "the clipboard gets the fragment")
    expect(page["store"].startswith(STORE) and "#" not in page["store"], "the App Store gets no fragment")

    # Another query, because the browser would not load the same page again.
    show(browser, f"{link}?ref=ana&n=2#reviews/2", agent=INSTAGRAM_ON_ANDROID)
    page = browser.run(found)
    data, fields = page["open"].split("#Intent;")
    expect(data.endswith("#reviews/2"), "the app on Android gets the fragment")
    expect(page["copied"].endswith("?ref=ana&n=2#reviews/2"), "“Copy link” copies the link as opened")
    for store in [page["store"], urllib.parse.unquote(fields.split("S.browser_fallback_url=")[1].split(";")[0])]:
        referrer = urllib.parse.parse_qs(urllib.parse.urlsplit(store).query)["referrer"][0]
        answer = api("POST", "/api/v1/deferred/claim", {
            "app": "shop", "platform": "android", "installID": "phone", "referrer": referrer})
        expect(answer["queryParameters"]["ref"] == "ana" and answer["deeplink"].endswith("#reviews/2"),
               "the app that Play installs gets query and fragment")

    show(browser, f"{link}?n=3#a%zz\"<b>")
    expect("<b>" not in browser.run(found)["open"], "a fragment stays in its place")


MEASURE = """
    const targets = [...document.querySelectorAll(".button, button, .tick")].filter((one) => one.offsetParent);
    const icon = document.querySelector(".icon"), picture = document.querySelector(".picture");
    const tick = document.querySelector(".tick input"), words = document.querySelector(".tick span");
    return {
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        small: targets.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent),
        direction: getComputedStyle(document.body).direction,
        pictures: [...document.images].every((one) => one.hidden || one.naturalWidth > 0),
        lost: [...document.images].filter((one) => one.hidden).length,
        tickFirst: tick && words ? tick.getBoundingClientRect().left < words.getBoundingClientRect().left : null,
    };
"""


def check_layout(browser, pages):
    for name, (url, agent) in pages.items():
        for language in LANGUAGES:
            for width in [320, 390]:
                for dark in [False, True] if width == 390 else [False]:
                    show(browser, url, agent=agent, language=language, width=width, dark=dark)
                    browser.wait(lambda: browser.run(
                        "return [...document.images].every((one) => one.complete)"), "the pictures")
                    found = browser.run(MEASURE)
                    place = f"{name}, {language}, {width} pixels"
                    expect(found["overflow"] <= 0, f"{place}: {found['overflow']} pixels too wide")
                    expect(not found["small"], f"{place}: too small to tap: {found['small']}")
                    expect(found["pictures"] and found["lost"] == 0, f"{place}: a picture did not load")
                    from_right = language == "ar"
                    expect(found["direction"] == ("rtl" if from_right else "ltr"), f"{place}: direction")
                    if found["tickFirst"] is not None:
                        expect(found["tickFirst"] != from_right, f"{place}: the tick is on the wrong side")
                    if FOLDER and width == 390:
                        scheme = "dark" if dark else "light"
                        browser.screenshot(os.path.join(FOLDER, f"{name}-{language}-{scheme}.png"), whole=True)


def main():
    social = {"title": "Trail running shoes, now 20 % off", "description": "Light, waterproof and made to last. "
              "Today only, in all sizes.", "imageURL": "https://images.example.com/shoes.svg"}
    product = {"app": "shop", "route": "products/:product_id", "routeParameters": {"product_id": "42"}}
    rich = make(**product, social=social)
    plain = make(**product)
    bare = make(SERVICE.replace("127.0.0.1", "localhost"), app="bare", urls={"ios": {"link": "bare://open", "fallback": "store"}, "web": "https://www.example.com/"})
    long = make(**product, social={"title": "W" * 90, "description": "https://" + "a" * 200 + ".example/"})
    ended = make(app="shop", urls={"web": "https://www.example.com/"}, disabled=True)
    arguments = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--ignore-certificate-errors",
        f"--host-resolver-rules=MAP apps.apple.com 127.0.0.1:{PICTURES}, MAP *.example.com 127.0.0.1:{PICTURES}",
    ]
    with Browser(arguments) as browser:
        browser.cdp("Browser.grantPermissions", origin=SERVICE,
                    permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        check_clipboard(browser, rich)
        check_broken_clipboards(browser, plain)
        check_copy_button(browser, rich)
        check_fragments(browser, rich)
        browser.console()
        check_layout(browser, {
            "open": (rich, IPHONE), "open-plain": (plain, IPHONE), "open-bare": (bare, IPHONE),
            "open-long": (long, IPHONE), "open-inside": (rich, INSTAGRAM), "details": (rich + "+", IPHONE),
            "disabled": (ended, IPHONE), "unknown": (SERVICE + "/nothing", IPHONE), "root": (SERVICE + "/", IPHONE),
        })
        for message in browser.console():
            # The pages that lead nowhere are answered with their status.
            if "the server responded with a status of 4" not in message:
                expect(False, f"the console says: {message}")
    if wrong:
        sys.exit(1)
    print("the pages are as they should be")


main()
