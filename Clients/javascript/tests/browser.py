"""The client on a web page, in Chromium, under a strict Content Security Policy: usage: browser.py BUNDLES [SCREENSHOTS]

BUNDLES is the folder with `waymark.min.js`. WAYMARK_PROGRAM names the service's program. Exit status 1 if something is wrong.
"""

import http.client
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from webdriver import Browser  # noqa: E402

BUNDLES = pathlib.Path(sys.argv[1])
SCREENSHOTS = sys.argv[2] if len(sys.argv) > 2 else None
KEY = "wm_browser0123456789abcdefghijABCDEFGHIJ"
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.0 Mobile/15E148 Safari/604.1")
PIXEL = ("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36")
IPHONE_CHROME = IPHONE.replace("Version/18.0", "CriOS/131.0.0.0")
IPHONE_APP = IPHONE.replace("Version/18.0 ", "").replace(" Safari/604.1", " Instagram 350.0")
PIXEL_APP = PIXEL.replace("Pixel 9", "Pixel 9; wv")
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
WATCH = """window.violations = []; window.shift = 0; window.clicked = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
// A scheme that no program has: Chromium would ask for one, and take the focus.
window.realClick = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () { clicked.push(this.href); };
addEventListener("click", (event) => {
    const link = event.composedPath().find((one) => one.tagName === "A");
    if (link) { clicked.push(link.href); event.preventDefault(); }
});"""

wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)
        print(f"wrong: {what}", file=sys.stderr)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Pages(http.server.SimpleHTTPRequestHandler):
    """The pages; calls under /api go to the service, as a proxy in front of both would send them."""

    service = ""

    def end_headers(self):
        self.send_header("Content-Security-Policy",
                         f"default-src 'none'; script-src 'self'; connect-src 'self' {self.service}; img-src 'self'; "
                         "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
        super().end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        names = ["Authorization", "Content-Type", "Idempotency-Key"]
        connection = http.client.HTTPConnection(self.service.removeprefix("http://"))
        connection.request("POST", self.path, body, {name: self.headers[name] for name in names if self.headers[name]})
        answer = connection.getresponse()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        text = answer.read()
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def serve_pages(folder, service):
    shutil.copytree(HERE.parent / "example", folder / "example")
    shutil.copy(BUNDLES / "waymark.min.js", folder / "waymark.js")
    (folder / "example/store.html").write_text("<!DOCTYPE html><title>Store</title>")
    for name, attributes in {
        "banner": 'app-name="Trailhead &lt;img src=x onerror=alert(1)&gt;" text="Better in the app" icon="/icon.svg"',
        "plain": 'app-name="Trailhead"', "inline": 'app-name="Trailhead" placement="inline"',
        "agent": 'app-name="Trailhead" app-agent="TrailheadApp/"', "never": 'app-name="Trailhead" dismiss-days="0"',
        "apple": 'app-name="Trailhead"',
        "broken": 'app-name="Trailhead" deeplink="javascript:alert(1)"', "lost": 'app-name="Trailhead" icon="/nothing.png"',
    }.items():
        direction = "rtl" if name == "plain" else "ltr"
        (folder / f"{name}.html").write_text(
            f'<!DOCTYPE html><html lang="en" dir="{direction}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Page</title>'
            '<script type="module" src="/waymark.js"></script><h1>A page</h1><p>' + "Words and words. " * 200 +
            f'</p>{APPLE if name == "apple" else ""}<waymark-banner href="/Ab3dE9x" store-ios="{SITE}/example/store.html" button="Open" '
            f'{"" if name == "broken" else "deeplink=trailhead://products/42"} {attributes}></waymark-banner>')
    (folder / "icon.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#1f5eff"/></svg>')
    server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), lambda *one: Pages(*one, directory=str(folder)))
    Pages.service = service
    threading.Thread(target=server.serve_forever, daemon=True).start()


APPLE = '<meta name="apple-itunes-app" content="app-id=123456789">'
PORT = free_port()
SITE = f"http://127.0.0.1:{PORT}"


