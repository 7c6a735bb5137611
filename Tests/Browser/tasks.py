"""What marketers do with the dashboard, with a real pointer and keys: usage: tasks.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. Each task begins at
the first page, at 1,280 and at 390 pixels. Exit status 1 where one can't be done, or takes more clicks or fields than COUNTS says.
"""

import json
import sys
import tempfile
import urllib.error
import urllib.request

from driving import Page, Service, Stay, expect, wrong
from webdriver import ELEMENT, Browser

service = Service(*sys.argv[1:3])
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.0 Mobile/15E148 Safari/604.1")
# Clicks at 1,280 pixels, clicks at 390 pixels, where the menu is folded, and fields that are typed into. A choice from a list is two
# clicks. A task may take fewer: then its line is out of date.
COUNTS = {
    "a campaign link with UTM and a picture": (4, 5, 7),
    "a link found by its address": (1, 2, 1),
    "a test of two pages, half and half": (4, 5, 5),
    "who won": (2, 3, 0),
    "the winner promoted": (4, 5, 0),
    "200 links switched off": (8, 9, 0),
    "an import with errors": (5, 6, 0),
    "a report for the boss": (3, 3, 0),
    "the same by a link": (5, 5, 0),
    "a colleague who may only read": (4, 5, 1),
    "who changed a link": (3, 4, 1),
    "a link for an address that people ask for": (2, 2, 1),
    "where a printed code led in May": (2, 3, 1),
}


class Hand:
    """Clicks and types, and counts."""

    def __init__(self, page, width):
        self.page, self.browser, self.width = page, page.browser, width
        self.clicks = self.fields = 0

    def element(self, script, *arguments):
        what = f"{arguments} at {self.width} pixels"
        self.browser.wait(lambda: self.browser.run(script, *arguments), what)
        return self.browser.run(script, *arguments)[ELEMENT]

    def click(self, element):
        self.browser.run("arguments[0].scrollIntoView({ block: 'center' })", {ELEMENT: element})
        self.browser.call("POST", f"/element/{element}/click", {})
        self.clicks += 1

    def press(self, label, within="body"):
        """The button, link or fold with this text or label that is seen first."""
        self.click(self.element("""return [...document.querySelectorAll(arguments[1] + ' :is(button, a, summary, input[type=checkbox])')]
            .filter((one) => one.checkVisibility() && one.getClientRects().length)
            .find((one) => [one.innerText.trim(), one.ariaLabel, one.title].includes(arguments[0]));""", label, within))

    def menu(self, label):
        if self.width < 1000:
            self.press("Menu")
        self.press(label, "header nav")
        self.browser.wait(self.page.settled, label)

    def control(self, label):
        return self.element("""const found = [...document.querySelectorAll('label')].filter((one) => one.checkVisibility())
            .find((one) => (one.firstChild?.textContent ?? '').trim() === arguments[0] || one.textContent.trim() === arguments[0]);
            return found && (found.control ?? found.querySelector('select, input'));""", label)

    def type(self, label, text):
        """Goes to a field, by a click or the tabulator, and types."""
        element = self.control(label)
        self.browser.call("POST", f"/element/{element}/clear", {})
        self.browser.call("POST", f"/element/{element}/value", {"text": text})
        self.fields += 1

    def choose(self, label, option):
        element = self.control(label)
        value = self.browser.run("return [...arguments[0].options].find((one) => one.text === arguments[1] || one.text.startsWith(arguments[1])).value",
                                 {ELEMENT: element}, option)
        self.browser.run("""arguments[0].value = arguments[1];
            for (const type of ['input', 'change']) arguments[0].dispatchEvent(new Event(type, { bubbles: true }));""", {ELEMENT: element}, value)
        self.clicks += 2


def link(slug, **more):
    return service.call("POST", "/api/v1/links", {"app": "shop", "slug": slug, "urls": {"web": f"https://shop.example.com/{slug}"}, **more})


def campaign_link(hand, page):
    start(hand)
    hand.menu("Links")
    hand.press("New link")
    hand.type("Destination", "shop.example.com/spring")
    hand.press("Campaign (UTM)")
    for part, text in [("utm_source", "newsletter"), ("utm_medium", "email"), ("utm_campaign", "spring")]:
        hand.type(part, text)
    hand.press("Social card")
    for part, text in [("Card title", "Spring"), ("Card description", "Everything new"), ("Card image URL", "cdn.example.com/spring.png")]:
        hand.type(part, text)
    hand.browser.press("Enter")
    page.wait_for("Created and copied", ".announcement")
    made = service.call("GET", "/api/v1/links?sort=-createdAt&limit=1")["links"][0]
    expect(made["campaign"]["source"] == "newsletter" and made["social"]["imageURL"] == "https://cdn.example.com/spring.png", f"the link has all: {made}")


def found_link(hand, page):
    link(f"summer-sale-{hand.width}", title="Summer sale")
    start(hand)
    hand.menu("Links")
    hand.type("Search", f"https://127.0.0.1/summer-sale-{hand.width}?utm_source=mail")
    hand.browser.wait(lambda: hand.browser.run("return document.querySelectorAll('.row-link').length") == 1 and page.settled(), "one link")
    expect("summer-sale" in page.text(".row-link"), "it is the link")


