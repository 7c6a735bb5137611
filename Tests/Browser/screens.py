"""Screens of the dashboard whose data takes days to come about: usage: screens.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. Answers of some
calls are made up in the browser. With AXE, the file of axe-core, the screens are checked with it. Exit status 1 where something is wrong.
"""

import sys

from driving import Page, Service, check_axe, expect, wrong
from webdriver import Browser

service = Service(*sys.argv[1:3])
AB = "/api/v1/links/127.0.0.1/ab"
RULES = [{"name": "B", "when": {"percentage": 50}, "to": "https://shop.example.com/b"},
         {"when": {"country": "DE"}, "to": "https://shop.example.com/de"}]


def rates(a, b, germany=(0, 0)):
    """Reports by rule: clicks and conversions of those without a rule, of B, and of Germans."""
    counts = [(None, a), ("B", b), ("2", germany)]
    return {
        # Of very many rules a report sums up the last.
        "GET /api/v1/clicks?by=rule": {"series": [{"by": {"rule": [{"value": value, "people": clicks, "bots": 0} for value, (clicks, _) in counts] + [{"rest": True, "people": 0, "bots": 0}]}}]},
        "GET /api/v1/conversions?by=rule": {"groups": [{"value": value, "count": count, "sums": {}} for value, (_, count) in counts if count]},
    }


ENTRIES = [
    {"id": "3", "at": "2026-11-28T10:00:00Z", "by": {"via": "session", "person": {"id": "p1", "name": "Ana"}, "key": None},
     "action": "link.changed", "object": {"type": "link", "id": "127.0.0.1/ab"}, "app": "shop", "address": "public",
     "before": {"title": "Old", "tags": ["a"], "folder": None}, "after": {"title": "<b>New</b>", "tags": ["a"], "folder": "spring"}},
    {"id": "2", "at": "2026-11-28T09:00:00Z", "by": {"via": "key", "person": None, "key": {"id": "k1", "name": "environment"}},
     "action": "key.created", "object": {"type": "key", "id": "k2"}, "app": None, "address": "loopback",
     "before": None, "after": {f"field{number}": number for number in range(9)}},
    {"id": "1", "at": "2026-11-28T08:00:00Z", "by": {"via": "signIn", "person": None, "key": None}, "action": "session.refused",
     "object": {"type": "session", "id": None}, "app": None, "before": None, "after": None, "address": "private"},
]
STUBS = {
    "GET /api/v1/audit": {"entries": ENTRIES, "cursor": "next"},
    "GET /api/v1/folders": {"folders": [{"folder": "autumn", "links": 3}, {"folder": "spring/mail", "links": 1204}, {"folder": "spring/posters", "links": 2}]},
    "GET /api/v1/apps/shop/utm-templates": {"templates": [{"name": "Newsletter", "campaign": {"source": "newsletter", "medium": "email"}}]},
    "PUT /api/v1/apps/shop/utm-templates": {"templates": []},
    "PUT /api/v1/apps/shop/logo": {"status": 204},
    "DELETE /api/v1/apps/shop/logo": {"status": 204},
    "GET /api/v1/people": {"people": [{"id": "p1", "name": "Ana"}]},
    **rates((900, 27), (1000, 45), (100, 3)),
    f"POST {AB}:rehearse": {"clicks": 2000, "changed": 950, "undecidable": 50, "byOutcome": [], "why": ["changed shares"]},
}


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
    expect([row[:4] for row in rows] == [["B", "1,000", "50%", "45"], ["Rule 2", "100", "5%", "3"], ["No rule", "900", "45%", "27"], ["Others", "0", "0%", "0"]], f"results by rule: {rows}")
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


