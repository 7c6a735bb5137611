"""A browser that is driven over WebDriver (w3.org/TR/webdriver2), with nothing but Python's standard library."""

import base64
import json
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "End": "\ue010"}


class Browser:
    """Chromium behind chromedriver. Use it with `with`."""

    def __init__(self, arguments):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = int(line.rsplit("port ", 1)[1].strip(" .\n"))
                break
        if port is None:
            raise RuntimeError("chromedriver did not start")
        self.root = f"http://127.0.0.1:{port}/session"
        self.session = ""
        answer = self.call("POST", "", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            # A navigation that waits for an app would wait for ever.
            "pageLoadStrategy": "eager",
            "acceptInsecureCerts": True,
            # axe-core takes long on a busy machine.
            "timeouts": {"script": 120_000},
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments},
        }}})
        self.session = "/" + answer["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + self.session + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def cdp(self, command, **parameters):
        """A command of the Chrome DevTools Protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.call("GET", "/url")

    def find(self, selector):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return element[ELEMENT]

    def click(self, selector):
        """As a person does: where the element is, with a gesture that the browser trusts."""
        self.call("POST", f"/element/{self.find(selector)}/click", {})

    def press(self, *keys):
        """Keys one after the other, wherever the focus is: texts, or names of KEYS."""
        actions = []
        for key in keys:
            for one in [KEYS[key]] if key in KEYS else key:
                actions += [{"type": "keyDown", "value": one}, {"type": "keyUp", "value": one}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """What the script's promise becomes."""
        return self.call("POST", "/execute/async", {
            "script": "const done = arguments[arguments.length - 1];"
                      f"(async () => {{ {script} }})().then(done, (error) => done('failed: ' + error));",
            "args": list(arguments)})

    def wait(self, condition, what, seconds=15):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not happen; the browser is at {self.url}")
            time.sleep(0.05)

    def console(self):
        """What the console said since it was last asked."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path, whole=False):
        """What the window shows, or the whole page."""
        if whole:
            size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
            picture = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip={**size, "scale": 1})["data"]
        else:
            picture = self.call("GET", "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))
