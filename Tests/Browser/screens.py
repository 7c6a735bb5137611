"""Screens of the dashboard whose data takes days to come about: usage: screens.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. Answers of some
calls are made up in the browser. With AXE, the file of axe-core, the screens are checked with it. Exit status 1 where something is wrong.
"""

import os
import sys

from driving import Page, Service, expect, wrong
from webdriver import Browser

AXE = open(os.environ["AXE"]).read() if os.environ.get("AXE") else None
service = Service(*sys.argv[1:3])
AB = "/api/v1/links/127.0.0.1/ab"
RULES = [{"name": "B", "when": {"percentage": 50}, "to": "https://shop.example.com/b"},
         {"when": {"country": "DE"}, "to": "https://shop.example.com/de"}]


def rates(a, b, germany=(0, 0)):
    """Reports by rule: clicks and conversions of those without a rule, of B, and of Germans."""
    counts = [(None, a), ("B", b), ("2", germany)]
    return {
        "GET /api/v1/clicks?by=rule": {"series": [{"by": {"rule": [{"value": value, "people": clicks, "bots": 0} for value, (clicks, _) in counts]}}]},
        "GET /api/v1/conversions?by=rule": {"groups": [{"value": value, "count": count, "sums": {}} for value, (_, count) in counts if count]},
    }


STUBS = {
    **rates((900, 27), (1000, 45), (100, 3)),
    f"POST {AB}:rehearse": {"clicks": 2000, "changed": 950, "undecidable": 50, "byOutcome": [], "why": ["changed shares"]},
}


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


def check_statistics(page):
    """Intervals as in Newcombe's tables (Statistics in Medicine 17, 1998), and when a lead is certain."""
    found = page.browser.run_async("""const { interval, difference, verdict } = await import("/_/dashboard/links/results/rates.js");
        const round = ({ low, high }) => [low, high].map((one) => Math.round(one * 10000) / 10000);
        const of = (clicks, conversions) => ({ clicks, conversions });
        return {
            wilson: [round(interval(of(263, 81))), round(interval(of(148, 15))), round(interval(of(20, 0)))],
            newcombe: [round(difference(of(70, 56), of(80, 48))), round(difference(of(10, 9), of(10, 3)))],
            kinds: [[of(100, 0), of(100, 0)], [of(0, 0), of(10, 1)], [of(10, 11), of(10, 1)], [of(100, 5), of(100, 5)],
                    [of(1000, 30), of(1000, 51)], [of(1000, 30), of(1000, 45)],
                    // What is certain for two is not for one of four.
                    [of(1000, 30), of(1000, 47), of(1000, 30), of(1000, 30)], [of(1000, 30), of(1000, 47)]].map((all) => verdict(all).kind),
        };""")
    expect(found["wilson"] == [[0.2553, 0.3662], [0.0624, 0.1605], [0, 0.1611]], f"Wilson's intervals: {found['wilson']}")
    expect(found["newcombe"] == [[0.0524, 0.3339], [0.1705, 0.8090]], f"Newcombe's intervals: {found['newcombe']}")
    expect(found["kinds"] == ["none", "few", "odd", "even", "better", "early", "early", "better"], f"verdicts: {found['kinds']}")


def check_splits(page):
    """Which rules are one test, and what is left of them."""
    found = page.browser.run_async("""const { promoted, splits } = await import("/_/dashboard/links/results/split.js");
        const b = { name: "B", when: { percentage: 50 }, to: "b" };
        const germany = { when: { country: "DE" }, to: "de" };
        const ios = { name: "new", when: { platform: "ios", percentage: 10 }, to: "new" };
        const old = { name: "old", when: { platform: "ios" }, to: "old" };
        const part = { when: { platform: "ios", country: "DE" }, to: "de" };
        return [[b, germany], [germany, b], [{ ...b, name: "A" }, b], [ios, part, old], [ios]].map((rules) => {
            const [split] = splits(rules);
            return split.contestants.map((one) => [one.values, promoted(rules, split, one).map((rule) => [rule.to, rule.when])]);
        });""")
    expect(found == [
        [[["B"], [["de", {"country": "DE"}], ["b", None]]], [[None, "2"], [["de", {"country": "DE"}]]]],
        [[["B"], [["de", {"country": "DE"}], ["b", None]]], [[None], [["de", {"country": "DE"}]]]],
        [[["A"], [["b", None]]], [["B"], [["b", None]]]],
        [[["new"], [["de", {"platform": "ios", "country": "DE"}], ["new", {"platform": "ios"}]]],
         [["old"], [["de", {"platform": "ios", "country": "DE"}], ["old", {"platform": "ios"}]]]],
        [[["new"], [["new", {"platform": "ios"}]]]],
    ], f"tests among rules: {found}")