def test_of_two(hand, page):
    start(hand)
    hand.menu("Links")
    hand.press("New link")
    hand.type("Destination", "shop.example.com/old")
    hand.press("Rules")
    hand.press("Add a rule")
    hand.type("Leads to", "shop.example.com/new")
    hand.type("Share of visitors in percent", "50")
    hand.type("Name", "new page")
    hand.type("Slug", f"two-{hand.width}")
    hand.browser.press("Enter")
    page.wait_for("new page", "#link-head")
    rules = service.call("GET", f"/api/v1/links/127.0.0.1/two-{hand.width}")["rules"]
    expect(rules == [{"name": "new page", "when": {"percentage": 50}, "to": "https://shop.example.com/new"}], f"the test is made: {rules}")


def won(hand, page):
    start(hand)
    hand.menu("Links")
    hand.press(f"https://127.0.0.1/two-{hand.width}")
    page.wait_for("“new page” is better (95%)")


def promotion(hand, page):
    start(hand)
    hand.menu("Links")
    hand.press(f"https://127.0.0.1/two-{hand.width}")
    hand.press("Promote the winner")
    hand.press("Promote “new page”", "dialog")
    page.wait_for("Promoted “new page”", ".announcement")
    rules = service.call("GET", f"/api/v1/links/127.0.0.1/two-{hand.width}")["rules"]
    expect("percentage" not in json.dumps(rules), f"the test has ended: {rules}")


def switched_off(hand, page):
    links = [{"app": "shop", "tags": [f"bf-{hand.width}"], "urls": {"web": "https://shop.example.com/"}} for _ in range(200)]
    service.call("POST", "/api/v1/links:batch", links)
    start(hand)
    hand.menu("Links")
    hand.press(f"bf-{hand.width}")
    hand.browser.wait(lambda: page.settled() and "tag=bf" in hand.browser.url, "the filter")
    hand.press("Select all on this page")
    hand.press("Select all 200 links that match")
    hand.choose("Action", "Disable")
    hand.press("Apply")
    hand.press("Disable", "dialog")
    page.wait_for("Changed 200 links", ".announcement")
    left = service.call("GET", f"/api/v1/links?tag=bf-{hand.width}&state=active")["links"]
    expect(left == [], "all are off")


def imported(hand, page):
    start(hand)
    hand.menu("Import")
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("slug,urls.web,title\n" + f"imported-{hand.width},https://shop.example.com/a,Good\nbad-{hand.width},javascript:alert(1),Bad\n")
        file.flush()
        element = hand.control("Files")
        hand.browser.call("POST", f"/element/{element}/value", {"text": file.name})
        hand.clicks += 2
        hand.press("Check without importing")
        page.wait_for(f"bad-{hand.width}", seconds=30)
        hand.press("Import now")
        hand.browser.wait(lambda: service.call("GET", f"/api/v1/links?search=imported-{hand.width}")["links"], "the import", 30)
    page.wait_for("Refused", seconds=30)


def report(hand, page):
    start(hand)
    hand.browser.run("window.made = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.made.push(blob); return make(blob); }")
    hand.choose("Period", "7 days")
    hand.browser.wait(lambda: "period=7d" in hand.browser.url and page.settled(), "the period")
    hand.press("CSV")
    hand.browser.wait(lambda: hand.browser.run("return window.made.length"), "the file")


def shared_report(hand, page):
    start(hand)
    hand.choose("Period", "7 days")
    hand.browser.wait(lambda: "period=7d" in hand.browser.url and page.settled(), "the period")
    hand.press("Share…")
    hand.press("Make link", "dialog")
    hand.press("Copy", "dialog")
    shared = service.call("GET", "/api/v1/reports")["reports"][0]
    expect("from=" in shared["query"] and "to=" in shared["query"], f"it is of these dates: {shared}")
    link = hand.browser.run("return document.querySelector('dialog .secret').textContent")
    # Readers have no session, and see nothing else.
    hand.browser.call("DELETE", "/cookie")
    hand.browser.open("about:blank")
    hand.browser.open(link)
    page.wait_for("Clicks")
    expect(page.text("h1") == "Overview" and not page.text("header"), f"a reader sees {page.text()[:200]}")
    expect(not hand.browser.run("return document.querySelectorAll('main a').length"), "nothing leads on")
    service.call("DELETE", f"/api/v1/reports/{shared['id']}")
    hand.browser.open("about:blank")
    hand.browser.open(link)
    page.wait_for("no longer shared")
    page.sign_in()


def invited(hand, page):
    start(hand)
    hand.menu("People")
    hand.press("Invite a person")
    hand.type("Name", f"Ana {hand.width}")
    hand.press("Invite a person", "form")
    page.wait_for("#invitation=")
    hand.press("Copy")
    page.wait_for("Copied", ".announcement")
    people = service.call("GET", "/api/v1/people")["people"]
    ana = next(person for person in people if person["name"] == f"Ana {hand.width}")
    expect(ana["memberships"] == [{"app": None, "role": "viewer"}], f"she may read: {ana}")