def check_audit(page):
    """Who changed what: filters, values before and after, older entries, a file; and a server that keeps none."""
    page.show("#/audit")
    page.wait_for("link.changed")
    cells = page.browser.run("return [...document.querySelectorAll('main table.cards > tbody > tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
    expect([cells[0][index] for index in (1, 3)] == ["Ana\nfrom the internet", "link 127.0.0.1/ab\nshop"], f"who and what: {cells[0]}")
    expect(cells[1][1] == "admin key\non the server itself" and cells[1][3] == "key k2" and cells[2][1].startswith("somebody who") and cells[2][4] == "–", f"entries of the server and of keys: {cells[1:]}")
    values = page.browser.run("return [...document.querySelectorAll('main .values')].map((table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText)))")
    expect(values[0] == [["Title", "Old", "<b>New</b>"], ["Folder", "–", "spring"]], f"only what changed, as text: {values[0]}")
    expect(len(values[1]) == 4, "of many fields a few are seen")
    page.press("Show all 9 fields")
    expect(len(page.browser.run("return [...document.querySelectorAll('main .values')].at(1).tBodies[0].rows")) == 9, "all fields are seen then")
    check_axe(page, "audit")
    page.fill("[name=person]", "p1")
    page.fill("[name=action]", "link.changed")
    page.fill("[name=from]", "2026-11-01")
    page.browser.wait(lambda: "from=2026-11-01" in page.latest("GET /api/v1/audit")["query"], "the filters")
    expect(page.latest("GET /api/v1/audit")["query"] == "?person=p1&action=link.changed&from=2026-11-01", f"the filters: {page.latest('GET /api/v1/audit')}")
    page.browser.wait(page.settled, "the entries")
    href = page.browser.run("return document.querySelector('a[download]').getAttribute('href')")
    expect(href == "/api/v1/audit?person=p1&action=link.changed&from=2026-11-01&format=jsonl", f"the file has the filters: {href}")
    page.press("Older entries")
    page.browser.wait(lambda: "cursor=next" in page.latest("GET /api/v1/audit")["query"], "older entries")
    page.browser.run("window.stubs['GET /api/v1/audit'] = { status: 404, title: 'Not found' }")
    page.show("#/audit")
    page.wait_for("This server keeps no audit log")
    expect("JSON Lines" not in page.text(), "nothing to download")
    page.show("#/links/127.0.0.1/ab")
    page.press("History: who changed this link")
    page.wait_for("In the audit log")
    page.browser.wait(lambda: "Rules" in page.text("details[open] .time-line"), "who changed this link")


def select_action(page, action, value=None):
    page.fill("[name=action]", action)
    if value is not None:
        page.fill("[name=value]", value)
    page.press("Apply", ".bulk")


def check_folders(page):
    """Folders are a tree with counts, filter the list, and links are moved into them."""
    page.show("#/links")
    page.press("More filters")
    page.browser.wait(lambda: page.browser.run("return !!document.querySelector('select[name=folder]')"), "the folders")
    options = page.browser.run("return [...document.querySelector('select[name=folder]').options].map((one) => [one.value, one.text])")
    expect(options[1:] == [["autumn", "autumn (3)"], ["spring", "spring (1,206)"], ["spring/mail", "\u2003mail (1,204)"], ["spring/posters", "\u2003posters (2)"]],
           f"folders are a tree: {options}")
    page.browser.run("window.stubs['GET /api/v1/links'] = { links: [], cursor: null, total: 0 }")
    page.fill("select[name=folder]", "spring")
    page.browser.wait(lambda: "folder=spring" in page.latest("GET /api/v1/links")["query"], "the filter")
    page.wait_for("Folder: spring", ".chips")
    page.browser.run("delete window.stubs['GET /api/v1/links']")
    page.press("More filters")


def check_undo(page):
    """A change of many links is taken back, and only where it changed something."""
    for slug, tags, folder in [("one", ["kept"], "old"), ("two", [], None), ("three", ["both"], None)]:
        service.call("POST", "/api/v1/links", {"app": "shop", "slug": "undo-" + slug, "urls": {"web": "https://shop.example.com/"}, "tags": ["undo", *tags],
                                               **({"folder": folder} if folder else {}), "disabled": slug == "three"})
    state = lambda: sorted((link["slug"], link["disabled"], sorted(link["tags"]), link["folder"]) for link in service.call("GET", "/api/v1/links?tag=undo")["links"])
    before = state()
    for action, value, question, holds in [
            ("disable", None, "Disable 3 links?", lambda link: link[1]), ("enable", None, "Enable 3 links?", lambda link: not link[1]),
            ("addTags", "both, kept", "Add the tag “both”, “kept” to 3 links?", lambda link: {"both", "kept"} <= set(link[2])),
            ("removeTags", "kept", "Remove the tag “kept” from 3 links?", lambda link: "kept" not in link[2]),
            ("folder", " new / mail ", "Move 3 links to the folder “new/mail”?", lambda link: link[3] == "new/mail"),
            ("folder", "", "Take 3 links out of folders?", lambda link: link[3] is None)]:
        for everything in [False, True]:
            page.show("#/links")
            page.show("#/links?tag=undo")
            page.browser.run("document.querySelector('thead .mark').click()")
            if everything:
                page.browser.run("document.querySelector('tbody .mark').click()")
                page.press("Select all 3 links that match")
            select_action(page, action, value)
            page.wait_for(question, "dialog")
            page.browser.click("dialog form button:not([type])")
            page.wait_for("Changed ", ".announcement")
            expect(all(map(holds, state())), f"{action}: {state()}")
            page.press("Undo", ".announcement")
            page.wait_for("The change is undone", ".announcement")
            expect(state() == before, f"{action} is undone: {state()}")


def check_password(page):
    """A password is set, replaced and removed, and stands neither in the draft nor in the command."""
    page.show("#/new")
    page.fill('[name="urls.web"]', "https://shop.example.com/secret")
    page.press("Limits")
    page.browser.wait(lambda: page.browser.run("return !!document.querySelector('[name=password]')"), "the field for a password")
    page.fill("[name=password]", "open sesame")
    expect("sesame" not in page.browser.run("return document.querySelector('main').innerText + JSON.stringify({...sessionStorage})"), "the password is not shown or kept")
    link = {**service.call("GET", AB), "slug": "secret", "hasPassword": True}
    page.browser.run("Object.assign(window.stubs, arguments[0])", {
        "POST /api/v1/links": link, "GET /api/v1/links/127.0.0.1/secret": link, "PATCH /api/v1/links/127.0.0.1/secret": link})
    page.press("Create link")
    page.wait_for("Visitors are asked for it", "#link-head")
    expect(page.latest("POST /api/v1/links")["body"]["password"] == "open sesame", "the password is sent")
    page.show("#/links/127.0.0.1/secret/edit")
    page.wait_for("Remove the password")
    page.browser.run("document.querySelector('[name=dropPassword]').click()")
    page.press("Save")
    page.wait_for("Visitors are asked for it", "#link-head")
    expect(page.latest("PATCH /api/v1/links/127.0.0.1/secret")["body"] == {"password": None}, "the password is removed")


def check_templates(page):
    """Templates of the application fill campaigns in; the form saves new ones, and the application's page has them all."""
    page.show("#/new")
    page.press("Campaign (UTM)")
    choice = "[...document.querySelectorAll('main form select')].find((one) => one.textContent.includes('Newsletter'))"
    page.browser.wait(lambda: page.browser.run(f"return !!{choice}"), "the templates")
    page.browser.run(f"const template = {choice}; template.value = 'Newsletter'; template.dispatchEvent(new Event('change'))")
    expect(page.browser.run("return document.querySelector('[name=\"campaign.medium\"]').value") == "email", "a template fills the campaign in")
    page.fill('[name="campaign.name"]', "spring")
    page.press("Save as template")
    put = "PUT /api/v1/apps/shop/utm-templates"
    page.browser.wait(lambda: page.asked(put), "saving a template")
    expect(page.latest(put)["body"]["templates"][1] == {"name": "newsletter / email / spring", "campaign": {"source": "newsletter", "medium": "email", "name": "spring"}},
           f"the template is the application's: {page.asked(put)}")
    page.show("#/applications/shop")
    page.press("Campaign templates (UTM)")
    page.press("Add a campaign template")
    page.press("Save", "details.fold:has(.utm-template)")
    page.wait_for("Enter a value for “Name”.")
    field = ".utm-template:nth-child(2) [name$='.%s']"
    page.fill(field % "label", "Newsletter")
    page.press("Save", "details.fold:has(.utm-template)")
    page.wait_for("Two templates have the name “Newsletter”")
    check_axe(page, "utm-templates")
    page.fill(field % "label", "Poster")
    page.fill(field % "source", "poster")
    page.press("Save", "details.fold:has(.utm-template)")
    page.wait_for("Saved the campaign templates", ".announcement")
    expect(page.latest(put)["body"]["templates"][1:] == [{"name": "Poster", "campaign": {"source": "poster"}}], f"a new template: {page.latest(put)}")


def check_logo(page):
    """A logo is chosen, checked and removed, with a code as it is then."""
    page.show("#/links")
    page.show("#/applications/shop")
    page.browser.wait(lambda: page.browser.run("return !!document.querySelector('.logo-fields img.code-preview[src^=\"data:image/svg\"]')"), "the preview of a code")
    choose = """const data = new DataTransfer();
        data.items.add(new File(["x".repeat(arguments[1])], "logo", { type: arguments[0] }));
        const control = document.querySelector('.logo-fields [type=file]');
        control.files = data.files;
        control.dispatchEvent(new Event('change', { bubbles: true }));"""
    for kind, size in [("image/jpeg", 10), ("image/png", 64 * 1024 + 1)]:
        page.browser.run(choose, kind, size)
        page.wait_for("Choose a PNG or SVG file", ".logo-fields")
    page.browser.run(choose, "image/png", 64 * 1024)
    page.wait_for("Saved the logo", ".announcement")
    expect([sent["bytes"] for sent in page.asked("PUT /api/v1/apps/shop/logo")] == [64 * 1024], "the file is sent as it is")
    page.press("Remove the logo")
    page.wait_for("Removed the logo", ".announcement")
    expect(page.asked("DELETE /api/v1/apps/shop/logo"), "the logo is removed")


def check_import_words(page):
    """What an import says in words of the command line is shown in words of the form."""
    page.browser.run("window.stubs['GET /api/v1/imports/wrong'] = arguments[0]", {
        "id": "wrong", "source": "csv", "app": "shop", "state": "failed", "dryRun": True, "counts": {}, "fileBytes": 0,
        "error": "no column is the destination; name it with --map COLUMN=FIELD", "notes": []})
    page.show("#/import/wrong")
    page.wait_for("no column is the destination; assign it under “Columns of the file”")


def check_older_server(page):
    """A server that lacks all that is asked once for each, and nothing is shown of it."""
    page.show("#/keys")
    page.browser.run("location.reload()")
    page.browser.wait(page.settled, "loading again")
    gone = {"status": 404, "title": "There is nothing here"}
    page.browser.run("Object.assign(window.stubs, arguments[0])", {"GET /api/v1/folders": gone, "GET /api/v1/apps/shop/utm-templates": gone})
    page.show("#/applications/shop")
    expect("Campaign templates" not in page.text() and "Logo in QR" not in page.text(), "an application without templates and logos")
    page.show("#/new")
    page.press("Campaign (UTM)")
    page.press("Limits")
    page.show("#/links")
    page.press("More filters")
    page.browser.wait(lambda: page.browser.run("return !!document.querySelector('[name=createdFrom]')"), "the other filters")
    page.show("#/keys")
    page.show("#/links")
    asked = [sent["name"] for sent in page.browser.run("return window.asked")]
    expect(asked.count("GET /api/v1/folders") == 1 and asked.count("GET /api/v1/apps/shop/utm-templates") == 1, f"each is asked for once: {asked}")
    expect("There is nothing here" not in page.text("body"), "no error is shown")


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
        check_audit(page)
        check_folders(page)
        check_undo(page)
        check_password(page)
        check_templates(page)
        check_logo(page)
        check_import_words(page)
        check_older_server(page)
    if wrong:
        sys.exit(1)
    print("the screens are as they should be")


main()