def check_results(page):
    """Who leads is said, the winner is promoted, and that is undone."""
    page.show("#/links/127.0.0.1/ab?period=7d")
    page.wait_for("“B” leads by 1.5 points; too early to say (-0.2 to 3.2)")
    rows = page.browser.run("return [...document.querySelectorAll('[aria-labelledby=results-title] tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))")
    expect([row[:4] for row in rows] == [["B", "1,000", "50%", "45"], ["Rule 2", "100", "5%", "3"], ["No rule", "900", "45%", "27"]], f"results by rule: {rows}")
    expect(rows[0][4] == "4.5% (3.4% to 6.0%)", f"a rate has its interval: {rows[0]}")
    check_axe(page, "results")
    # With more clicks it is certain.
    page.browser.run("Object.assign(window.stubs, arguments[0])", rates((9000, 270), (10000, 510), (1000, 30)))
    page.show("#/links/127.0.0.1/ab?period=28d")
    page.wait_for("“B” is better (95%): by 2.1 points")
    page.press("Promote the winner")
    page.wait_for("Of 2,000 clicks in the last 7 days, 950 would have led elsewhere; of 50 that can’t be said.", "dialog")
    page.picture("promotion")
    page.press("Promote “B”", "dialog")
    page.wait_for("Promoted “B”", ".announcement")
    rules = service.call("GET", AB).get("rules")
    expect(rules == [RULES[1], {"name": "B", "when": {}, "to": "https://shop.example.com/b"}], f"the winner is for everyone: {rules}")
    page.press("Undo", ".announcement")
    page.wait_for("The test goes on", ".announcement")
    rules = service.call("GET", AB).get("rules")
    expect(rules == RULES, f"the test goes on: {rules}")
    # A server that does not know by which rule a conversion came.
    page.browser.run("window.stubs['GET /api/v1/conversions?by=rule'] = { status: 422, title: 'Some fields are not valid' }")
    page.show("#/links/127.0.0.1/ab?period=7d")
    page.wait_for("Rule results")
    expect("Conversion rate" not in page.text() and "not valid" not in page.text(), "results without conversions")


def check_names(page):
    """Names of rules are checked as they are typed, and saved."""
    page.show("#/links/127.0.0.1/ab/edit")
    name = ".rule-card:nth-child(2) .rule-name"
    error = "return document.querySelector(arguments[0]).closest('.field').querySelector('.error').textContent"
    for typed, said in [("B", "Another rule"), ("12", "a letter too"), ("app/1", "meaning"), ("none", "meaning"), ("", ""), ("Germany", "")]:
        page.fill(name, typed)
        found = page.browser.run(error, name)
        expect(said in found and bool(said) == bool(found), f"the name “{typed}”: {found}")
    page.fill(name, "B")
    page.browser.run("document.querySelector('main form').requestSubmit()")
    expect("Another rule" in page.browser.run(error, name) and page.browser.url.endswith("/edit"), "a name that is taken is not sent")
    page.fill(name, "Germany")
    expect(page.browser.run(error, ".rule-card .rule-name") == "", "the other rule of that name is right again")
    page.browser.run("document.querySelector('main form').requestSubmit()")
    page.browser.wait(lambda: page.browser.url.endswith("/ab") and page.settled(), "saving the name")
    expect(service.call("GET", AB)["rules"][1]["name"] == "Germany", "the name is saved")
    expect("Germany" in page.text("#link-head table"), "the link's page has the name")


def main():
    service.call("POST", "/api/v1/links", {"app": "shop", "slug": "ab", "urls": {"web": "https://shop.example.com/a"}, "rules": RULES})
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
        page = Page(browser, service, sys.argv[3] if len(sys.argv) > 3 else None)
        page.stub(STUBS)
        page.sign_in()
        check_statistics(page)
        check_splits(page)
        check_results(page)
        check_names(page)
    if wrong:
        sys.exit(1)
    print("the screens are as they should be")


main()