def changed_link(hand, page):
    slug = f"changed-{hand.width}"
    link(slug)
    key = service.call("POST", "/api/v1/keys", {"name": "Bo", "scopes": ["links"]})["key"]
    Service(service.address, key).call("PATCH", f"/api/v1/links/127.0.0.1/{slug}", {"title": "New"})
    start(hand)
    hand.menu("Links")
    hand.type("Search", slug)
    hand.browser.wait(lambda: hand.browser.run("return document.querySelectorAll('.row-link').length") == 1 and page.settled(), "one link")
    hand.press(f"https://127.0.0.1/{slug}")
    hand.press("History: who changed this link")
    page.wait_for("Bo")
    expect("Title" in page.text(".time-line"), "what was changed")


def unknown_address(hand, page):
    path = f"asked-for-{hand.width}"
    for _ in range(3):
        request = urllib.request.Request(f"{service.address}/{path}", headers={"User-Agent": IPHONE})
        try:
            urllib.request.urlopen(request)
        except urllib.error.HTTPError:
            pass
    hand.browser.wait(lambda: path in json.dumps(service.call("GET", "/api/v1/clicks?interval=total&top=unknown")), "the counted visit", 30)
    start(hand)
    hand.press(f"Create a link at 127.0.0.1/{path}")
    hand.type("Destination", "shop.example.com/asked")
    hand.press("Create link")
    page.wait_for("Created and copied", ".announcement")
    expect(service.call("GET", f"/api/v1/links/127.0.0.1/{path}")["urls"]["web"] == "https://shop.example.com/asked", "the link is there")


def led_in_may(hand, page):
    link(f"poster-{hand.width}")
    start(hand)
    hand.menu("Links")
    hand.press(f"https://127.0.0.1/poster-{hand.width}")
    hand.control("As of")
    may = {"link": None, "visitor": {"platform": "ios", "bot": None, "why": []}, "association": None, "outcome": "redirect",
           "candidates": [{"source": "link.urls.web", "url": "https://shop.example.com/may", "taken": True, "why": "it is the web URL"}],
           "response": {"status": 302, "headers": {}}, "click": {"counted": False, "why": "it was explained"}}
    hand.browser.run("window.stubs['POST /api/v1/explain'] = arguments[0]", may)
    # What a date picker makes of keys depends on the locale.
    page.fill("[name=asOf]", "2026-05-15T12:00")
    hand.fields += 1
    page.wait_for("https://shop.example.com/may", "[aria-labelledby=explain-title]")
    expect(page.latest("POST /api/v1/explain")["body"]["at"].startswith("2026-05-15T"), "the moment is asked for")


def start(hand):
    """The first page, as after the sign-in."""
    hand.browser.open("about:blank")
    hand.browser.open(service.address + "/_/")
    hand.browser.wait(lambda: hand.page.settled() and "Overview" in hand.page.text("h1"), "the first page")
    hand.clicks = hand.fields = 0


TASKS = dict(zip(COUNTS, [campaign_link, found_link, test_of_two, won, promotion, switched_off, imported, report, shared_report, invited, changed_link, unknown_address, led_in_may]))


def main():
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        browser.cdp("Browser.grantPermissions", origin=service.address, permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        page = Page(browser, service, sys.argv[3] if len(sys.argv) > 3 else None)
        page.sign_in()
        browser.run("localStorage.setItem('waymark-application', 'shop')")
        link("visited")
        for _ in range(5):
            urllib.request.build_opener(Stay).open(urllib.request.Request(f"{service.address}/visited", headers={"User-Agent": IPHONE}))
        # Conversions by rule take days to come about.
        page.stub({
            "GET /api/v1/clicks?by=rule": {"series": [{"by": {"rule": [{"value": None, "people": 5000, "bots": 0}, {"value": "new page", "people": 5000, "bots": 0}]}}]},
            "GET /api/v1/conversions?by=rule": {"groups": [{"value": None, "count": 150, "sums": {}}, {"value": "new page", "count": 250, "sums": {}}]}})
        print(f"{'task':45} 1280  390 fields")
        taken = {}
        for width in [1280, 390]:
            browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            for name, task in TASKS.items():
                hand = Hand(page, width)
                try:
                    task(hand, page)
                except (AssertionError, RuntimeError) as error:
                    expect(False, f"{name}, {width} pixels: {error}")
                    page.picture(f"task-{task.__name__}-{width}")
                taken.setdefault(name, []).append((hand.clicks, hand.fields))
        for name, ((wide, fields), (narrow, narrow_fields)) in taken.items():
            print(f"{name:45} {wide:4} {narrow:4} {fields:6}")
            found, most = (wide, narrow, max(fields, narrow_fields)), COUNTS[name]
            expect(all(one <= other for one, other in zip(found, most)), f"{name} takes {found} clicks and fields, and not {most}")
            if found < most:
                print(f"  fewer than the {most} of COUNTS: write them down")
    if wrong:
        sys.exit(1)
    print("the tasks are done as they should be")


main()
