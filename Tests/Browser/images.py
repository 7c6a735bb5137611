"""The dashboard's pictures in the documentation: usage: images.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key; the pictures go to FOLDER, else to docs/images.
Links, clicks and certificates are made up in the browser, so that they are the same each time but for their dates.
"""

import os
import sys

from driving import Page, Service
from webdriver import Browser

service = Service(*sys.argv[1:3])
FOLDER = sys.argv[3] if len(sys.argv) > 3 else os.path.join(os.path.dirname(__file__), "../../docs/images")
LINK = {"app": "shop", "slug": "summer-sale", "title": "Summer sale", "urls": {"web": "https://shop.example.com/a"}, "tags": ["summer", "bf-2026"],
        "folder": "campaigns/summer", "campaign": {"source": "newsletter", "name": "Summer 2026"},
        "rules": [{"name": "new page", "when": {"percentage": 50}, "to": "https://shop.example.com/b"}]}
FAKE = """const real = window.fetch;
const DAY = 864e5;
const answer = (content) => new Response(JSON.stringify(content), { headers: { "Content-Type": "application/json" } });
const text = (url) => new URL(url, location.href);
// Numbers that look like those of days, and are the same each time.
const wave = (day, height) => Math.round(height * (1 + 0.2 * Math.sin(day * 1.7) - (day % 7 > 4 ? 0.35 : 0)));
function report(url) {
    const asked = url.searchParams;
    const isNow = asked.has("compare");
    const [from, to] = [new Date(asked.get("from")), new Date(Date.now() - (isNow ? 0 : 28 * DAY))];
    const height = isNow ? 210 : 165;
    const series = Array.from({ length: 28 }, (_, day) => ({
        start: new Date(from.getTime() + day * DAY).toISOString(), people: wave(day + (isNow ? 0 : 3), height), bots: 22, visitors: wave(day, height * 0.8),
        by: { platform: [["iphone", 5], ["android", 3], ["web", 2]], device: [["phone", 8], ["desktop", 2]], browser: [["safari", 5], ["chrome", 4]], language: [["en", 6], ["de", 3]] },
    }));
    const sum = (member) => series.reduce((all, one) => all + one[member], 0);
    const people = sum("people");
    for (const one of series) for (const [field, values] of Object.entries(one.by)) {
        one.by[field] = values.map(([value, share]) => ({ value, people: Math.round(one.people * share / 10), bots: 1 }));
    }
    const top = (values) => values.map(([value, share]) => ({ value, people: Math.round(people * share * (isNow ? 1 : 0.9 + value.length % 3 / 9)), bots: 2 }));
    const total = { people, bots: sum("bots"), visitors: sum("visitors") };
    return {
        from: from.toISOString(), to: to.toISOString(), interval: "day", complete: true, by: Object.keys(series[0].by), total, series,
        top: { links: top([["Summer sale", 0.24], ["Spring sale", 0.2], ["Poster", 0.15]]).map((one) => ({ ...one, title: one.value, domain: "go.example.com", slug: one.value })),
            referrers: top([["www.google.com", 0.28], ["www.instagram.com", 0.25], ["t.co", 0.1]]), countries: top([["DE", 0.5], ["US", 0.3]]), campaigns: [] },
        ...isNow ? { compared: { from: new Date(from.getTime() - 28 * DAY).toISOString(), to: new Date(Date.now() - 28 * DAY).toISOString(),
            total: { people: Math.round(people * 0.8), bots: 495, visitors: Math.round(total.visitors * 0.8) } } } : {},
    };
}
window.fetch = async (target, options = {}) => {
    const url = text(target);
    const by = url.searchParams.get("by");
    if (url.pathname === "/api/v1/clicks" && url.searchParams.get("top") === "unknown") return answer({ top: { unknown: [{ value: "go.example.com/black-friday", people: 54 }] } });
    if (url.pathname === "/api/v1/clicks" && by === "rule") return answer({ series: [{ by: { rule: [{ value: null, people: 2904 }, { value: "new page", people: 2951 }] } }] });
    if (url.pathname === "/api/v1/clicks") return answer(report(url));
    if (url.pathname === "/api/v1/conversions") return answer({ groups: by === "rule" ? [{ value: null, count: 87, sums: {} }, { value: "new page", count: 151, sums: {} }] : [] });
    if (url.pathname === "/api/v1/domains") {
        const time = (days) => new Date(Date.now() + days * DAY).toISOString();
        return answer({ domains: ["go.example.com", "open.example.com"].map((domain) => ({ domain, app: "shop", problem: null, origin: "https://go.example.com",
            certificate: { until: time(88), renewsAt: time(58) } })) });
    }
    if (url.pathname === "/api/v1/apps") return answer({ apps: [{ id: "shop", name: "Trailhead", domains: ["go.example.com", "open.example.com"], baseURL: "https://go.example.com", onRoot: "https://www.example.com/" }] });
    const found = await real(target, options);
    if (!found.headers.get("Content-Type")?.includes("json")) return found;
    return answer(JSON.parse((await found.text()).replaceAll("https://127.0.0.1", "https://go.example.com").replaceAll('"clicks":0', '"clicks":5855')));
};"""


def main():
    service.call("POST", "/api/v1/links", LINK)
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US"]) as browser:
        page = Page(browser, service, FOLDER)
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=FAKE)
        page.sign_in()
        for name, address, height, awaited in [
                ("overview", "#/overview?period=28d", 900, "black-friday"), ("domains", "#/domains", 480, "Renews"),
                ("link", "#/links/127.0.0.1/summer-sale?period=28d", 900, "“new page” is better")]:
            browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=height, deviceScaleFactor=1, mobile=False)
            page.show("#/account")
            page.show(address)
            page.wait_for(awaited)
            browser.run("document.activeElement.blur(); window.scrollTo(0, 0)")
            browser.screenshot(os.path.join(FOLDER, f"dashboard-{name}.png"))


main()
