"""Checks of links, their history and planned changes in the dashboard: usage: proof.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. What takes days to
come about is made up in the browser. With AXE, the file of axe-core, the screens are checked with it. Exit status 1 where something is
wrong.
"""

import sys

from driving import Page, Service, check_axe, expect, wrong
from webdriver import Browser

service = Service(*sys.argv[1:3])
LINK = "/api/v1/links/127.0.0.1/poster"
HOSTILE = "<img src=x onerror=alert(1)> https://shop.example.com/" + "very-long-path/" * 12
GOOD = {"at": "2026-11-29T08:00:00Z", "state": "good", "findings": []}
BROKEN = {"at": "2026-11-29T07:00:00Z", "state": "broken", "findings": [
    {"as": who, "code": "http-status", "message": HOSTILE + " answered 404", "url": HOSTILE} for who in ("iphone", "inApp")]
    + [{"as": "all", "code": "of-tomorrow", "message": "something new"}]}
UNKNOWN = {"at": "2026-11-29T06:00:00Z", "state": "unknown", "findings": [{"as": "all", "code": "robots", "message": "robots.txt forbids /x"}]}
RULE = {"name": "Germany", "when": {"country": "DE"}, "to": "https://shop.example.com/de"}
CHANGES = [
    {"version": 4, "at": "2026-11-20T10:00:00Z", "by": {"id": "k", "name": "Ana"}, "fields": ["urls", "rules", "metadata"],
     "before": {"urls": {"web": "https://shop.example.com/may"}}, "after": {"urls": {"web": "https://shop.example.com/now"}, "rules": [RULE]}},
    {"version": 3, "at": "2026-05-10T10:00:00Z", "by": {"id": "k", "name": "Bo"}, "fields": ["title", "expiresAt"],
     "before": {"title": HOSTILE}, "after": {"title": "May", "expiresAt": "2027-01-01T00:00:00Z"}},
    {"version": 2, "at": "2026-04-10T10:00:00Z", "by": None, "fields": ["note"], "before": None, "after": None},
]
FIRST = {"version": 1, "at": "2026-04-01T10:00:00Z", "by": None, "fields": [], "before": None, "after": {"urls": {"web": "https://shop.example.com/"}}}


def links(state, verified):
    """Stubs of the list for one state: what the page of checks and the overview ask for."""
    link = {**service.call("GET", LINK), "verified": verified}
    path = "GET /api/v1/links?verified=" + state
    answer = {"links": [link], "cursor": None, "total": 1, "totalIsLowerBound": False}
    return {path + end: answer for end in ("&limit=100&count=true", "&limit=1&count=true", "&count=true")}


def check_verification(page):
    """The page of checks has counts and what is broken, by kind; a server without checks says how to turn them on."""
    page.show("#/verification")
    page.wait_for("The destination answers with an error. Correct the address, or bring the page back. (1)")
    totals = page.browser.run("return [...document.querySelectorAll('.totals > div')].map((one) => one.innerText.split('\\n'))")
    expect([one[1] for one in totals[:3]] == ["1", "1", "1"], f"counts by state: {totals}")
    expect("robots.txt does not allow checks" in page.text(), "why the others are unclear")
    expect(not page.browser.run("return document.querySelector('main img')"), "values are text")
    check_axe(page, "verification")
    page.press("1", ".totals")
    page.wait_for("Link check: Broken", ".chips")
    page.wait_for("Broken", ".list tbody")
    check_axe(page, "broken-links")
    page.press("Remove the filter Link check: Broken", ".chips")
    page.browser.wait(lambda: "verified" not in page.browser.url, "the filter goes")
    page.fill("[name=add-filter]", "")
    page.browser.run("document.querySelector('[name=add-filter]').focus()")
    options = "return [...document.querySelectorAll('#known-filters option')].map((one) => one.value)"
    page.browser.wait(lambda: "Link check: Broken" in page.browser.run(options), "the suggestion")
    page.show("#/overview")
    page.wait_for("1 link is broken")
    page.press("1 link is broken")
    page.wait_for("Link check: Broken", ".chips")
    nothing = {"links": [], "cursor": None, "total": 0}
    page.browser.run("for (const name of Object.keys(window.stubs)) if (name.includes('verified=')) window.stubs[name] = arguments[0]", nothing)
    page.show("#/verification")
    page.wait_for("No link has been checked yet")
    expect('"every": "24h"' in page.text(), "how to turn checks on")


def check_link(page):
    """What was found is on the link's page, and it is checked again."""
    stored = service.call("GET", LINK)
    page.browser.run("Object.assign(window.stubs, arguments[0])", {f"GET {LINK}": {**stored, "verified": BROKEN}})
    page.show("#/links/127.0.0.1/poster")
    page.wait_for("Affected: iPhone, in-app browsers")
    expect("of-tomorrow" in page.text(".findings") and "something new" in page.text(".findings"), "findings of later versions are shown")
    expect(not page.browser.run("return document.querySelector('.findings img')"), "findings are text")
    page.press("Check now")
    page.wait_for("Checked: Works", ".announcement")
    page.wait_for("Works", ".verified")
    expect(page.browser.run("return document.activeElement.textContent") == "Check now", "the focus stays")
    page.browser.run("window.stubs[arguments[0]] = { status: 503, title: 'Overloaded' }", f"POST {LINK}:verify")
    page.press("Check now")
    page.wait_for("Overloaded", ".verified")


