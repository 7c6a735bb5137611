"""How long the dashboard takes from cold on a slow phone: usage: cold.py SERVICE KEY [ADDRESS SELECTOR]

Milliseconds from the navigation until SELECTOR is there, with an empty cache and a CPU that is slowed down four times.
"""

import statistics
import sys

from webdriver import Browser

SERVICE, KEY = sys.argv[1:3]
ADDRESS, SELECTOR = sys.argv[3:5] if len(sys.argv) > 4 else ("#/links", ".row-link")
WATCH = """new MutationObserver((_, observer) => {
    if (!document.querySelector("%s")) return;
    window.usable = performance.now();
    observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""

with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
    browser.cdp("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=3, mobile=True)
    browser.open(SERVICE + "/_/")
    browser.wait(lambda: browser.run("return document.activeElement.name") == "key", "the focus in the field for the key")
    browser.press(KEY, "Enter")
    browser.wait(lambda: browser.run("return !!document.querySelector('header button')"), "signing in")
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH % SELECTOR)
    browser.cdp("Emulation.setCPUThrottlingRate", rate=4)
    times = []
    for _ in range(9):
        browser.cdp("Network.enable")
        browser.cdp("Network.clearBrowserCache")
        browser.open("about:blank")
        browser.open(SERVICE + "/_/" + ADDRESS)
        browser.wait(lambda: browser.run("return window.usable ?? null") is not None, SELECTOR, 30)
        times.append(round(browser.run("return window.usable")))
    entries = "performance.getEntriesByType('resource')"
    print(f"{statistics.median(times)} ms (median of {sorted(times)}),", browser.run(f"return {entries}.length"), "requests,",
          browser.run(f"return {entries}.reduce((sum, entry) => sum + entry.transferSize, 0)"), "bytes")