def start_service(folder):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (folder / "applications.json").write_text(json.dumps([{
        "id": "shop", "name": "Trailhead", "domains": ["127.0.0.1"], "baseURL": url, "cors": {"origins": [SITE]},
        "ios": {"urlScheme": "trailhead", "appStoreID": "123456789"}, "web": {"baseURL": "https://shop.example.com"},
        "templates": [{"route": "products/:product_id", "urls": {
            "web": "https://shop.example.com/products/:product_id", "ios": "trailhead://products/:product_id"}}]}]))
    (folder / "waymark.json").write_text(json.dumps({
        "listen": [f"127.0.0.1:{port}"], "database": "sqlite::memory:", "accessLog": "off", "public": str(ROOT / "Public"),
        "applications": "applications.json"}))
    program = os.environ.get("WAYMARK_PROGRAM", str(ROOT / ".build/debug/waymark"))
    process = subprocess.Popen([program, "serve", "--config", str(folder / "waymark.json")],
                               env={**os.environ, "WAYMARK_ADMIN_KEY": KEY}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while True:
        try:
            urllib.request.urlopen(url + "/readyz").close()
            return process, url
        except OSError:
            if process.poll() is not None:
                raise RuntimeError(process.stderr.read().decode()) from None
            time.sleep(0.05)


def call(service, path, body=None):
    request = urllib.request.Request(service + path, json.dumps(body).encode() if body else None, {
        "Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def use(browser, agent, dark=False, width=390):
    browser.cdp("Network.setUserAgentOverride", userAgent=agent, platform="Linux")
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=2, mobile=agent != DESKTOP)
    browser.cdp("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])


def show(browser, name, agent=IPHONE, **how):
    use(browser, agent, **how)
    browser.open(f"{SITE}/{name}.html")
    browser.wait(lambda: browser.run("return document.readyState === 'complete' && !!customElements.get('waymark-banner')"), "the page")


def inside(browser, script):
    return browser.run(f"const root = document.querySelector('waymark-banner').shadowRoot; {script}")


def is_shown(browser):
    return inside(browser, "return root.querySelector('.banner') !== null")


def picture(browser, name):
    if SCREENSHOTS:
        time.sleep(0.4)
        browser.screenshot(os.path.join(SCREENSHOTS, f"{name}.png"))


def check_banner(browser):
    show(browser, "banner")
    expect(is_shown(browser), "the banner is shown on an iPhone")
    expect(inside(browser, "return root.querySelector('.title').textContent").startswith("Trailhead <img"), "the title is text")
    expect(inside(browser, "return root.querySelectorAll('img').length") == 1, "no markup comes from attributes")
    expect(inside(browser, "return getComputedStyle(root.querySelector('.banner')).position") == "fixed", "the styles are applied")
    expect(inside(browser, "return root.querySelector('.button').href") == "trailhead://products/42", "the button opens the app")
    expect(browser.run("return document.querySelectorAll('[style], style').length") == 0, "nothing is styled inline")
    expect(browser.run("return shift") == 0, f"the layout shifts by {browser.run('return shift')}")
    expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the page is no wider")
    for part in ["close", "button"]:
        size = inside(browser, f"const box = root.querySelector('.{part}').getBoundingClientRect(); return [box.width, box.height]")
        expect(min(size) >= 44, f"{part} is {size} large")
    picture(browser, "banner")
    show(browser, "banner", dark=True, width=320)
    expect(inside(browser, "return getComputedStyle(root.querySelector('.banner')).backgroundColor") == "rgb(18, 18, 18)", "dark")
    expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the page is no wider at 320 pixels")
    picture(browser, "banner-dark")

    show(browser, "plain")
    order = inside(browser, "return ['close', 'button'].map((one) => root.querySelector('.' + one).getBoundingClientRect().left)")
    expect(order[0] > order[1], "from right to left the close button is at the right")
    picture(browser, "banner-rtl")
    show(browser, "inline")
    expect(inside(browser, "return getComputedStyle(root.querySelector('.banner')).position") == "static", "inline")
    show(browser, "lost")
    browser.wait(lambda: inside(browser, "return root.querySelector('img') === null"), "an icon that is missing leaves no gap")

    script = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="delete CSSStyleSheet.prototype.replaceSync")
    show(browser, "banner", dark=True)
    expect(inside(browser, "return root.adoptedStyleSheets.length") == 0, "there are no constructed style sheets")
    style = inside(browser, "const style = getComputedStyle(root.querySelector('.banner')); return [style.position, style.backgroundColor]")
    expect(style == ["fixed", "rgb(18, 18, 18)"], f"without them it has its styles, too: {style}")
    show(browser, "inline")
    expect(inside(browser, "return getComputedStyle(root.querySelector('.banner')).position") == "static", "inline without them")
    browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    expect(browser.run("return violations") == [], f"the policy refuses {browser.run('return violations')}")

    show(browser, "plain", agent=PIXEL)
    href = inside(browser, "return root.querySelector('.button').getAttribute('href')")
    expect(href.startswith("intent://products/42#Intent;scheme=trailhead;S.browser_fallback_url="), f"Android: {href}")
    for agent in [PIXEL_APP, IPHONE_APP]:
        show(browser, "plain", agent=agent)
        href = inside(browser, "return root.querySelector('.button').getAttribute('href')")
        expect(href == f"{SITE}/Ab3dE9x", f"the smart link in {agent}: {href}")
    # Apple's own banner is in Safari only.
    for agent, own in [(IPHONE, False), (IPHONE_CHROME, True), (IPHONE_APP, True), (PIXEL, True)]:
        show(browser, "apple", agent=agent)
        expect(is_shown(browser) == own, f"beside apple-itunes-app: {own} in {agent}")
    for name, agent in [("plain", DESKTOP), ("agent", IPHONE + " TrailheadApp/1.0")]:
        show(browser, name, agent=agent)
        expect(not is_shown(browser), f"no banner for {name}, {agent}")
    show(browser, "agent")
    expect(is_shown(browser), "the app's mark counts in the app only")
    browser.run("document.querySelector('waymark-banner').setAttribute('deeplink', 'javascript:alert(1)')")
    expect(not is_shown(browser), "a script is no deep link")
    browser.run("document.querySelector('waymark-banner').setAttribute('deeplink', 'trailhead://x')")
    browser.run("document.querySelector('waymark-banner').setAttribute('href', 'javascript:alert(1)')")
    expect(not is_shown(browser), "a script is no smart link")
    show(browser, "broken")
    expect(not is_shown(browser), "nothing is shown for a deep link that is a script")


def check_dismissal(browser):
    show(browser, "plain")
    browser.run("window.heard = []; for (const name of ['waymark-dismiss', 'waymark-open']) addEventListener(name, () => heard.push(name))")
    browser.press("Tab", "Enter")
    expect(not is_shown(browser), "the close button is reached by keyboard and hides the banner")
    expect(browser.run("return heard") == ["waymark-dismiss"], "the page hears of it")
    show(browser, "plain")
    expect(not is_shown(browser), "it stays hidden")
    browser.run("document.querySelector('waymark-banner').setAttribute('href', '/Other1')")
    expect(not is_shown(browser), "it stays hidden for another smart link")
    show(browser, "inline")
    expect(not is_shown(browser), "it stays hidden on another page")
    expect(browser.run("return Object.keys(localStorage)") == ["waymark.banner"], "one key for the origin")
    browser.run("for (const key of Object.keys(localStorage)) localStorage.setItem(key, Date.now() - 31 * 864e5)")
    show(browser, "plain")
    expect(is_shown(browser), "it comes back after 30 days")
    browser.run("localStorage.clear()")
    show(browser, "plain")
    browser.press("Tab", "Tab", "Escape")
    expect(not is_shown(browser), "Escape hides it")
    browser.run("localStorage.clear()")
    show(browser, "never")
    browser.press("Tab", "Enter")
    show(browser, "never")
    expect(is_shown(browser), "nothing is remembered for 0 days")
    browser.run("localStorage.clear()")

    script = browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""for (const name of ["getItem", "setItem"])
        Storage.prototype[name] = () => { throw new DOMException("no", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });""")
    show(browser, "plain")
    expect(is_shown(browser), "it is shown without storage")
    browser.press("Tab", "Enter")
    expect(not is_shown(browser), "it can be hidden without storage")
    result = browser.run_async("""const { WaymarkClient } = await import("/waymark.js");
        const client = new WaymarkClient({ service: "https://go.example.com", key: "wm_x", sendsEvents: false });
        await client.recordOpen({ clickID: "c1" }); return (await client.eventCounts()).waiting;""")
    expect(result == 1, f"the client works without storage: {result}")
    browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


def check_opening(browser, service):
    show(browser, "example/page")
    refused = browser.run_async("""const { openInApp } = await import("/waymark.js");
        return openInApp({ url: "https://go.example.com/a", deeplink: "shop://a" }).then(() => "opened", (error) => error.name);""")
    expect(refused == "NotAllowedError", f"without a gesture: {refused}")

    browser.click("#open")
    expect(browser.run("return clicked") == ["trailhead://products/42"], "a click opens the app")
    browser.wait(lambda: browser.url.endswith("/store.html"), "without the app the click leads to the store")

    show(browser, "example/page")
    browser.run("""import("/waymark.js").then(({ openInApp }) => {
        HTMLAnchorElement.prototype.click = realClick;
        document.querySelector("#share").addEventListener("click", (event) => {
            event.stopImmediatePropagation();
            openInApp({ url: location.origin + "/example/store.html" }); }, { capture: true }); window.isSet = true; })""")
    browser.wait(lambda: browser.run("return window.isSet === true"), "the handler")
    browser.click("#share")
    browser.wait(lambda: browser.url.endswith("/store.html"), "a link outside the document navigates")

    for event in ["window.dispatchEvent(new Event('blur'))", "window.dispatchEvent(new Event('pagehide'))",
                  "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))"]:
        show(browser, "example/page")
        browser.click("#open")
        browser.run(event)
        browser.wait(lambda: browser.run("return document.title") == "left", f"the end of the wait by {event}")
    show(browser, "example/page")
    outcomes = browser.run_async("""const { openInApp } = await import("/waymark.js");
        Object.defineProperty(navigator, "userActivation", { value: { isActive: true } });
        const open = () => openInApp({ url: "https://go.example.com/a", deeplink: "shop://a", timeout: 100_000 });
        const both = Promise.all([open(), open()]);
        dispatchEvent(new Event("blur"));
        return both;""")
    expect(outcomes == ["cancelled", "left"], f"two taps: {outcomes}")
    show(browser, "example/page")
    browser.run("document.querySelector('waymark-banner').shadowRoot.querySelector('.button').dispatchEvent("
                "new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }))")
    browser.wait(lambda: browser.url.endswith("/store.html"), "without the app the banner leads to the store")

    browser.cdp("Browser.grantPermissions", origin=SITE, permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    show(browser, "example/page")
    browser.run("""import("/waymark.js").then(({ openInApp }) => { document.querySelector("#share").addEventListener("click", (event) => {
        event.stopImmediatePropagation();
        openInApp({ url: "https://go.example.com/a", deeplink: "shop://a", timeout: 100, store: { ios: location.origin + "/example/store.html" },
            copy: "https://go.example.com/a?_hk_cid=c1" }); }, { capture: true }); window.isSet = true; })""")
    browser.wait(lambda: browser.run("return window.isSet === true"), "the handler")
    browser.click("#share")
    browser.wait(lambda: browser.url.endswith("/store.html"), "the store")
    copied = browser.run_async("return navigator.clipboard.readText();")
    expect(copied == "https://go.example.com/a?_hk_cid=c1", f"the link is on the clipboard: {copied}")

    key = call(service, "/api/v1/keys", {"name": "page", "app": "shop", "scopes": ["create"]})["key"]
    use(browser, DESKTOP)
    browser.open(f"{SITE}/example/page.html#service={service}&key={key}")
    browser.click("#share")
    browser.wait(lambda: browser.run("return document.querySelector('#shared').value").startswith(service), "the link to share")


def check_queue(browser):
    """Chromium returns the names of `localStorage` in an arbitrary order, and its storage may be full."""
    show(browser, "plain", agent=DESKTOP)
    result = browser.run_async("""localStorage.clear();
        const { WaymarkClient } = await import("/waymark.js");
        let posts = 0;
        const client = new WaymarkClient({ service: "https://go.example.com", key: "wm_x", sendsEvents: false, fetch: async () => {
            if (++posts > 10) return new Response("", { status: 403 });
            return new Response('{"counted":1}', { headers: { "Content-Type": "application/json" } });
        } });
        await Promise.all(["c1", "c2", "c3", "c4", "c5", "c6"].map((clickID) => client.recordOpen({ clickID })));
        const order = JSON.parse(localStorage["waymark.events"]).events.map(({ clickID }) => clickID).join();
        Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
        await client.flush();
        const { waiting } = await client.eventCounts();
        localStorage.clear();
        return [order, posts, waiting];""")
    expect(result == ["c1,c2,c3,c4,c5,c6", 1, 0], f"order, requests and rest of the queue: {result}")


def check_tabs(browser, service):
    """Two tabs record at the same time, and one sends."""
    link = call(service, "/api/v1/links", {"app": "shop", "urls": {"web": "https://shop.example.com/"}})
    key = call(service, "/api/v1/keys", {"name": "app", "app": "shop", "scopes": ["resolve"]})["key"]
    make = f"""const {{ WaymarkClient }} = await import("/waymark.js");
        const client = new WaymarkClient({{ service: location.origin, key: "{key}", app: "shop", sendsEvents: false }});"""
    show(browser, "plain", agent=DESKTOP)
    tabs = [browser.call("GET", "/window")]
    for _ in range(2):
        tabs.append(browser.call("POST", "/window/new", {"type": "tab"})["handle"])
        browser.call("POST", "/window", {"handle": tabs[-1]})
        browser.open(f"{SITE}/plain.html")
    browser.wait(lambda: browser.run("return !!customElements.get('waymark-banner')"), "the page")
    for tab in tabs:
        browser.call("POST", "/window", {"handle": tab})
        browser.run(f"""window.recording = (async () => {{ {make} window.client = client;
            for (let count = 0; count < 40; count++) await client.recordOpen({{ smartlink: "{link['smartlink']}" }}); return "done"; }})();""")
    for tab in tabs:
        browser.call("POST", "/window", {"handle": tab})
        done = browser.run_async("return window.recording;")
        expect(done == "done", f"a tab has recorded: {done}")
    browser.wait(lambda: browser.run("return Object.keys(localStorage).filter((key) => key.startsWith('waymark.event.')).length") == 120,
                 "all events of three tabs are stored")
    expect("wm_" not in json.dumps(browser.run("return { ...localStorage }")), "the key is not stored")
    for tab in tabs:
        browser.call("POST", "/window", {"handle": tab})
        sent = browser.run_async("await client.flush(); return JSON.stringify(client) + (await client.eventCounts()).waiting;")
        expect(sent.endswith("}0") and "wm_" not in sent, f"all is sent: {sent}")
    left = browser.run("return Object.keys(localStorage).filter((key) => key.startsWith('waymark.event.'))")
    expect(left == [], f"what was sent is removed: {left}")
    domain, slug = link["domain"], link["slug"]
    opens = call(service, f"/api/v1/links/{domain}/{slug}/events")["total"]["opens"]
    expect(opens == 120, f"{opens} of 120 opens are counted")
    for tab in tabs[1:]:
        browser.call("POST", "/window", {"handle": tab})
        browser.call("DELETE", "/window")
    browser.call("POST", "/window", {"handle": tabs[0]})


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "pages").mkdir()
        process, service = start_service(folder)
        try:
            serve_pages(folder / "pages", service)
            with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]) as browser:
                browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
                check_banner(browser)
                check_dismissal(browser)
                check_opening(browser, service)
                check_queue(browser)
                check_tabs(browser, service)
                for message in browser.console():
                    # The icon that is missing on purpose.
                    if "nothing.png" not in message and "favicon" not in message:
                        expect(False, f"the console says: {message}")
        finally:
            process.terminate()
            process.wait()
    if wrong:
        sys.exit(1)
    print("the client is as it should be in a browser")


main()
