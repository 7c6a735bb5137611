"""The dashboard in each of its languages: usage: languages.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. Every page at 1280
and 390 pixels: in the browser's language, nothing wider than the screen, no button cut off, no English left. With AXE, the file of
axe-core, every page is checked with it. Exit status 1 where something is wrong.
"""

import json
import os
import pathlib
import re
import sys
import urllib.request

from driving import Service, expect, wrong
from webdriver import Browser

SERVICE, KEY = sys.argv[1:3]
FOLDER = sys.argv[3] if len(sys.argv) > 3 else None
AXE = open(os.environ["AXE"]).read() if os.environ.get("AXE") else None
TEXTS = pathlib.Path(__file__).resolve().parents[2] / "Public/dashboard/texts"
NAMES = {"de": "Deutsch", "es": "Español", "fr": "Français", "ja": "日本語"}
service = Service(SERVICE, KEY)
call = service.call
# Texts that people read or hear, with the element that each is in. What is marked as English, and code, is left out.
COLLECT = """
const texts = [];
const add = (text, element) => {
  const trimmed = text?.trim();
  if (trimmed && !element.closest("[lang=en], code, pre, textarea, kbd, .destination, script, option[lang]")) texts.push(trimmed);
};
const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (nodes.nextNode()) add(nodes.currentNode.data, nodes.currentNode.parentElement);
for (const element of document.body.querySelectorAll("*")) {
  for (const name of ["aria-label", "title", "placeholder", "alt", "data-label"]) add(element.getAttribute(name), element);
}
add(document.title, document.documentElement);
return [...new Set(texts)];
"""
# Buttons and headings whose text is cut off or runs over an edge. One pixel is rounding.
CLIPPED = """
return [...document.querySelectorAll("button, a.button, select, th, h1, h2, nav a, label, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen") && one.clientWidth > 1)
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
  .map((one) => `${one.tagName.toLowerCase()} “${one.textContent.trim().slice(0, 60)}” ${one.scrollWidth} > ${one.clientWidth}`);
"""


def flat(node):
    if isinstance(node, str):
        yield node
    elif node is not None:
        for child in node.values() if isinstance(node, dict) else node:
            yield from flat(child)


def texts_of(language):
    return {text for part in ["", ".pages"] for text in flat(json.loads((TEXTS / f"{language}{part}.json").read_text()))}


def english_patterns(language):
    """What matches English texts that are not also texts of the language. One word with a value in it may be anything."""
    # Scopes are words of the API.
    for text in texts_of("en") - texts_of(language) - {"links"}:
        if re.search(r"[A-Za-z]{2}", text) and ("%" not in text or len(re.findall(r"[A-Za-z]+", text)) > 1):
            yield text, re.compile("^" + ".+".join(re.escape(part) for part in re.split("%", text)) + "$", re.S)


def settled(browser):
    return browser.run_async(
        "await new Promise((next) => setTimeout(next));"
        "return !document.querySelector('[aria-busy]') && !!document.querySelector('main h1')") is True


def show(browser, address):
    browser.run("location.hash = arguments[0]", address)
    browser.wait(lambda: settled(browser), f"loading {address}")


def check_english(browser, name, patterns):
    for text in browser.run(COLLECT):
        for original, pattern in patterns:
            if pattern.match(text):
                expect(False, f"{name} has English: {text}" + (f" ({original})" if original != text else ""))


def check_page(browser, name, patterns):
    over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    expect(over <= 0, f"{name}: {over} pixels too wide")
    for clipped in browser.run(CLIPPED):
        expect(False, f"{name}: {clipped}")
    check_english(browser, name, patterns)
    if FOLDER:
        browser.screenshot(os.path.join(FOLDER, f"language-{name.replace(', ', '-')}.png"), whole=True)


def check_axe(browser, name):
    browser.run("if (!window.axe) {" + AXE + "; window.axe = axe }")
    found = browser.run_async("""const { violations } = await axe.run();
        return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`);""")
    for violation in found:
        expect(False, f"{name}: {violation}")


def size(browser, width):
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)


def check_language(browser, language, screens):
    patterns = list(english_patterns(language))
    agent = browser.run("return navigator.userAgent")
    browser.cdp("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=f"{language},en")
    size(browser, 1280)
    browser.open("about:blank")
    browser.open(SERVICE + "/_/")
    browser.wait(lambda: browser.run("return document.activeElement.name === 'key'"), "the field for the key")
    expect(browser.run("return document.documentElement.lang") == language, f"the page says that it is in {language}")
    check_page(browser, f"{language}, sign-in, 1280", patterns)
    browser.press("wm_nothing", "Enter")
    browser.wait(lambda: browser.run("return !!document.querySelector('[role=alert]')"), "the message about a wrong key")
    check_page(browser, f"{language}, wrong-key, 1280", patterns)
    browser.run("document.activeElement.value = ''")
    browser.press(KEY, "Enter")
    browser.wait(lambda: browser.run("return !!document.querySelector('header .who')") and settled(browser), "signing in")
    loaded = browser.run("return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => /texts\\/.*json$/.test(name))")
    expect(all(f"/{language}." in name for name in loaded), f"only texts of {language} are loaded: {loaded}")
    for width in [1280, 390]:
        size(browser, width)
        for name, address in screens.items():
            show(browser, address)
            browser.run("for (const fold of document.querySelectorAll('details:not(td details)')) fold.open = true")
            browser.wait(lambda: settled(browser), f"unfolding {name}")
            check_page(browser, f"{language}, {name}, {width}", patterns)
            if AXE and width == 390:
                check_axe(browser, f"{language}, {name}")
    size(browser, 1280)
    check_forms(browser, language, patterns)
    for key, name in [("?", "help"), ("k", "palette")]:
        show(browser, "#/links")
        if key == "?":
            browser.press("?")
        else:
            browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))")
        browser.wait(lambda: browser.run("return !!document.querySelector('dialog[open] table, dialog[open] .choices a')"), name)
        check_page(browser, f"{language}, {name}, 1280", patterns)
        browser.press("Escape")
        browser.wait(lambda: not browser.run("return document.querySelector('dialog')"), f"closing {name}")
    browser.open(SERVICE + "/_/reference")
    browser.wait(lambda: settled(browser), "the reference")
    browser.run("document.querySelector('details.call').open = true")
    check_page(browser, f"{language}, reference, 1280", patterns)
    browser.open(SERVICE + "/_/#/overview")
    browser.wait(lambda: settled(browser), "the overview")
    browser.run("document.querySelector('header .who ~ button').click()")
    browser.wait(lambda: browser.run("return document.activeElement.name === 'key'"), "signing out")


