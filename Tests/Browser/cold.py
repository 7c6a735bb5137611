"""How long the dashboard takes from cold on a slow phone: usage: cold.py SERVICE KEY [ADDRESS SELECTOR]

Milliseconds from the navigation until SELECTOR is there, with an empty cache, a CPU that is slowed down four times, and the line that
Lighthouse calls slow 4G: 150 ms there and back, 1.6 Mbit/s down. LATENCY in the environment sets other milliseconds (0: no limits), CPU
another slow-down. LATENCY=1000 CPU=1 counts round trips, also on a busy machine.
"""

import os
import statistics
import sys

from webdriver import Browser

SERVICE, KEY = sys.argv[1:3]
ADDRESS, SELECTOR = sys.argv[3:5] if len(sys.argv) > 4 else ("#/links", ".row-link")
LATENCY = float(os.environ.get("LATENCY", 150))
CPU = float(os.environ.get("CPU", 4))
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
    browser.cdp("Emulation.setCPUThrottlingRate", rate=CPU)
    times = []
    for _ in range(9):
        browser.cdp("Network.enable")
        browser.cdp("Network.clearBrowserCache")
        if LATENCY:
            browser.cdp("Network.emulateNetworkConditions", offline=False, latency=LATENCY,
                        downloadThroughput=1638.4 * 1024 / 8, uploadThroughput=750 * 1024 / 8)
        browser.open("about:blank")
        browser.open(SERVICE + "/_/" + ADDRESS)
        browser.wait(lambda: browser.run("return window.usable ?? null") is not None, SELECTOR, 30)
        times.append(round(browser.run("return window.usable")))
    entries = "performance.getEntriesByType('resource')"
    print(f"{statistics.median(times)} ms (median of {sorted(times)}),", browser.run(f"return {entries}.length"), "requests,",
          browser.run(f"return {entries}.reduce((sum, entry) => sum + entry.transferSize, 0)"), "bytes")
