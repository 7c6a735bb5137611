"""What the checks of the dashboard share: calls of the API, and a page that is driven as a person does."""

import json
import os
import sys
import urllib.error
import urllib.request

wrong = []
AXE = open(os.environ["AXE"]).read() if os.environ.get("AXE") else None


def expect(holds, text):
    if not holds:
        wrong.append(text)
        print(f"wrong: {text}", file=sys.stderr)


class Service:
    """The API of a running service, by a key."""

    def __init__(self, address, key):
        self.address, self.key = address, key

    def answer(self, method, path, body=None):
        """The status and the content of a response."""
        request = urllib.request.Request(
            self.address + path, None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                content = answer.read()
                return answer.status, json.loads(content) if content else None
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def call(self, method, path, body=None):
        """The content of a response that is no refusal."""
        status, content = self.answer(method, path, body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content}")
        return content


class Stay(urllib.request.HTTPErrorProcessor):
    """Shows redirects instead of following them."""

    def http_response(self, request, response):
        return response

    https_response = http_response


# Answers in place of the server's: `window.stubs` has them by method, path and query, and `window.asked` what was sent.
STUB = """window.stubs = %s;
window.asked = [];
const real = window.fetch;
window.fetch = async (target, options = {}) => {
    const url = new URL(target, location.href);
    const name = (options.method ?? "GET") + " " + decodeURIComponent(url.pathname);
    const by = name + "?by=" + url.searchParams.get("by");
    const found = window.stubs[name + url.search] ?? window.stubs[by] ?? window.stubs[name];
    if (found === undefined) return real(target, options);
    const sent = { name, query: url.search };
    if (options.body instanceof File || options.body instanceof Blob) sent.bytes = options.body.size;
    else if (options.body) sent.body = JSON.parse(options.body);
    window.asked.push(sent);
    const { status = 200, ...content } = found;
    const type = status < 400 ? "application/json" : "application/problem+json";
    return new Response(status === 204 ? null : JSON.stringify(content), { status, headers: { "Content-Type": type, ETag: '"1"' } });
};"""


class Page:
    """The dashboard in a browser."""

    def __init__(self, browser, service, folder=None):
        self.browser, self.service, self.folder = browser, service, folder

    def stub(self, answers):
        """For this page, and for those that are loaded from now on."""
        script = STUB % json.dumps(answers)
        self.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)

    def text(self, selector="main"):
        return self.browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def settled(self):
        return self.browser.run_async(
            "await new Promise((next) => setTimeout(next));"
            "return !document.querySelector('[aria-busy]') && !!document.querySelector('main h1')") is True

    def show(self, address):
        self.browser.run("location.hash = arguments[0]", address)
        self.browser.wait(self.settled, f"loading {address}")

    def sign_in(self):
        self.browser.open(self.service.address + "/_/")
        self.browser.wait(lambda: self.browser.run("return document.activeElement.name") == "key", "the field for the key")
        self.browser.press(self.service.key, "Enter")
        self.browser.wait(lambda: "Sign out" in self.browser.run("return document.querySelector('header').textContent") and self.settled(), "signing in")

    def wait_for(self, part, selector="main", seconds=15):
        self.browser.wait(lambda: part in self.text(selector) and self.settled(), f"“{part}” in {selector}", seconds)

    def press(self, label, within="body"):
        """The button or link with this text or label."""
        script = """const found = [...document.querySelectorAll(arguments[1] + ' :is(button, a, summary)')].filter((one) => one.offsetParent)
            .find((one) => [one.innerText.trim(), one.ariaLabel].includes(arguments[0]));
            if (arguments[2]) found.click();
            return !!found;"""
        self.browser.wait(lambda: self.browser.run(script, label, within, False), f"“{label}”")
        self.browser.run(script, label, within, True)

    def fill(self, selector, value):
        self.browser.run("""const control = document.querySelector(arguments[0]);
            control.value = arguments[1];
            for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));""", selector, value)

    def asked(self, name):
        """What was sent to a stub, the latest last."""
        return [sent for sent in self.browser.run("return window.asked") if sent["name"] == name]

    def latest(self, name):
        return (self.asked(name) or [{"query": "", "body": None}])[-1]

    def picture(self, name):
        if self.folder:
            self.browser.screenshot(os.path.join(self.folder, f"{name}.png"), whole=True)


def check_axe(page, name):
    if not AXE:
        return
    page.browser.run("if (!window.axe) { " + AXE + "; window.axe = axe }")
    for width in [1280, 390]:
        page.browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        over = page.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(over <= 0, f"{name}, {width} pixels: {over} pixels too wide")
        found = page.browser.run_async("""const { violations } = await axe.run({ rules: { "target-size": { enabled: true } } });
            return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`);""")
        for violation in found:
            expect(False, f"{name}, {width} pixels: {violation}")
    page.picture(name + "-390")
    page.browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