def check_forms(browser, language, patterns):
    """What is wrong with a field, by the form and by the server."""
    show(browser, "#/new")
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: browser.run("return !!document.querySelector('[aria-invalid=true], [role=alert]')"), "an error of a form")
    check_page(browser, f"{language}, form-error, 1280", patterns)
    for name, value in {"urls.web": "javascript:alert(1)", "validFrom": "2027-01-02T00:00", "expiresAt": "2027-01-01T00:00"}.items():
        browser.run("document.querySelector(`[name=\"${arguments[0]}\"]`).value = arguments[1]", name, value)
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: browser.run("return document.querySelectorAll('[aria-invalid=true]').length > 1"), "errors of the server")
    check_page(browser, f"{language}, server-error, 1280", patterns)


def check_choice(browser):
    """The choice of a language is kept, and goes before what the browser asks for."""
    for language in ["ja", "en"]:
        browser.run("""const choice = document.querySelector('footer [name=language]'); choice.value = arguments[0];
            document.body.id = 'old'; choice.dispatchEvent(new Event('change'))""", language)
        browser.wait(lambda: browser.run("return !document.querySelector('#old') && !!document.querySelector('footer [name=language]')"), "the new language")
        expect(browser.run("return document.documentElement.lang") == language, f"{language} is chosen")
        expect(browser.run("return document.querySelector('footer [name=language]').value") == language, f"the choice shows {language}")
    names = browser.run("return Object.fromEntries([...document.querySelectorAll('footer [name=language] option')].map((one) => [one.lang, one.textContent]))")
    expect(names == {**NAMES, "en": "English"}, f"languages are named in themselves: {names}")
    browser.run("localStorage.removeItem('waymark-language')")


def main():
    for slug, more in {"spring/sale": {"title": "Trailhead 1", "tags": ["tents"], "metadata": {"coupon": "X"}, "campaign": {"name": "tents"}},
                       "ruled": {"rules": [{"when": {"country": ["DE", "AT"], "platform": "ios", "percentage": 50}, "to": "https://www.example.com/x"}]}}.items():
        # It may exist from a run before.
        service.answer("POST", "/api/v1/links", {"app": "shop", "slug": slug, "urls": {"web": "https://www.example.com/"}, **more})
    for path, agent in {"/spring/sale": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                        "/ruled": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36"}.items():
        for _ in range(3):
            request = urllib.request.Request(SERVICE + path, headers={"User-Agent": agent, "Accept-Language": "de"})
            try:
                urllib.request.urlopen(request, timeout=10).close()
            except OSError:
                pass  # Where the destination is can't be reached; the click counts.
    hook = (call("GET", "/api/v1/webhooks")["webhooks"] or [call("POST", "/api/v1/webhooks", {"name": "CRM", "url": SERVICE + "/x", "events": ["*"]})])[0]
    if not call("GET", "/api/v1/people")["people"]:
        call("POST", "/api/v1/people:invite", {"name": "Ana", "role": "editor"})
    here = "#/links/127.0.0.1/spring%2Fsale"
    screens = {
        "overview": "#/overview?period=day&compare=none", "filtered": "#/overview?period=7d&platform=iphone&compare=year", "links": "#/links",
        "nothing-found": "#/links?search=nothing&state=expired&sort=-clicks", "new": "#/new", "many": "#/new?many=1", "link": here,
        "edit": here + "/edit", "ruled": "#/links/127.0.0.1/ruled/edit", "import": "#/import", "explain": f"#/explain?url={SERVICE}/ruled",
        "applications": "#/applications", "application": "#/applications/shop", "application-json": "#/applications/shop?view=json",
        "new-application": "#/new-application", "domains": "#/domains", "webhooks": "#/webhooks", "webhook": f"#/webhooks/{hook['id']}",
        "people": "#/people", "account": "#/account", "keys": "#/keys", "system": "#/system", "unknown": "#/nothing"}
    only = os.environ.get("LANGUAGES", " ".join(NAMES)).split()
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        for language in only:
            check_language(browser, language, screens)
        check_choice(browser)
        for message in browser.console():
            if "the server responded with a status of 4" not in message:
                expect(False, f"the console says: {message}")
    if wrong:
        sys.exit(1)
    print("the dashboard speaks its languages")


main()