def check_history(page):
    """The time line has values in words, and restores a version after a preview."""
    page.press("History: who changed this link")
    page.wait_for("Version 4", ".time-line")
    text = page.text(".time-line")
    for part in ["Germany", "Country: Germany", "https://shop.example.com/may", "Changed without showing values: App payload (JSON).", "<img src=x"]:
        expect(part in text, f"the time line has {part}: {text}")
    expect("Its values were not stored then." in text, "an early change has no values")
    page.press("Older versions")
    page.wait_for("Version 1", ".time-line")
    expect(page.browser.run("return document.querySelectorAll('.time-line > li').length") == 4, "older versions are added")
    check_axe(page, "history")
    page.press("Version 3: Restore this version")
    page.wait_for("Restore version 3?", "dialog")
    text = page.text("dialog")
    expect("https://shop.example.com/now" in text and "https://shop.example.com/may" in text and "payload" not in text.split("Payload")[0], f"the preview: {text}")
    page.picture("restore")
    page.browser.run("window.stubs[arguments[0]] = { status: 409, type: 'urn:waymark:slug-taken', title: 'Taken' }", f"POST {LINK}:restore")
    page.press("Restore this version", "dialog")
    page.wait_for("The slug is taken", "dialog")
    page.browser.run("window.stubs[arguments[0]] = arguments[1]", f"POST {LINK}:restore", service.call("GET", LINK))
    page.press("Restore this version", "dialog")
    page.wait_for("Restored version 3", ".announcement")
    expect(page.latest(f"POST {LINK}:restore")["body"] == {"version": 3}, "the version is sent")
    page.wait_for("Version 4", ".time-line")
    page.press("Older versions")
    page.press("Version 1: Restore this version")
    page.wait_for("can’t be shown", "dialog")
    page.press("Cancel", "dialog")


def check_moment(page):
    """Who went where at a moment, from the time line and from the field; the moment is in the address."""
    sent = lambda: (page.latest("POST /api/v1/explain")["body"] or {}).get("at")
    page.browser.run("window.stubs['POST /api/v1/explain'] = arguments[0]", {
        "link": None, "visitor": {"platform": "ios", "device": "phone", "browser": None, "bot": None, "why": []}, "association": None, "outcome": "redirect",
        "candidates": [{"source": "link.urls.web", "url": "https://shop.example.com/may", "taken": True, "why": "x"}],
        "response": {"status": 302, "headers": {}}, "click": {"counted": False, "why": "x"}})
    page.press("Version 3: Who went where then")
    page.browser.wait(lambda: sent() == "2026-05-10T10:00:00Z", "the moment of the version")
    page.wait_for("https://shop.example.com/may", "[aria-labelledby=explain-title]")
    expect("at=2026-05-10" in page.browser.url, f"the moment is in the address: {page.browser.url}")
    page.press("Show now")
    page.browser.wait(lambda: sent() is None and "at=" not in page.browser.url, "now")
    page.browser.run("window.stubs['POST /api/v1/explain'] = arguments[0]", {
        "status": 422, "title": "Invalid", "errors": [{"field": "at", "problem": "is before the link was created"}]})
    page.fill("[name=asOf]", "2020-01-01T00:00")
    page.wait_for("is before the link was created", "[aria-labelledby=explain-title]")
    check_axe(page, "as-of")


def check_plans(page):
    """What assistants have planned is text; a key confirms nothing."""
    plan = {"hash": "h" * 43, "links": 1204, "apps": ["shop"], "plannedBy": HOSTILE, "plannedAt": "2026-11-29T08:00:00Z",
            "expiresAt": "2026-11-29T09:00:00Z", "confirmedBy": None, "rehearsal": {"days": 7, "clicks": 2000, "changed": 950, "undecidable": 50},
            "change": '{"select":{"tag":"spring"},"urls":{"web":"<img src=x>"},"a":1,"b":2,"c":3}'}
    page.browser.run("window.stubs['GET /api/v1/changes'] = arguments[0]", {"changes": [plan, {**plan, "change": "{", "rehearsal": None, "confirmedBy": "Ana"}]})
    page.show("#/changes")
    page.wait_for("Of 2,000 clicks, 950 would have led elsewhere; of 50 that can’t be said. Days: 7")
    text = page.text()
    for part in ["1,204", "Selected links", '{"tag":"spring"}', "Confirmed by Ana", "Not tried", "Only people confirm changes"]:
        expect(part in text, f"planned changes have {part}: {text}")
    expect(not page.browser.run("return document.querySelector('main img, main td button:not(.quiet)')"), "values are text, and a key has no button")
    expect(page.browser.run("return document.documentElement.scrollWidth <= innerWidth"), "a long name makes the page wide")
    check_axe(page, "planned-changes")
    page.picture("planned-changes")


def main():
    service.call("POST", "/api/v1/links", {"app": "shop", "slug": "poster", "urls": {"web": "https://shop.example.com/now"}})
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
        page = Page(browser, service, sys.argv[3] if len(sys.argv) > 3 else None)
        page.stub({
            **links("good", GOOD), **links("broken", BROKEN), **links("unknown", UNKNOWN),
            f"GET {LINK}/history": {"changes": CHANGES, "cursor": "next"},
            f"GET {LINK}/history?cursor=next": {"changes": [FIRST], "cursor": None},
            f"POST {LINK}:verify": {"verified": GOOD},
        })
        page.sign_in()
        check_verification(page)
        check_link(page)
        check_history(page)
        check_moment(page)
        check_plans(page)
    if wrong:
        sys.exit(1)
    print("checks and history are as they should be")


main()
