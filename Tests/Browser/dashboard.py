"""The dashboard in a real browser: usage: dashboard.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service with the application `shop`, KEY an admin key, FOLDER where the screenshots go. With
AXE, the file of axe-core, every page is checked with it. Exit status 1 where something is wrong.
"""

import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.request

from driving import Service, Stay, expect, wrong
from webdriver import Browser

SERVICE, KEY = sys.argv[1:3]
FOLDER = sys.argv[3] if len(sys.argv) > 3 else None
AXE = open(os.environ["AXE"]).read() if os.environ.get("AXE") else None
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/18.0 Mobile/15E148 Safari/604.1")
METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
call = Service(SERVICE, KEY).call


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes webhooks, and answers with `status`."""

    status = 204
    received = []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.received.append(self.headers["webhook-id"])
        self.send_response(Receiver.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def click_text(browser, label):
    """Clicks the button of the page that has this label."""
    browser.run("[...document.querySelectorAll('main button')].find((one) => one.textContent === arguments[0]).click()", label)


def text(browser, selector="main"):
    return browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def settled(browser):
    """Whether nothing is loading any more.

    The address changes before the page hears of it, so the question waits behind the event that tells it."""
    return browser.run_async(
        "await new Promise((next) => setTimeout(next));"
        "return !document.querySelector('[aria-busy]') && !!document.querySelector('main h1')") is True


def show(browser, address):
    browser.run("location.hash = arguments[0]", address)
    browser.wait(lambda: settled(browser), f"loading {address}")


def focus(browser):
    return browser.run("return document.activeElement.name || document.activeElement.id || document.activeElement.textContent")


def sign_in(browser, key):
    browser.open(SERVICE + "/_/")
    browser.wait(lambda: focus(browser) == "key", "the focus in the field for the key")
    browser.console()  # Asking for a session that is not there is a 401.
    browser.press(key, "Enter")
    browser.wait(lambda: "Sign out" in text(browser, "header") and settled(browser), "signing in")


def sign_out(browser):
    browser.run("[...document.querySelectorAll('header button')].at(-1).click()")
    browser.wait(lambda: focus(browser) == "key", "signing out")
    browser.console()


def check_wrong_key(browser):
    browser.open(SERVICE + "/_/")
    browser.wait(lambda: focus(browser) == "key", "the focus in the field for the key")
    browser.press("wm_nothing", "Enter")
    browser.wait(lambda: browser.run("return !!document.querySelector('[role=alert]')"), "the message about a wrong key")
    browser.console()


def check_link(browser):
    """A link of `waymark dashboard` asks, signs in once, and leaves no trace in the address or the history."""
    link = SERVICE + call("POST", "/_/session", {"key": KEY, "link": True})["link"]
    browser.open("about:blank")
    browser.open(link)
    browser.wait(lambda: "Sign in as “admin key” (all applications)?" in text(browser), "the question before signing in")
    browser.press("Enter")
    browser.wait(lambda: "Sign out" in text(browser, "header") and settled(browser), "signing in with the link")
    entries = browser.cdp("Page.getNavigationHistory")["entries"]
    expect(not any("sign-in" in entry["url"] for entry in entries), f"the token leaves the history: {entries}")
    # In a tab that is signed in: a session is not replaced without a question.
    key = call("POST", "/api/v1/keys", {"name": "Mallory", "scopes": ["read"], "app": "shop"})["key"]
    other = call("POST", "/_/session", {"key": key, "link": True})["link"]
    for answer, name in [("Cancel", "admin key"), ("Sign in", "Mallory")]:
        browser.run("location.hash = arguments[0]", other.partition("#")[2])
        browser.wait(lambda: "Sign in as “Mallory” (shop)?" in text(browser), "the question before replacing a session")
        click_text(browser, answer)
        browser.wait(lambda: name in text(browser, "header") and settled(browser), f"the session after {answer}")
    sign_out(browser)
    browser.open("about:blank")
    browser.open(link)
    browser.wait(lambda: "This link is used" in text(browser), "the message about a used link")
    expect("sign-in" not in browser.url, "the token of a used link leaves the address")
    browser.console()


def check_keyboard(browser):
    """Creates, finds, copies and disables a link without a pointer."""
    browser.press("c")
    browser.wait(lambda: focus(browser) == "urls.web", "the focus in the destination")
    browser.press("https://www.example.com/keyboard", "Enter")
    browser.wait(lambda: "/edit" not in browser.url and "#/links/" in browser.url and settled(browser), "creating a link")
    name = browser.url.split("#/links/", 1)[1]
    slug = name.split("/")[1]

    browser.press("/")
    browser.wait(lambda: focus(browser) == "search", "the focus in the search")
    browser.press("example.com/keyboard", "Escape")
    rows = "return [...document.querySelectorAll('.row-link')].map((one) => one.textContent)"
    browser.wait(lambda: browser.run(rows) == [name] and "search=example.com" in browser.url, "finding the link")
    browser.press("j")
    browser.wait(lambda: focus(browser) == name, "the focus on the row")
    browser.press("y")
    browser.wait(lambda: "Copied" in text(browser, ".announcement"), "copying the link")
    expect(browser.run_async("return await navigator.clipboard.readText()").endswith("/" + slug), "y copies the link")
    browser.press("Enter")
    browser.wait(lambda: browser.url.endswith("/" + slug) and settled(browser), "opening the link")
    browser.press("o")
    browser.wait(lambda: "Disabled" in text(browser), "disabling the link")
    expect(call("GET", f"/api/v1/links/{name}")["disabled"], "o disables the link")

    browser.press("#")
    browser.wait(lambda: browser.run("return document.querySelector('dialog[open]') !== null"), "the question")
    expect(focus(browser) == "Cancel", "the focus is on the harmless answer")
    browser.press("Escape")
    browser.wait(lambda: browser.run("return document.querySelector('dialog') === null"), "closing the dialog")
    browser.press("g", "k")
    browser.wait(lambda: browser.url.endswith("#/keys"), "going to the keys")


def check_errors(browser):
    show(browser, "#/new")
    browser.wait(lambda: focus(browser) == "urls.web", "the focus in the destination")
    browser.press("not a URL", "Enter")
    browser.wait(lambda: browser.run("return document.querySelector('[name=\"urls.web\"]').ariaInvalid") == "true", "the field's error")
    expect(focus(browser) == "urls.web", "the focus is on the field that is wrong")


def check_conflict(browser):
    link = call("POST", "/api/v1/links", {"app": "shop", "urls": {"web": "https://www.example.com/"}, "tags": ["one"]})
    show(browser, f"#/links/127.0.0.1/{link['slug']}/edit")
    browser.wait(lambda: focus(browser) == "urls.web", "the focus in the destination")
    path = f"/api/v1/links/127.0.0.1/{link['slug']}"
    call("PATCH", path, {"note": "Someone else's"})
    browser.press("End", "mine", "Enter")
    browser.wait(lambda: "Someone else changed" in text(browser), "the message about the conflict")
    expect(call("GET", path)["note"] == "Someone else's", "a conflict changes nothing")
    browser.run("document.querySelector('[role=alert] button.quiet').click()")
    browser.wait(lambda: not browser.url.endswith("/edit"), "saving over the conflict")
    saved = call("GET", path)
    expect(saved["note"] == "Someone else's" and "mine" in saved["urls"]["web"], "only changed fields are saved")


def check_keys(browser):
    show(browser, "#/keys")
    browser.press("c")
    browser.click("form button:not([type])")
    marked = browser.run("return [...new Set([...document.querySelectorAll('[aria-invalid]')].map((one) => one.name))]")
    expect(marked == ["name", "scopes"] and focus(browser) == "name", f"all that is missing is marked at once: {marked}")
    browser.press("Backup")
    browser.wait(lambda: browser.run("return document.querySelector('[name=name]').value") == "Backup", "the name of the key")
    browser.click("[name=scopes][value=read]")
    browser.click("form button:not([type])")
    browser.wait(lambda: browser.run("return document.querySelector('.secret') !== null") and settled(browser), "creating a key")
    secret = text(browser, ".secret")
    expect(secret.startswith("wm_"), "the new key is shown")
    show(browser, "#/applications")
    show(browser, "#/keys")
    expect(secret not in text(browser), "a key is shown once")
    browser.press("c", "Short")
    browser.click("[name=scopes][value=read]")
    browser.click("form button:not([type])")
    browser.wait(lambda: browser.run("return document.querySelector('.secret') !== null") and settled(browser), "creating a key")
    browser.click("[aria-label='Revoke Short']")
    browser.click("dialog .danger")
    browser.wait(lambda: not browser.run("return document.querySelector('.secret')"), "the secret of a revoked key goes")
    browser.click("[aria-label='Revoke Backup']")
    browser.click("dialog .danger")
    browser.wait(lambda: "Backup" not in text(browser, "main section"), "revoking the key")
    expect(all(key["name"] != "Backup" for key in call("GET", "/api/v1/keys")["keys"]), "the key is gone")


def make_webhook(browser, url):
    """The empty list, and a webhook with a delivery that failed."""
    show(browser, "#/webhooks")
    expect("No webhooks yet" in text(browser) and "curl" in text(browser, "main section pre"), "the empty list says how to begin")
    Receiver.status = 500
    webhook = call("POST", "/api/v1/webhooks", {"url": url, "events": ["link.*", "conversion.recorded"], "name": "Orders", "app": "shop"})
    call("POST", f"/api/v1/webhooks/{webhook['id']}:test", {})
    return "#/webhooks/" + webhook["id"]


def check_webhooks(browser, url):
    Receiver.status = 204
    show(browser, "#/webhooks")
    expect("Orders" in text(browser), "the webhook is listed")
    browser.press("c")
    browser.wait(lambda: focus(browser) == "url", "the focus in the URL")
    browser.press(url)
    browser.run("document.querySelector('[name=name]').value = 'Mail'; document.querySelector('[value=\"link.*\"]').click()")
    expect(browser.run("return document.querySelector('[value=\"link.created\"]').disabled"), "link.* includes the events of links")
    browser.click("form button:not([type])")
    browser.wait(lambda: browser.run("return document.querySelector('.secret') !== null") and settled(browser), "creating a webhook")
    secret = text(browser, ".secret")
    expect(secret.startswith("whsec_"), "the secret is shown")
    made = next(one for one in call("GET", "/api/v1/webhooks")["webhooks"] if one["name"] == "Mail")
    expect(made["events"] == ["link.*"], "the events are those that were chosen")
    show(browser, "#/webhooks/" + made["id"])
    expect(secret not in text(browser), "a secret is shown once")
    click_text(browser, "Send test event")
    deliveries = f"/api/v1/webhooks/{made['id']}/deliveries?state=delivered"
    browser.wait(lambda: call("GET", deliveries)["deliveries"] and settled(browser), "a delivery", 30)
    # The page is read again a second after the request, which on a busy machine may be too early.
    show(browser, "#/webhooks")
    show(browser, "#/webhooks/" + made["id"])
    expect("Delivered" in text(browser, "main table"), "the delivery is shown")
    click_text(browser, "Send again")
    browser.wait(lambda: len(Receiver.received) > 2, "the same delivery again", 30)
    click_text(browser, "New secret")
    browser.click("dialog .danger")
    browser.wait(lambda: browser.run("return document.querySelector('.secret') !== null"), "a new secret")
    expect(text(browser, ".secret") != secret, "the new secret is another one")
    click_text(browser, "Disable")
    browser.wait(lambda: "Disabled" in text(browser, ".facts"), "disabling the webhook")
    click_text(browser, "Delete")
    browser.click("dialog .danger")
    browser.wait(lambda: browser.url.endswith("#/webhooks") and settled(browser), "deleting the webhook")
    expect(len(call("GET", "/api/v1/webhooks")["webhooks"]) == 1, "the webhook is gone")


def check_application(browser):
    # Applications of the configuration's file can't be changed.
    path = "/api/v1/apps/outlet"
    document = call("PUT", path, {"name": "Outlet", "domains": ["outlet.example.com"]})
    show(browser, "#/applications/outlet?view=json")
    replace = "document.querySelector('textarea').value = arguments[0]; document.querySelector('form').requestSubmit()"
    browser.run(replace, json.dumps({**document, "name": 3}))
    browser.wait(lambda: "must be a string" in text(browser), "the field's error")
    browser.run(replace, json.dumps({**document, "name": "Summit"}))
    browser.wait(lambda: "Saved outlet" in text(browser, ".announcement"), "saving the application")
    call("PUT", path, document)
    browser.run(replace, json.dumps({**document, "name": "Late"}))
    browser.wait(lambda: "Someone else changed" in text(browser), "the message about the conflict")
    expect(call("GET", path)["name"] == document["name"], "a conflict changes nothing")


# What no field of the form shows, beside what some do.
RICH = {
    "name": "Ridge", "domains": ["ridge.example.com"], "schemes": ["ridge-beta"], "forwardQuery": False, "slugCase": "insensitive",
    "onExpired": "https://www.example.com/over",
    "ios": {"appIDs": ["ABCDE12345.com.example.ridge"], "urlScheme": "ridge", "webCredentials": ["ABCDE12345.com.example.ridge"]},
    "android": {"package": "com.example.ridge", "amazon": "com.example.ridge"}, "destinations": {"blockedHosts": ["bad.example.com"]},
    "templates": [
        {"name": "Product", "route": "products/:id", "urls": {
            "web": "https://www.example.com/:id", "ios": {"link": "ridge://products/:id", "fallback": "store"}, "windows": "https://www.example.com/w/:id"}},
        {"route": "search", "urls": {"web": "https://www.example.com/search"}}],
    "rules": [{"when": {"country": "DE"}, "to": "https://www.example.com/de"}]}


def fill(browser, name, value):
    browser.run("""const control = document.getElementsByName(arguments[0])[0];
        control.value = arguments[1];
        control.dispatchEvent(new Event("input", { bubbles: true }));""", name, value)


def check_application_form(browser):
    """The form of an application changes what was changed in it, and nothing else."""
    path = "/api/v1/apps/ridge"
    document = call("PUT", path, RICH)
    show(browser, "#/applications/ridge")
    expect(text(browser, "h1") == "Ridge", "the heading is the application's name")
    show(browser, "#/applications")
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.textContent)")
    expect(any(row.startswith("Ridge ridge") and "apple-app-site-association no errors" in row for row in rows), f"the list has names and checks: {rows}")
    show(browser, "#/applications/ridge")
    browser.wait(lambda: "no errors" in text(browser, "fieldset table"), "the state of each domain")
    submit = "document.querySelector('main form').requestSubmit()"
    saved = lambda: "Saved ridge" in text(browser, ".announcement") and settled(browser)
    browser.run(submit)
    browser.wait(saved, "saving the form")
    expect(call("GET", path) == document, "a form that was not changed changes nothing")
    browser.run("document.querySelector('.announcement').textContent = ''")
    fill(browser, "appearance.accentColor", "#ffd400")
    fill(browser, "domains", "https://ridge.example.com/ \n two.example.com")
    fill(browser, "ios.urlScheme", "")
    browser.run(submit)
    browser.wait(lambda: browser.run("return document.querySelector('[aria-invalid]')?.name") == "templates[0].urls.ios.link",
                 "the error in a template that is folded")
    fill(browser, "ios.urlScheme", "ridge")
    fill(browser, "onExpired", "")
    fill(browser, "onRoot", "https://www.example.com/")
    colors = browser.run("const { color, backgroundColor } = getComputedStyle(document.querySelector('.visitor .button')); return [color, backgroundColor]")
    expect(colors == ["rgb(0, 0, 0)", "rgb(255, 212, 0)"], f"the preview has the colour, and a text that is readable on it: {colors}")
    fill(browser, "templates[0].urls.web", "https://shop.example.com/:id")
    # What was changed in the form is in the document, and the other way round.
    browser.click("[href*='view=json']")
    draft = json.loads(browser.run("return document.querySelector('main textarea').value"))
    expect(draft["appearance"] == {"accentColor": "#ffd400"}, "the document has what was changed in the form")
    browser.run("document.querySelector('main textarea').value = arguments[0]", '{"templates": "none"}')
    browser.click(".periods a:not([aria-current])")
    expect("The form can’t show this document" in text(browser) and "view=json" in browser.url, "a document that is no application stays text")
    browser.run("document.querySelector('main textarea').value = arguments[0]", json.dumps({**draft, "name": "Ridge Line"}))
    browser.click(".periods a:not([aria-current])")
    expect(browser.run("return document.getElementsByName('name')[0].value") == "Ridge Line", "the form has what was changed in the document")
    browser.run(submit)
    browser.wait(saved, "saving what was changed")
    expect(focus(browser) == "Save", "the focus stays on the button")
    expected = {**document, "name": "Ridge Line", "domains": ["ridge.example.com", "two.example.com"], "onRoot": "https://www.example.com/",
                "appearance": {"accentColor": "#ffd400"}}
    del expected["onExpired"]
    expected["templates"] = [{**document["templates"][0], "urls": {**document["templates"][0]["urls"], "web": "https://shop.example.com/:id"}}, document["templates"][1]]
    stored = call("GET", path)
    expect(stored == expected, f"only what was changed is another: {stored}")
    click_text(browser, "Add a template")
    expect(focus(browser) == "templates[2].route", "the focus is in the new template")
    fill(browser, "templates[2].route", "search")
    browser.run(submit)
    browser.wait(lambda: browser.run("return !!document.querySelector('[aria-invalid]')"), "the error of the template")
    expect(browser.run("return document.querySelector('[aria-invalid]').name").startswith("templates[2]"), "the error is at its template")
    fill(browser, "templates[2].route", "about")
    call("PUT", path, document)
    browser.run(submit)
    browser.wait(lambda: "Someone else changed" in text(browser), "the message about the conflict")
    expect(call("GET", path) == document, "a conflict changes nothing")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        show(browser, "#/applications/ridge")
        check_axe(browser, "the form of an application")
    check_wide(browser, "#/applications/ridge")


METRICS = """waymark_build_info{version="9.9.9"} 1
process_start_time_seconds %d
process_resident_memory_bytes 123456789
waymark_http_responses_total{class="2xx"} 900
waymark_http_responses_total{class="5xx"} 100
waymark_rate_limited_total{limit="create"} 0
waymark_rate_limited_total{limit="unknownSlug"} 12
waymark_connections_refused_total 3
waymark_store_free_bytes 4200000000
waymark_store_full 0
waymark_backup_timestamp_seconds 0
waymark_clicks_total 5
waymark_clicks_dropped_total 7
waymark_tls_certificate_expiry_timestamp_seconds{certificate="go.example.com"} %d
"""


def check_system(browser):
    """The server's state in words: what its metrics tell, and nothing else."""
    show(browser, "#/system")
    for part in ["Running and ready", "Version", "Running for", "Requests since the start"]:
        expect(part in text(browser), f"the state of the server has {part}")
    expect("waymark_" not in text(browser, "main section"), "no metric is shown by its name")
    expect("Signed in as admin key" in text(browser), "the key has its name")
    browser.run("""const real = window.fetch;
        window.fetch = (target, options) => target === "/metrics" ? Promise.resolve(new Response(arguments[0])) : real(target, options);
        window.unfake = () => { window.fetch = real; };""".replace("arguments[0]", json.dumps(METRICS % (time.time() - 3 * 86400 - 60, time.time() + 5 * 86400))))
    click_text(browser, "Reload")
    browser.wait(lambda: "9.9.9" in text(browser) and settled(browser), "the metrics")
    shown = browser.run("return Object.fromEntries([...document.querySelectorAll('main .facts > div')].map((row) => [...row.children].map((one) => one.textContent)))")
    for name, value in {"Running for": "3 days", "Memory": "123.5 MB", "Answered": "1,000", "Too many unknown addresses": "12", "Refused connections": "3",
                        "Free disk space": "4.2 GB", "Last backup": "None yet"}.items():
        expect(shown.get(name, "").startswith(value), f"{name} is {value}: {shown.get(name)}")
    expect(not {"Too many new links", "Connections", "Open files"} & set(shown), f"what the metrics don't tell is left out: {shown}")
    marked = browser.run("return [...document.querySelectorAll('main .facts .wrong')].map((one) => one.closest('div').firstChild.textContent)")
    expect(marked == ["Failed (5xx)", "Last backup", "Lost", "go.example.com"], f"what is wrong is marked: {marked}")
    browser.run("window.unfake()")


def check_tester(browser):
    """The page that tests association files needs no key of those who are signed in."""
    browser.open(SERVICE + "/_/association")
    browser.wait(lambda: browser.run("return document.readyState") == "complete", "loading the page")
    browser.run("""document.querySelector("[value=application]").click();
        document.getElementById("application").value = "ridge";
        document.getElementById("urls").value = "https://ridge.example.com/a";
        document.getElementById("test").requestSubmit();""")
    browser.wait(lambda: text(browser, "#outcome"), "the answer")
    expect("Opens in ABCDE12345.com.example.ridge" in text(browser, "#outcome"), f"the session is enough: {text(browser, '#outcome')[:200]}")
    browser.open(SERVICE + "/_/#/system")
    browser.wait(lambda: settled(browser), "the dashboard")


def check_wide(browser, address):
    """Nothing is too wide at 320 pixels, in both directions."""
    browser.cdp("Emulation.setDeviceMetricsOverride", width=320, height=900, deviceScaleFactor=1, mobile=False)
    for direction in ["ltr", "rtl"]:
        browser.run("document.documentElement.dir = arguments[0]", direction)
        show(browser, "#/keys")
        show(browser, address)
        over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(over <= 0, f"{address}, {direction}: {over} pixels too wide")
    browser.run("document.documentElement.dir = 'ltr'")
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)


def check_wizard(browser):
    show(browser, "#/new-application")
    for name, value in {"id": "outdoor", "domains": "outdoor.example.com", "team": "ABCDE12345", "ios.appIDs": "com.example.outdoor",
                        "android.package": "com.example.outdoor"}.items():
        browser.run("document.querySelector(`[name='${arguments[0]}']`).focus()", name)
        browser.press(value)
    preview = text(browser, "aside")
    for part in ["ABCDE12345.com.example.outdoor", "applinks:outdoor.example.com", 'android:host="outdoor.example.com"']:
        expect(part in preview, f"the preview has {part}")
    browser.press("Enter")
    browser.wait(lambda: browser.url.endswith("#/applications/outdoor") and settled(browser), "creating the application")
    browser.run("[...document.querySelectorAll('main form')].find((form) => form.elements.url).requestSubmit()")
    browser.wait(lambda: "Opens ABCDE12345.com.example.outdoor" in text(browser), "testing a URL")
    stored = call("GET", "/api/v1/apps/outdoor")
    expect(stored["ios"]["appIDs"] == ["ABCDE12345.com.example.outdoor"], "the application has its app")


def check_import(browser):
    show(browser, "#/import")
    browser.run("""const files = new DataTransfer();
        files.items.add(new File([arguments[0]], 'links.csv'));
        document.querySelector('[type=file]').files = files.files;
        document.querySelector('[name=app]').value = 'shop';
        document.querySelector('main form').requestSubmit();""", 'slug,urls.web,title\nimported,https://www.example.com/,"One, two"\nwrong,nothing,\n')
    # An import's thread has the lowest priority, and this browser may need both cores.
    browser.wait(lambda: "Finished, check only" in text(browser), "checking the import", 60)
    expect("urls.web is not an absolute URL" in text(browser), "the check says what is refused")
    browser.run("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Import now').click()")
    browser.wait(lambda: "waymark links verify" in text(browser), "importing", 60)
    expect(call("GET", "/api/v1/links/127.0.0.1/imported")["title"] == "One, two", "the link is imported")
    # A file that is dropped, with names of its own for its columns; the form begins with what was sent last.
    show(browser, "#/import")
    expect(browser.run("return document.querySelector('[type=file]').files[0]?.name") == "links.csv", "the file of the last import is kept")
    browser.run("""const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'other.csv'));
        document.querySelector('main form').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));""",
                "Keyword,Target,Colour\nby-columns,https://www.example.com/columns,red\n")
    browser.wait(lambda: "Colour" in text(browser, ".columns-of-file"), "the columns of the file")
    chosen = browser.run("return [...document.querySelectorAll('[data-column]')].map((one) => one.value)")
    expect(chosen == ["slug", "urls.web", "ignored"], f"columns are recognized: {chosen}")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "columns of an import")
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: "#/import/" in browser.url and "Finished, check only" in text(browser) and "by-columns" in text(browser), "checking columns with other names", 60)


def check_conversions(browser):
    call("POST", "/api/v1/conversions", {"conversions": [{
        "id": "order-1", "name": "purchase", "smartlink": SERVICE + "/spring/sale",
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "value": {"amount": "12.50", "currency": "EUR"}}]})
    show(browser, "#/overview?period=day")
    browser.wait(lambda: "Conversions by name" in text(browser) and "€12.50" in text(browser), "the conversions")


def check_card(browser):
    """A link's card changes with its fields, and loads no picture from elsewhere."""
    show(browser, "#/links/127.0.0.1/spring%2Fsale/edit")
    fill = "const input = document.querySelector(`[name='social.${arguments[0]}']`); input.value = arguments[1]; input.dispatchEvent(new Event('input', { bubbles: true }))"
    browser.run(fill, "title", "Shoes")
    browser.run(fill, "imageURL", "https://images.example.com/shoes.png")
    expect("Shoes" in text(browser, ".preview strong") and "shoes.png" in text(browser, ".preview .picture"), "the card follows its fields")


def check_overview(browser):
    """A click is shown as it comes, and a bar filters."""
    show(browser, "#/overview")
    browser.wait(lambda: "Clicks in the last minute" in text(browser, ".live"), "the line of clicks as they come")
    time.sleep(1)  # The stream has no sign that it is open.
    request = urllib.request.Request(SERVICE + "/spring/sale", headers={"User-Agent": IPHONE})
    urllib.request.build_opener(Stay).open(request)
    browser.wait(lambda: "127.0.0.1/spring/sale" in text(browser, ".live"), "the click as it comes", 30)
    show(browser, "#/overview?period=day")
    browser.wait(lambda: "Clicks by platform" in text(browser), "the click in the overview")
    browser.run("[...document.querySelectorAll('main a')].find((one) => one.textContent === 'iPhone').click()")
    browser.wait(lambda: "platform=iphone" in browser.url and "Platform: iPhone" in text(browser) and settled(browser), "filtering")
    browser.press("Escape")
    browser.wait(lambda: "platform" not in browser.url, "removing the filter")
    browser.press("w")
    browser.wait(lambda: "period=7d" in browser.url and settled(browser), "the period of seven days")
    # A name that browsers take and the service refuses.
    browser.run("return import('/_/dashboard/shared/formats.js').then(({ zone }) => { zone.own = zone.timeZone = 'europe/berlin'; })")
    show(browser, "#/overview?period=28d&compare=previous")
    browser.wait(lambda: "Days are those of UTC" in text(browser) and "Clicks by platform" in text(browser), "days of UTC")


def check_explain(browser):
    show(browser, "#/explain")
    browser.run("document.querySelector('[name=url]').value = arguments[0]; document.querySelector('[name=second]').selectedIndex = 4;"
                "document.querySelector('main form').requestSubmit()", SERVICE + "/spring/sale")
    browser.wait(lambda: text(browser).count("Recognized as") == 2 and "Destinations by visitor" in text(browser), "explaining to two visitors")
    expect("iPhone, Phone, Safari" in text(browser), "visitors have the names of the reports")
    send = "document.querySelector('[name=url]').value = arguments[0]; document.querySelector('main form').requestSubmit()"
    browser.run(send, "no-host.example.com/x")
    browser.wait(lambda: "No application serves this host." in text(browser) and settled(browser), "the reason of a URL that leads nowhere")
    expect("url=https%3A%2F%2Fno-host" in browser.url and "Not found: –" not in text(browser), "a URL without a scheme gets one")
    browser.run(send, "no URL")
    browser.wait(lambda: browser.run("return document.querySelector('[name=url]').ariaInvalid") == "true", "the error of a URL")
    expect(browser.run("return document.querySelectorAll('main [role=alert]').length") == 1, "an error is said once")


def check_reference(browser):
    """Every call has an example of its request, and every answer in JSON one of its own."""
    browser.open(SERVICE + "/_/reference.html#createLink")
    calls = "document.querySelectorAll('details.call')"
    browser.wait(lambda: browser.run(f"return {calls}.length > 60 && document.querySelector('#createLink').open"), "the calls of the API")
    browser.wait(lambda: browser.run("return document.readyState") == "complete", "loading the reference")
    browser.press("Tab", "Tab", "Tab")
    expect(focus(browser) == "search", f"the third Tab is in the search, not {focus(browser)}")
    browser.press("delete /api/v1/keys")
    shown = f"return [...{calls}].filter((call) => call.checkVisibility()).map((call) => call.id)"
    browser.wait(lambda: browser.run(shown) == ["deleteKey"], "finding one call")
    browser.press("Tab", "Enter")
    browser.wait(lambda: browser.run("return document.querySelector('#deleteKey').open"), "opening a call by keyboard")
    browser.run("const search = document.querySelector('#search'); search.value = ''; search.dispatchEvent(new Event('input'))")
    browser.run(f"for (const call of {calls}) call.open = true")
    browser.wait(lambda: browser.run(f"return [...{calls}].every((call) => call.querySelector('pre'))"), "an example of each call")
    document = call("GET", "/_/openapi.json")
    listed = browser.run(f"return [...{calls}].map((call) => call.id)")
    operations = [path[method]["operationId"] for path in document["paths"].values() for method in METHODS if method in path]
    expect(sorted(listed) == sorted(operations), f"all calls are there, but for {set(operations) - set(listed)}")
    access = browser.run(f"return Object.fromEntries([...{calls}].map((call) => [call.id, call.querySelector('p.soft').textContent]))")
    for made in [path[method] for path in document["paths"].values() for method in METHODS if method in path]:
        scopes = [" + ".join(sum(one.values(), [])) for one in made.get("security") or []]
        words = ("Needs no key." if not scopes else "Needs a key." if "" in scopes
                 else f"Scope: {scopes[0]}" if len(scopes) == 1 else f"Needs one of the scopes: {', '.join(scopes)}")
        expect(access[made["operationId"]] == words, f"{made['operationId']} says “{words}”, not “{access[made['operationId']]}”")
    expect('"slug":"summer"' in text(browser, "#createLink pre"), "the example of the document is shown")
    over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    expect(over <= 0, f"the reference is {over} pixels too wide")
    if AXE:
        # One call with all that it unfolds to; the others are made alike.
        browser.run(f"for (const call of {calls}) if (call.id !== 'createLink') call.open = false; " + AXE + "; window.axe = axe")
        check_axe(browser, "reference", "#createLink")


def fill_in(browser, name, value):
    """Sets a field as typing does."""
    browser.run("""const control = document.querySelector(`[name="${arguments[0]}"]`);
        control.value = arguments[1];
        control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));""", name, value)


def check_form(browser):
    """The form follows typing, keeps what was typed, speaks of its own fields, and copies links."""
    show(browser, "#/new")
    browser.wait(lambda: focus(browser) == "urls.web", "the focus in the destination")
    expect(browser.run("return document.querySelector('main form [name]').name") == "app", "the application comes first")
    fill_in(browser, "app", "shop")
    browser.press("www.example.com/form", "Tab")
    web = "return document.querySelector('[name=\"urls.web\"]').value"
    expect(browser.run(web) == "https://www.example.com/form", "an address without a scheme gets one")
    expect("Everyone" in text(browser, ".form-preview") and "https://www.example.com/form" in text(browser, ".form-preview"), "who goes where follows typing")
    fill_in(browser, "urls.ios", "trailhead://form")
    expect("iPhone, iPad" in text(browser, ".form-preview"), "destinations by platform follow typing")
    fill_in(browser, "urls.ios", "")
    fill_in(browser, "slug", "summer sale!")
    browser.wait(lambda: "Use “summer-sale”" in text(browser, ".slug-check"), "a slug that can be used")
    browser.click(".slug-check button")
    browser.wait(lambda: "127.0.0.1/summer-sale is free" in text(browser, ".slug-check"), "the slug that is free")
    expect("https://127.0.0.1/summer-sale" in text(browser, ".form-preview"), "the address follows typing")
    fill_in(browser, "slug", "spring/sale")
    browser.wait(lambda: "Taken by “Spring sale”" in text(browser, ".slug-check") and "Use “spring/sale-2”" in text(browser, ".slug-check"), "the slug that is taken")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "new link, slug taken")

    show(browser, "#/links")
    show(browser, "#/new")
    expect("You have an unfinished link" in text(browser) and browser.run(web) == "", "what was typed is offered")
    sign_out(browser)
    sign_in(browser, KEY)
    show(browser, "#/new")
    expect("You have an unfinished link" in text(browser), "what was typed outlives the session")
    click_text(browser, "Continue with it")
    expect(browser.run(web) == "https://www.example.com/form", "what was typed is there again")

    for name, value in {"slug": "formed", "urls.web": "javascript:alert(1)", "validFrom": "2027-01-02T00:00", "expiresAt": "2027-01-01T00:00"}.items():
        fill_in(browser, name, value)
    submit = "document.querySelector('[name=note]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))"
    browser.run(submit)
    browser.wait(lambda: "Addresses that begin with javascript: are not allowed" in text(browser) and "Must be after “Valid from”." in text(browser), "errors in words of the form")
    for name, value in {"urls.web": "https://www.example.com/form", "validFrom": "", "expiresAt": ""}.items():
        fill_in(browser, name, value)
    browser.run(submit)
    browser.wait(lambda: browser.url.endswith("/formed") and settled(browser), "Ctrl+Enter creates the link")
    browser.wait(lambda: "Created and copied" in text(browser, ".announcement"), "what was done is said")
    expect(browser.run_async("return await navigator.clipboard.readText()").endswith("/formed"), "the new address is copied")
    show(browser, "#/new")
    expect("You have an unfinished link" not in text(browser), "nothing is left once the link exists")

    show(browser, "#/links/127.0.0.1/formed/edit")
    fill_in(browser, "note", "Not saved")
    show(browser, "#/links")
    show(browser, "#/links/127.0.0.1/formed/edit")
    expect("You have changes that are not saved" in text(browser), "changes of a link are offered")
    rules = [{"when": {"country": "DE"}, "to": "https://www.example.com/de"}]
    call("PATCH", "/api/v1/links/127.0.0.1/formed", {"rules": rules, "title": "Formed", "queryParameters": {"ref": "poster"}})
    show(browser, "#/links")
    show(browser, "#/links/127.0.0.1/formed/edit")
    expect("You have changes that are not saved" not in text(browser), "changes of an older version, which would undo newer ones, are not")
    show(browser, "#/links/127.0.0.1/formed")
    browser.run("[...document.querySelectorAll('main a')].find((one) => one.textContent === 'Duplicate').click()")
    browser.wait(lambda: "A copy of 127.0.0.1/formed" in text(browser), "the form of a copy")
    fill_in(browser, "slug", "formed-again")
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: browser.url.endswith("/formed-again") and settled(browser), "the copy")
    copy = call("GET", "/api/v1/links/127.0.0.1/formed-again")
    expect([copy["rules"], copy["title"], copy["queryParameters"]] == [rules, "Formed", {"ref": "poster"}], f"a copy has what the form lacks: {copy}")


def check_many(browser):
    """A pasted list is checked line by line, created at once, and keeps what could not be created."""
    show(browser, "#/new")
    browser.run("[...document.querySelectorAll('main a')].find((one) => one.textContent === 'From a list').click()")
    browser.wait(lambda: "many=1" in browser.url and settled(browser) and focus(browser) == "list", "the form for a list")
    fill_in(browser, "app", "shop")
    fill_in(browser, "tags", "pasted")
    fill_in(browser, "list", "\n".join([
        "https://www.example.com/one", "www.example.com/two pasted-two A second one", "https://www.example.com/three\tpasted-three\tThe third, by tabs",
        "", "not an address", "www.example.com/four spring/sale", "www.example.com/five pasted-two", "www.example.com/six, what?"]))
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: "Ready: 3. To be mended: 4." in text(browser), "checking the list")
    rows = browser.run("return [...document.querySelectorAll('.pasted tbody tr')].map((row) => row.children[0].textContent + ' ' + row.children[1].textContent)")
    for row, expected in zip(rows, ["1 Ready", "2 Ready", "3 Ready", "5 Enter an address", "6 Taken by “Spring sale”", "7 The slug of line 2 too.", "8 A slug has no such characters: use “what”."]):
        expect(row.startswith(expected), f"the check of a line: {row}")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "links from a list")
    click_text(browser, "Create 3 links")
    browser.wait(lambda: "Created 3 links" in text(browser, ".announcement"), "creating the links")
    links = call("GET", "/api/v1/links?tag=pasted")["links"]
    expect(sorted(link["urls"]["web"] for link in links) == [f"https://www.example.com/{name}" for name in ["one", "three", "two"]], "the links are created")
    expect({"A second one", "The third, by tabs"} <= {link["title"] for link in links}, "titles are those of the lines")
    left = browser.run("return document.querySelector('[name=list]').value")
    expect(left.startswith("not an address") and "pasted-three" not in left, f"what could not be created stays: {left}")
    click_text(browser, "Copy all addresses")
    browser.wait(lambda: "Copied" in text(browser, ".announcement"), "copying the addresses")
    expect("pasted-two\n" in browser.run_async("return await navigator.clipboard.readText()"), "all addresses are copied")


def check_templates(browser):
    """A campaign that was saved once fills the next link in."""
    show(browser, "#/new")
    fill = "for (const [name, value] of Object.entries(arguments[0])) document.querySelector(`[name=\"campaign.${name}\"]`).value = value"
    browser.run(fill, {"source": "newsletter", "medium": "email", "name": "summer"})
    press = "[...document.querySelectorAll('main button')].find((one) => one.textContent === arguments[0]).click()"
    browser.run(press, "Save as template")
    show(browser, "#/links")
    show(browser, "#/new")
    browser.run("""const template = [...document.querySelectorAll('select')].find((one) => one.textContent.includes('newsletter / email'));
        template.value = 'newsletter / email / summer'; template.dispatchEvent(new Event('change'));""")
    expect(browser.run("return document.querySelector('[name=\"campaign.name\"]').value") == "summer", "the template fills the campaign in")
    browser.run(press, "Delete template")
    expect(browser.run("return localStorage.getItem('waymark-campaigns')") == "{}", "the template is deleted")


def check_code(browser):
    """The QR code changes its colour, and one that readers would miss is refused."""
    show(browser, "#/links/127.0.0.1/spring%2Fsale")
    picture = "document.querySelector('details.code img')"
    browser.wait(lambda: browser.run(f"return {picture}?.naturalWidth > 0"), "the QR code")
    expect(browser.run("return document.title") == "Spring sale – Waymark", "the tab has the title of the link")
    browser.press("q")
    expect(browser.run("return document.querySelector('details.code').open"), "q shows the code, which is open")
    change = "const input = document.querySelector('[name=dark]'); input.value = arguments[0]; input.dispatchEvent(new Event('change', { bubbles: true }))"
    browser.run(change, "#0b6e4f")
    browser.wait(lambda: browser.run(f"return {picture}.src.includes('0b6e4f') && {picture}.naturalWidth > 0"), "the code in another colour")
    browser.run(change, "#ffffff")
    browser.wait(lambda: browser.run(f"return {picture}.hidden"), "the message about contrast")


def check_rename(browser):
    call("POST", "/api/v1/links", {"app": "shop", "slug": "before", "urls": {"web": "https://www.example.com/"}})
    show(browser, "#/links/127.0.0.1/before")
    browser.run("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Rename').click()")
    browser.run("document.querySelector('dialog [name=slug]').value = 'after'; document.querySelector('dialog form').requestSubmit()")
    browser.wait(lambda: browser.url.endswith("/after") and settled(browser), "renaming the link")
    expect("before" in text(browser, ".facts"), "the old address is shown")
    browser.run("[...document.querySelectorAll('details')].find((one) => one.textContent.startsWith('History')).open = true")
    browser.wait(lambda: "Slug" in text(browser, ".time-line"), "the history of the link")


def check_bulk(browser):
    """Tags the selected links, and deletes all that have the tag."""
    for slug in ["one", "two", "three"]:
        call("POST", "/api/v1/links", {"app": "shop", "slug": "bulk-" + slug, "urls": {"web": "https://www.example.com/"}})
    apply = "[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Apply').click()"
    show(browser, "#/links")
    browser.run("for (const box of [...document.querySelectorAll('tbody .mark')].slice(0, 2)) box.click()")
    browser.run("document.querySelector('[name=value]').value = 'marked'; " + apply)
    browser.wait(lambda: "Add the tag “marked” to 2 links?" in text(browser, "dialog"), "the question")
    expect(not browser.run("return document.querySelector('dialog .danger')"), "adding a tag is not shown as a danger")
    browser.click("dialog form button:not([type])")
    browser.wait(lambda: "Changed 2 links" in text(browser, ".announcement"), "changing the links")
    expect("marked" in call("GET", "/api/v1/links/127.0.0.1/bulk-three")["tags"], "the link has the tag")
    expect(call("GET", "/api/v1/links/127.0.0.1/bulk-one")["tags"] == [], "links that were not selected stay")
    show(browser, "#/links?tag=marked")
    delete = ("const action = document.querySelector('[name=action]'); action.value = 'delete'; action.dispatchEvent(new Event('change')); " + apply)
    rows = "return document.querySelectorAll('.row-link').length"
    browser.run("document.querySelector('thead .mark').click(); " + delete)
    browser.wait(lambda: "Delete 2 links?" in text(browser, "dialog"), "the question")
    browser.click("dialog .danger")
    browser.wait(lambda: "Deleted 2 links" in text(browser, ".announcement") and settled(browser), "deleting the links")
    expect(browser.run(rows) == 0, "links that are about to be deleted are not listed")
    browser.press("u")
    browser.wait(lambda: browser.run(rows) == 2, "undoing the deletion")
    browser.run("document.querySelector('tbody .mark').click(); " + delete)
    browser.wait(lambda: "Delete 1 link?" in text(browser, "dialog"), "the question")
    browser.click("dialog .danger")
    browser.wait(lambda: "Deleted 1 link" in text(browser, ".announcement") and settled(browser), "deleting one of the links")
    browser.open("about:blank")
    browser.wait(lambda: len(call("GET", "/api/v1/links?tag=marked")["links"]) == 1, "deleting the link as the page is left", 5)
    browser.open(SERVICE + "/_/#/links?tag=marked")
    browser.wait(lambda: settled(browser) and browser.run(rows) == 1, "the other link")
    call("PATCH", "/api/v1/links/127.0.0.1/bulk-one", {"tags": ["marked"]})
    browser.run("location.reload()")
    browser.wait(lambda: settled(browser) and browser.run(rows) == 2, "both links")
    browser.run("document.querySelector('tbody .mark').click()")
    click_text(browser, "Select all 2 links that match")
    browser.run(delete)
    browser.wait(lambda: "Delete 2 links?" in text(browser, "dialog"), "the question")
    browser.click("dialog .danger")
    browser.wait(lambda: "Deleted 2 links" in text(browser, ".announcement"), "deleting all that match")
    expect(call("GET", "/api/v1/links?tag=marked")["links"] == [], "the links are deleted")


def check_list(browser):
    """Many rows fit, heads sort, and a selection grows by ranges and outlives pages."""
    call("POST", "/api/v1/links:batch", [
        {"app": "shop", "slug": f"listed/number-{at}", "title": f"A link for the list, number {at}", "tags": ["listed"],
         "urls": {"web": f"https://www.example.com/a-long-path-of-a-page/which-goes-on/{at}"}} for at in range(60)])
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    show(browser, "#/links?tag=listed")
    lines = browser.run("""const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect());
        return [rows.filter(({ height }) => height > 42).length, Math.floor((900 - rows[0].top) / rows[0].height)];""")
    expect(lines[0] == 0, f"{lines[0]} rows have more than one line")
    expect(browser.run("return [...document.querySelectorAll('tbody button')].every((one) => one.textContent === 'Copy')"), "a row copies and does not delete")
    show(browser, "#/links")
    fit = browser.run("""window.scrollTo(0, 0);
        return [...document.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= 900).length;""")
    expect(fit >= 15, f"{fit} rows fit")
    sort = "return document.querySelectorAll('th')[arguments[0]].ariaSort"
    expect(browser.run(sort, 6) == "descending", "the list says how it is sorted")
    for column, order, address in [(6, "ascending", "sort=createdAt"), (6, "descending", "links"), (4, "descending", "sort=-clicks")]:
        browser.run("document.querySelectorAll('th')[arguments[0]].querySelector('button').click()", column)
        browser.wait(lambda: browser.url.endswith(address) and settled(browser) and browser.run(sort, column) == order, f"sorting by column {column}")
        expect(browser.run("return document.activeElement.closest('th')?.cellIndex") == column, "the head keeps the focus")

    show(browser, "#/links?tag=listed")
    browser.run("window.made = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.made.push(blob); URL.createObjectURL = make; return make(blob); }")
    click_text(browser, "CSV of these links")
    browser.wait(lambda: "Saved 60 links" in text(browser, ".announcement"), "saving the list")
    rows = browser.run_async("return await window.made[0].text()").split("\r\n")
    expect(len(rows) == 62 and rows[0] == "Link,Title,Tags,Destination,State,Clicks,Created" and '"A link for the list, number' in rows[1], f"the file has all pages: {rows[:2]}")
    tick = "document.querySelectorAll('tbody .mark')[arguments[0]].dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: arguments[1] }))"
    browser.run(tick, 1, False)
    browser.run(tick, 4, True)
    expect("4 selected" in text(browser, ".bulk"), f"a range is selected: {text(browser, '.bulk strong')}")
    bottom = browser.run("return [document.querySelector('.bulk').getBoundingClientRect().bottom, innerHeight]")
    expect(abs(bottom[0] - bottom[1]) < 2, f"the bar is at the bottom of the window: {bottom}")
    browser.run("[...document.querySelectorAll('.pages a')].at(-1).click()")
    browser.wait(lambda: "cursor=" in browser.url and settled(browser), "the next page")
    expect("4 selected" in text(browser, ".bulk"), "the selection outlives the page")
    browser.run("document.querySelector('thead .mark').click()")
    expect("14 selected" in text(browser, ".bulk"), "the head selects the rows of its page")
    click_text(browser, "Clear selection")
    browser.run("document.activeElement.blur()")
    browser.press("j", "x", "j", "j", "X")
    expect("3 selected" in text(browser, ".bulk"), f"keys select a range: {text(browser, '.bulk strong')}")
    click_text(browser, "Select all 60 links that match")
    expect("All 60 links selected" in text(browser, ".bulk"), "all that match are selected")
    browser.run("document.querySelector('[name=value]').value = 'bf-2026'")
    click_text(browser, "Apply")
    browser.wait(lambda: "Add the tag “bf-2026” to 60 links?" in text(browser, "dialog"), "the question")
    browser.click("dialog form button:not([type])")
    browser.wait(lambda: "Changed 60 links" in text(browser, ".announcement") and settled(browser), "changing all links")
    expect(browser.run("return document.querySelector('.bulk').hidden"), "nothing is selected then")
    browser.run("document.querySelector('tbody .mark').click()")
    show(browser, "#/links")
    expect(browser.run("return document.querySelector('.bulk').hidden"), "other filters end the selection")
    if AXE:
        show(browser, "#/links?tag=spring")
        browser.run("document.querySelector('tbody .mark').click()")
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "links, selected")
        browser.run("document.querySelector('tbody .mark').click()")
    call("POST", "/api/v1/links:delete", {"select": {"tag": "listed"}})


def check_recent_clicks(browser):
    """The list shows what people clicked lately: after the rows, which don't move, and on a phone too."""
    for slug in ["busy", "quiet"]:
        call("POST", "/api/v1/links", {"app": "shop", "slug": f"recent/{slug}", "tags": ["recent"], "urls": {"web": "https://www.example.com/"}})
    agents = ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"] * 3 + ["curl/8.5.0"]
    for agent in agents:
        urllib.request.build_opener(Stay).open(urllib.request.Request(SERVICE + "/recent/busy", headers={"User-Agent": agent}))
    drawings = "return [...document.querySelectorAll('.recent svg')].map((one) => one.getAttribute('aria-label'))"
    place = "return [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().top)"
    for width in [1280, 390]:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        show(browser, "#/keys")
        show(browser, "#/links?tag=recent")
        before = browser.run(place)
        browser.wait(lambda: len(browser.run(drawings)) == 2, f"the drawings of clicks at {width} pixels")
        expect(browser.run(place) == before, f"rows move once their clicks are there, at {width} pixels")
        labels = browser.run(drawings)
        today = browser.run("return new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date())")
        expect(labels == ["No clicks in 30 days", f"3 clicks in 30 days, last on {today}"], f"the drawings are called {labels}")
        shown = browser.run("return [...document.querySelectorAll('.recent')].map((cell) => cell.lastElementChild.textContent)")
        expect(shown == ["–", today], f"the days of the last clicks are {shown}")
        outside = browser.run("""return [...document.querySelectorAll('.recent')].filter((cell) => {
            const [inner, outer] = [cell.getBoundingClientRect(), cell.closest('tr').getBoundingClientRect()];
            return inner.height === 0 || inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
        }).length""")
        expect(outside == 0, f"{outside} drawings leave their rows at {width} pixels")
        if FOLDER:
            browser.screenshot(os.path.join(FOLDER, f"dashboard-recent-clicks-{width}.png"))
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    # Without the clicks the list is there.
    browser.run("""window.sent = window.fetch; window.fetch = (target, options) => String(target).includes("include=")
        ? Promise.resolve(new Response('{"type": "urn:waymark:problem:scope-missing"}', { status: 403 })) : sent(target, options);""")
    show(browser, "#/keys")
    show(browser, "#/links?tag=recent")
    browser.wait(lambda: browser.run("return !document.querySelector('.waiting')"), "the end of waiting for clicks")
    expect(browser.run("return document.querySelectorAll('tbody tr').length") == 2 and browser.run(drawings) == [], "a list without clicks has its rows")
    browser.run("window.fetch = window.sent")
    call("POST", "/api/v1/links:delete", {"select": {"tag": "recent"}})


def check_palette(browser):
    show(browser, "#/keys")
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))")
    browser.wait(lambda: browser.run("return document.querySelector('dialog[open] input') === document.activeElement"), "the palette")
    browser.press("spring")
    browser.wait(lambda: "Spring sale" in text(browser, "dialog"), "finding a link")
    browser.press("Enter")
    browser.wait(lambda: "spring%2Fsale" in browser.url and settled(browser), "going to the link")
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))")
    browser.wait(lambda: browser.run("return document.querySelector('dialog[open] input') === document.activeElement"), "the palette")
    browser.run("performance.setResourceTimingBufferSize(5000)")
    browser.press("https://go.example.com/Summer")
    asked = "return performance.getEntriesByType('resource').some((one) => one.name.endsWith('search=https%3A%2F%2Fgo.example.com%2FSummer&limit=8'))"
    browser.wait(lambda: browser.run(asked), "asking for a link by its address, in its case")
    # The first one empties the field.
    browser.press("Escape", "Escape")
    browser.wait(lambda: not browser.run("return document.querySelector('dialog')"), "closing the palette")


def check_help(browser):
    show(browser, "#/links")
    browser.run("document.activeElement.blur()")
    browser.press("?")
    browser.wait(lambda: "Next link" in text(browser, "dialog"), "the shortcuts of the page")
    expect("Go to: Domains" in text(browser, "dialog"), "the help lists the places")
    browser.press("Escape")
    browser.wait(lambda: not browser.run("return document.querySelector('dialog')"), "closing the help")


READABLE = ["Overview", "Links", "Test a link", "Link checks", "Applications", "Domains", "Server"]
MENUS = {
    "read": READABLE,
    "create": ["New link", "Server"],
    "links": ["Overview", "Links", "Import", *READABLE[2:4], "Planned changes", *READABLE[4:]],
    "admin": ["Overview", "Links", "Import", *READABLE[2:4], "Planned changes", *READABLE[4:6], "Webhooks", "People", "API keys", "Audit log", "Server"],
}
# Pages that are not in the menu, and the scopes whose keys may open them.
FURTHER = {
    "#/new": ["create", "links", "admin"], "#/links/127.0.0.1/spring%2Fsale": ["read", "links", "admin"],
    "#/links/127.0.0.1/spring%2Fsale/edit": ["links", "admin"], "#/applications/shop": ["read", "links", "admin"],
    "#/overview?period=day&platform=iphone": ["read", "links", "admin"],
}
PLACES = ["overview", "links", "import", "explain", "changes", "applications", "domains", "webhooks", "keys", "system"]
NO_ACCESS = "You don’t have access to this page"


def refused(browser):
    """The requests that were answered with 403 since the last question."""
    found = browser.run("""const all = performance.getEntriesByType('resource').filter((one) => one.responseStatus === 403);
        performance.clearResourceTimings();
        performance.setResourceTimingBufferSize(5000);
        return all.map((one) => one.name);""")
    return found


def check_frame(browser):
    """The menu is a bar at the side, folded away on a phone, and says at once where one goes."""
    show(browser, "#/keys")
    sides = browser.run("return ['header', 'main'].map((name) => document.querySelector(name).getBoundingClientRect())")
    expect(sides[0]["right"] <= sides[1]["left"] and sides[0]["height"] == 900, f"the menu is beside the page: {sides}")
    browser.cdp("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    is_open = "return document.querySelector('nav').checkVisibility()"
    expect(not browser.run(is_open), "the menu is folded away on a phone")
    browser.run("document.querySelector('.fold-menu').focus()")
    browser.press("Enter")
    expect(browser.run(is_open) and browser.run("return document.querySelector('.fold-menu').ariaExpanded") == "true", "the menu unfolds")
    browser.press("Escape")
    expect(not browser.run(is_open) and focus(browser) == "Menu", "Escape folds the menu")
    browser.click(".fold-menu")
    browser.click("header [href='#/overview']")
    browser.wait(lambda: "#/overview" in browser.url and settled(browser), "going to a page of the menu")
    expect(not browser.run(is_open), "a choice folds the menu")
    show(browser, "#/overview?period=28d")
    top = browser.run("return document.querySelector('.totals dd').getBoundingClientRect().bottom")
    expect(top < 400, f"the first number is seen first: it ends at {top} pixels")
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    browser.run("const choice = document.querySelector('[name=period]'); choice.focus(); choice.value = '7d'; choice.dispatchEvent(new Event('change'))")
    browser.wait(lambda: "period=7d" in browser.url and settled(browser), "choosing a period")
    expect(focus(browser) == "period", "the focus stays on the period")
    # Modules that were loaded once would not wait for the line.
    browser.open("about:blank")
    browser.open(SERVICE + "/_/#/keys")
    browser.wait(lambda: settled(browser), "loading the keys")
    line = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.cdp("Network.enable")
    browser.cdp("Network.emulateNetworkConditions", **line, latency=5000)
    browser.run("location.hash = '#/domains'")
    browser.wait(lambda: text(browser, "h1") == "Domains", "the heading of the page that loads")
    expect(text(browser, "nav [aria-current]") == "Domains" and browser.run("return !!document.querySelector('main > .skeleton')"),
           "the menu and the skeleton are there before the page")
    browser.cdp("Network.emulateNetworkConditions", **line, latency=0)
    browser.wait(lambda: settled(browser), "loading the domains")
    browser.press("?")
    browser.wait(lambda: browser.run("return !!document.querySelector('dialog[open]')"), "a dialog")
    browser.run_async("(await import('/_/dashboard/shared/announcement.js')).announce('Something was done')")
    expect(browser.run("""const { left, top } = document.querySelector('.announcement').getBoundingClientRect();
        return document.elementFromPoint(left + 5, top + 5).className""") == "announcement", "a message is above a dialog")
    browser.press("Escape")
    browser.wait(lambda: not browser.run("return document.querySelector('dialog')"), "closing the dialog")
    expect(text(browser, "body > .announcement") == "Something was done", "a message outlives its dialog")


def check_scopes(browser):
    """A key of each scope, for all applications and for one, sees what it may do and nothing else."""
    for scope, menu in MENUS.items():
        for app in [None, "shop"]:
            who = f"{scope}{' of one application' if app else ''}"
            key = call("POST", "/api/v1/keys", {"name": who, "scopes": [scope], "app": app})["key"]
            sign_out(browser)
            sign_in(browser, key)
            shown = browser.run("return [...document.querySelectorAll('header nav a')].map((one) => [one.textContent, one.getAttribute('href')])")
            expect([title for title, _ in shown] == menu, f"the menu of {who}: {shown}")
            may = [address for _, address in shown] + [address for address, scopes in FURTHER.items() if scope in scopes]
            refused(browser)
            for address in may:
                show(browser, address)
                expect(NO_ACCESS not in text(browser), f"{address} is open to {who}")
                expect(not browser.run("return document.querySelector('main [role=alert]:not([hidden])')"), f"{address} shows {who} no problem: {text(browser)[:300]}")
                expect(refused(browser) == [], f"{address} asks nothing that {who} may not")
            for address in [f"#/{place}" for place in PLACES] + list(FURTHER):
                if address in may:
                    continue
                show(browser, address)
                expect(NO_ACCESS in text(browser) and "Ask" in text(browser), f"{address} says that {who} has no access")
                expect("Try again" not in text(browser) and refused(browser) == [], f"{address} asks nothing for {who}")
            check_controls(browser, scope, app, who)
            if AXE and not app:
                browser.run(AXE + "; window.axe = axe")
                for address in [may[0], "#/applications/shop"] if scope != "create" else ["#/new"]:
                    show(browser, address)
                    check_axe(browser, f"{address} of {who}")
            expect(refused(browser) == [], f"no request of {who} is refused")
    sign_out(browser)
    app_key = call("POST", "/api/v1/keys", {"name": "iOS", "scopes": ["resolve"], "app": "shop"})["key"]
    browser.press(app_key, "Enter")
    browser.wait(lambda: "This key is for apps" in text(browser, "[role=alert]"), "the message about an app's key")
    sign_in(browser, KEY)


def check_controls(browser, scope, app, who):
    """Buttons are there for what the key may do, and do it."""
    writes = scope in ["links", "admin"]
    if scope != "create":
        show(browser, "#/links")
        expect(("New link" in text(browser, ".head")) == writes, f"the button of a new link for {who}")
        expect(bool(browser.run("return document.querySelector('.mark')")) == writes, f"boxes of the list for {who}")
        show(browser, "#/links/127.0.0.1/spring%2Fsale")
        expect(("Rename" in text(browser)) == writes, f"the buttons of a link for {who}")
        show(browser, "#/applications")
        expect(("New application" in text(browser)) == (scope == "admin" and not app), f"the button of a new application for {who}")
        expect(("Bare" in text(browser)) == (app is None), f"the applications of {who}")
        show(browser, "#/applications/shop?view=json")
        expect(bool(browser.run("return document.querySelector('textarea.code')")) == (scope == "admin"), f"the document for {who}")
        expect("products/:product_id" in browser.run("return document.querySelector('main').textContent + (document.querySelector('textarea.code')?.value ?? '')"),
               f"the routes of the application for {who}")
    if scope == "read":
        return
    show(browser, "#/new")
    browser.wait(lambda: focus(browser) == "urls.web", f"the focus in the destination for {who}")
    slug = "of-" + who.replace(" ", "-")
    browser.run("""const form = document.querySelector('main form');
        const app = form.querySelector('select[name=app]');
        if (app) {
            app.value = 'shop';
            app.dispatchEvent(new Event('change'));
        }
        const slug = form.querySelector('[name=slug]');
        if (slug) slug.value = arguments[0];
        form.querySelector('[name="urls.web"]').value = 'shop.example.com/scopes';
        form.querySelector('[name=tags]').value = 'scope, twice, scope';
        form.requestSubmit();""", slug)
    if scope == "create":
        browser.wait(lambda: "Copy" in text(browser, ".notice.good"), f"the new link of {who}")
        expect(not browser.run("return document.querySelector('[name=slug]')"), f"a slug that {who} may not choose is not asked for")
        slug = text(browser, ".notice.good strong").rsplit("/", 1)[1]
    else:
        browser.wait(lambda: browser.url.endswith("/" + slug) and settled(browser), f"the page of the new link of {who}")
    stored = call("GET", f"/api/v1/links/127.0.0.1/{slug}")
    expect(stored["urls"]["web"] == "https://shop.example.com/scopes", "an address without a scheme is one of https")
    expect(stored["tags"] == ["scope", "twice"], "each tag is stored once")


def check_filters(browser):
    """Filters are chosen from lists, and what is typed finds a tag whatever its case."""
    show(browser, "#/links?search=spring&app=shop")
    browser.run("document.querySelector('details.whole').open = true")
    browser.wait(lambda: browser.run("return !!document.querySelector('#known-tag option')"), "the suggested tags")
    options = browser.run("return [...document.querySelector('[name=app]').options].map((one) => one.textContent)")
    expect("Trailhead" in options and "Bare" in options, f"applications by their names: {options}")
    browser.run("const tag = document.querySelector('[name=tag]'); tag.value = 'SPRING'; tag.form.requestSubmit()")
    browser.wait(lambda: "tag=spring" in browser.url and settled(browser) and "Spring sale" in text(browser), "the tag as it is written")
    show(browser, "#/links?search=spring&app=shop&tag=none-such")
    expect("No link matches all of these filters" in text(browser), "the message names filters")
    for chip in ["Search: spring", "Application: Trailhead", "Tag: none-such"]:
        expect(chip in text(browser, ".chips"), f"the message names {chip}")


def check_views(browser):
    """A filter is added by its name and removed by its chip, and a view is kept under a name."""
    show(browser, "#/links?sort=createdAt")
    browser.run("document.querySelector('[name=add-filter]').focus()")
    browser.wait(lambda: "Tag: spring" in browser.run("return [...document.querySelectorAll('#known-filters option')].map((one) => one.value)"), "suggested filters")
    fill_in(browser, "add-filter", "Tag: spring")
    browser.wait(lambda: "tag=spring" in browser.url and settled(browser) and "Tag: spring" in text(browser, ".chips"), "adding a suggested filter")
    expect(focus(browser) == "add-filter", f"the field keeps the focus: {focus(browser)}")
    browser.press("state: active", "Enter")
    browser.wait(lambda: "state=active" in browser.url and settled(browser) and "State: Active" in text(browser, ".chips"), "adding a typed filter")
    browser.run("[...document.querySelectorAll('.chips a')].find((one) => one.textContent.startsWith('State')).click()")
    browser.wait(lambda: "state=" not in browser.url and "tag=spring" in browser.url and settled(browser), "removing a filter")
    fill_in(browser, "view", "save")
    browser.wait(lambda: browser.run("return document.querySelector('dialog input') === document.activeElement"), "asking for a name")
    browser.press("Oldest of spring", "Enter")
    browser.wait(lambda: not browser.run("return document.querySelector('dialog')"), "saving the view")
    chosen = "const view = document.querySelector('[name=view]'); return view.selectedOptions[0].textContent"
    expect(browser.run(chosen) == "Oldest of spring", "the view that is shown is chosen")
    show(browser, "#/links")
    expect(browser.run(chosen) == "All links", "the list without filters is no view")
    fill_in(browser, "view", "view Oldest of spring")
    browser.wait(lambda: "tag=spring" in browser.url and "sort=createdAt" in browser.url and settled(browser), "opening the view")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "links, filtered")
    fill_in(browser, "view", "delete")
    expect(browser.run("return localStorage.getItem('waymark-views')") == "{}", "the view is deleted")


def check_rules(browser):
    """Rules and what else the form lacks are shown, and chance is marked."""
    link = call("POST", "/api/v1/links", {
        "app": "shop", "slug": "ruled", "urls": {"web": "https://www.example.com/a"}, "queryParameters": {"ref": "poster"},
        "minimumVersion": {"ios": "4.2"},
        "rules": [{"when": {"percentage": 30}, "to": "https://www.example.com/b"}, {"when": {"country": "DE"}, "to": "https://www.example.com/de"}]})
    show(browser, f"#/links/127.0.0.1/{link['slug']}")
    for part in ["30% of visitors, at random", "Country: Germany", "https://www.example.com/de", "ref=poster", "iOS 4.2"]:
        expect(part in text(browser), f"the link's page shows {part}")
    browser.wait(lambda: browser.run("return !!document.querySelector('[aria-labelledby=explain-title] tbody')"), "who goes where")
    rows = browser.run("return [...document.querySelectorAll('[aria-labelledby=explain-title] tbody tr')].map((row) => row.textContent)")
    expect(all("30% of" in row if "/b" in row else "70% of" in row for row in rows if "Redirect" in row), f"chance is marked: {rows}")
    show(browser, f"#/explain?url={SERVICE}/ruled")
    browser.wait(lambda: browser.run("return !!document.querySelector('main table tbody')"), "the test of a link")
    expect(re.search("[37]0% of visitors, at random", text(browser, "main table")), "the test of a link marks chance")


def check_rule_editor(browser):
    """Rules are made, changed and put in another order as fields, and what has no field stays."""
    path = "/api/v1/links/127.0.0.1/ruling"
    call("POST", "/api/v1/links", {
        "app": "shop", "slug": "ruling", "urls": {"web": "https://www.example.com/"},
        "rules": [{"when": {"percentage": 30}, "to": "https://www.example.com/b"},
                  {"when": {"country": "DE", "device": "phone"}, "to": {"web": "https://www.example.com/de"}}]})
    show(browser, "#/links/127.0.0.1/ruling/edit")
    cards = "return [...document.querySelectorAll('.rule-card')].map((card) => card.querySelector('strong').textContent + card.textContent)"
    expect(len(browser.run(cards)) == 2 and "Germany" in browser.run(cards)[1] and "Device: Phone" in browser.run(cards)[1], "each rule has a card")
    browser.run("const share = document.querySelector('.rule-card input[type=number]'); share.value = '40'; share.dispatchEvent(new Event('input', { bubbles: true }))")
    click_text(browser, "Add a rule")
    expect(browser.run("return document.activeElement.closest('.rule-card') === document.querySelectorAll('.rule-card')[2]"), "a new rule has the focus")
    browser.press("www.example.com/android", "Tab")
    browser.run("document.querySelectorAll('.rule-card')[2].querySelector('[value=android]').click()")
    up = "document.querySelectorAll('.rule-card')[arguments[0]].querySelector('.up')"
    browser.run(f"{up}.focus()", 2)
    browser.press("Enter")
    expect(browser.run(f"return document.activeElement === {up}", 1) and "Rule 2 of 3" in text(browser, ".announcement"), "a rule moves up, and the focus with it")
    browser.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true }))")
    expect(browser.run("return !!document.querySelector('.rule-card [value=android]:checked') && document.activeElement.closest('.rule-card') === document.querySelector('.rule-card')"),
           "Alt and an arrow move a rule")
    browser.run("""const data = new DataTransfer();
        const cards = document.querySelectorAll('.rule-card');
        cards[2].querySelector('.handle').dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer: data }));
        cards[1].dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));""")
    expected = [
        {"to": "https://www.example.com/android", "when": {"platform": "android"}},
        {"when": {"country": "DE", "device": "phone"}, "to": {"web": "https://www.example.com/de"}},
        {"when": {"percentage": 40}, "to": "https://www.example.com/b"}]
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "rules")
    browser.run("[...document.querySelectorAll('[role=tab]')].at(-1).click()")
    written = browser.run("return document.querySelector('[name=rules]').value")
    expect(json.loads(written) == expected, f"the second tab has the rules as JSON: {written}")
    fill_in(browser, "rules", "[{]")
    browser.press("ArrowLeft")
    expect(browser.run("return document.activeElement.textContent") == "JSON", "what can't be read stays in its tab")
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: "not a JSON list of rules" in text(browser, ".rule-json"), "the message about the text")
    fill_in(browser, "rules", json.dumps([{**expected[0], "to": "nothing"}, *expected[1:]]))
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: "Rule 1, Leads to" in text(browser, "main form [role=alert]"), "the error of a rule in words of the form")
    fill_in(browser, "rules", json.dumps(expected))
    browser.run("document.querySelector('main form').requestSubmit()")
    browser.wait(lambda: browser.url.endswith("/ruling") and settled(browser), "saving the rules")
    expect(call("GET", path)["rules"] == expected, f"the rules are saved: {call('GET', path)['rules']}")


MANY = """const real = window.fetch;
window.fetch = async (target, options) => {
    const url = new URL(target, location.href);
    const answer = (content) => new Response(JSON.stringify(content), { headers: { "Content-Type": "application/json" } });
    if (url.pathname === "/api/v1/conversions") {
        return answer({ groups: [{ value: url.searchParams.get("by") === "link" ? "127.0.0.1/spring/sale" : null, count: 12345, sums: { EUR: "8375.84" } }] });
    }
    if (url.pathname !== "/api/v1/clicks" || url.searchParams.get("top") === "unknown") return real(target, options);
    const groups = Array.from({ length: 20 }, (_, place) => ({ value: `www.a-host-with-a-long-name-${place}.example.com`, people: 1234567 - place, bots: 1 }));
    const start = new Date("2025-11-28T00:00:00Z");
    const series = Array.from({ length: 365 }, (_, day) => ({
        start: new Date(start.getTime() + day * 864e5).toISOString(), people: 17, bots: 2, visitors: 9,
        by: Object.fromEntries((url.searchParams.get("by") ?? "").split(",").filter(Boolean).map((name) => [name, groups])),
    }));
    const total = { people: 5216000, bots: 730, visitors: 3285 };
    return answer({
        from: series[0].start, to: "2026-11-28T00:00:00Z", interval: "day", complete: true, total, series,
        by: Object.keys(series[0].by),
        top: { links: [], referrers: groups, countries: [], campaigns: [] },
        ...url.searchParams.has("compare") ? { compared: { from: series[0].start, to: series[9].start, total: { people: 0, bots: 0, visitors: 0 } } } : {},
    });
};
window.unfake = () => { window.fetch = real; };"""


def check_numbers(browser):
    """Large numbers stay whole, many days are grouped, and filters leave the page where it is."""
    show(browser, "#/keys")
    browser.run(MANY)
    show(browser, "#/overview?period=12mo")
    browser.wait(lambda: "Conversions by link" in text(browser) and settled(browser), "the report")
    bars = browser.run("return document.querySelectorAll('.chart .bar').length")
    expect(12 <= bars <= 14, f"a year is shown by months: {bars} bars")
    for width in [390, 1280]:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        show(browser, "#/keys")
        show(browser, "#/overview?period=12mo")
        outside = browser.run("""const chart = document.querySelector('main .chart').getBoundingClientRect();
            return [...document.querySelectorAll('main .chart text')].map((one) => one.getBoundingClientRect())
                .filter(({ left, right }) => left < chart.left || right > chart.right).length;""")
        expect(outside == 0, f"{outside} labels of the chart are cut off at {width} pixels")
    broken = browser.run("""return [...document.querySelectorAll('.panels td:nth-child(2), .totals dd')].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map((one) => Math.round(one.bottom / 8))).size > 2;
    }).map((one) => one.textContent);""")
    expect(broken == [], f"numbers break: {broken}")
    words = text(browser, "main")
    expect(not re.search(r"\bPeople\b(?! clicked)", words) and "Bot hits" in words, "clicks are called clicks")
    expect("€8,375.84" in words and "Spring sale" in words, "conversions have amounts and titles")
    expect(words.count("No clicks in the period compared with") == 1, "that there is nothing to compare with is said once")
    browser.run("window.scrollTo(0, 700)")
    for action, done in [
        ("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Show all 20 referrers').click()", "more=referrerHost"),
        ("document.querySelector('[aria-label=\"Break down by\"] a:not([aria-current])').click()", "by=inApp"),
        ("document.querySelector('[aria-label=Referrer] tbody a').click()", "referrerHost="),
    ]:
        place = browser.run("return window.scrollY")
        browser.run(action)
        browser.wait(lambda: done in browser.url and settled(browser), done)
        expect(abs(browser.run("return window.scrollY") - place) < 5, f"the page stays where it is at {done}")
    panel = browser.run("return document.querySelector('[aria-label=\"Break down by\"]').closest('.panels > section').ariaLabel")
    expect(panel == "In-app browser", f"the fields of a panel are chosen in it: {panel}")
    browser.run("window.unfake()")


COMPARED = """const real = window.fetch;
const counts = (numbers) => Object.entries(numbers).map(([value, people]) => ({ value, people, bots: 1 }));
const many = (first) => Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`${first + place}.example.com`, 99 - place]));
const sale = (people) => ({ domain: "127.0.0.1", slug: "spring/sale", title: "Spring sale", people, bots: 0 });
const day = (date) => new Date(2026, 10, date).toISOString();
const periods = [{
    from: day(15), to: day(17), complete: true, people: 122, link: sale(66), countries: counts({ DE: 122, FR: 50, US: 30, JP: 10, IT: 0, ES: 5 }),
    referrers: counts(many(1)), platforms: [...counts({ iphone: 123457 }), { rest: true, people: 3, bots: 0 }], devices: counts({ phone: 5 }),
}, {
    from: day(8), to: day(10), complete: true, people: 100, link: sale(33), countries: counts({ US: 30, DE: 100, JP: 20, ES: 0 }),
    referrers: counts(many(2)), platforms: counts({ iphone: 1 }), devices: [{ rest: true, people: 9, bots: 0 }],
}];
window.asked = [];
window.fetch = async (target, options) => {
    const url = new URL(target, location.href);
    if (url.pathname !== "/api/v1/clicks" || url.searchParams.get("top") === "unknown") return real(target, options);
    window.asked.push(url.search);
    const isEarlier = url.searchParams.get("from") === periods[1].from;
    if (isEarlier && window.isRefused) return new Response(JSON.stringify({ title: "Too many records" }), { status: 422, headers: { "Content-Type": "application/problem+json" } });
    const { from, to, complete, people, link, countries, referrers, platforms, devices } = periods[isEarlier ? 1 : 0];
    const by = { platform: platforms, device: devices, browser: [], language: [] };
    const total = { people, bots: 0, visitors: people };
    return new Response(JSON.stringify({
        from, to, interval: "day", complete, total, by: Object.keys(by), series: [{ start: from, ...total, by }],
        top: { links: [link], referrers, countries, campaigns: [] },
        ...url.searchParams.has("compare") ? { compared: { from: periods[1].from, to: window.ending ?? periods[1].to, total: { people: 100, bots: 0, visitors: 100 } } } : {},
    }), { headers: { "Content-Type": "application/json" } });
};
window.unfake = () => { window.fetch = real; };
window.forget = () => { periods[1].complete = false; };"""


def check_comparison(browser):
    """Each row of a panel has its change, and the page names the period that it is compared with."""
    changes = """return Object.fromEntries([...document.querySelectorAll(`[aria-label="${arguments[0]}"] tbody tr`)].map((row) =>
        [row.querySelector('.name > *').textContent, row.querySelector('td:nth-child(2) div')?.textContent ?? null]))"""
    show(browser, "#/keys")
    browser.run(COMPARED)
    show(browser, "#/overview?period=7d&compare=none")
    expect(set(browser.run(changes, "Country").values()) == {None}, "no row has a change without a comparison")
    expect("Compared with" not in text(browser) and browser.run("return window.asked.length") == 1, "nothing is compared without a comparison")
    for address in ["#/overview?period=7d&compare=previous", "#/links/127.0.0.1/spring%2Fsale?period=7d"]:
        browser.run("window.asked = []")
        show(browser, address)
        browser.wait(lambda: "Compared with" in text(browser) and settled(browser), f"the comparison of {address}")
        found = browser.run(changes, "Country")
        expected = {"Germany": "+22%", "France": "new", "United States": "0%", "Japan": "-50%", "Italy": "", "Spain": "new"}
        expect(found == expected, f"changes of countries at {address}: {found}")
        found = browser.run(changes, "Referrer")
        expect(found["1.example.com"] == "unlisted" and found["2.example.com"] == "-1%", f"changes where lists are cut off: {found}")
        expect(browser.run(changes, "Platform") == {"iPhone": "+12,345,600%", "Others": ""}, "the rest of two periods is not compared")
        expect(browser.run(changes, "Device") == {"Phone": "unlisted"}, "a value that may be in the rest is not called new")
        expect(re.search(r"Compared with Nov 8\s–\s9, 2026\. An “unlisted” row", text(browser)), "the days compared with are named")
        expect(len(browser.run("return window.asked")) == 2, "one request more compares")
        check_width(browser, address)
    show(browser, "#/overview?period=7d")
    expect(browser.run(changes, "Link") == {"Spring sale": "+100%"}, "links have changes")
    heads = browser.run("return [...document.querySelectorAll('[aria-label=Country] th')].map((head) => head.textContent)")
    expect(heads == ["Country", "ClicksChange", "Share"], f"the head names the change: {heads}")
    if AXE:
        browser.run(AXE + "; window.axe = axe")
        check_axe(browser, "overview, compared")
    browser.run("window.ending = new Date(2026, 10, 9, 11, 15).toISOString()")
    show(browser, "#/overview?period=day")
    expect(re.search(r"Compared with Nov 8, 2026, 12:00\sAM\s–\sNov 9, 2026, 11:15\sAM\.", text(browser)), "times are named where a day is compared in part")
    browser.run("window.forget()")
    show(browser, "#/overview?period=7d")
    expect(browser.run(changes, "Country")["France"] == "unlisted" and "Some clicks of that period are no longer known" in text(browser),
           "nothing is called new where clicks are no longer known")
    browser.run("window.isRefused = true")
    show(browser, "#/overview?period=28d")
    expect("Too many records" in text(browser, "main [role=alert]"), "a comparison that fails says so")
    expect(browser.run(changes, "Country")["Germany"] is None, "a comparison that fails leaves the report")
    browser.run("window.unfake()")


def check_width(browser, address):
    """Nothing is too wide at 320 pixels, in both directions, and numbers stay in their cells."""
    browser.cdp("Emulation.setDeviceMetricsOverride", width=320, height=900, deviceScaleFactor=1, mobile=False)
    for direction in ["ltr", "rtl"]:
        browser.run("document.documentElement.dir = arguments[0]", direction)
        show(browser, "#/keys")
        show(browser, address)
        browser.wait(lambda: "Clicks by country" in text(browser), f"{address} at 320 pixels")
        over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(over <= 0, f"{address}, {direction}: {over} pixels too wide")
        outside = browser.run("""return [...document.querySelectorAll('.panels td:nth-child(2)')].filter((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const [inner, outer] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
            return inner.left < outer.left || inner.right > outer.right;
        }).map((cell) => cell.textContent);""")
        expect(outside == [], f"{address}, {direction}: numbers leave their cells: {outside}")
    browser.run("document.documentElement.dir = 'ltr'")
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)


def check_place(browser):
    """Back returns to where a list was scrolled to."""
    call("POST", "/api/v1/links:batch", [{"app": "shop", "urls": {"web": "https://www.example.com/"}}] * 40)
    show(browser, "#/links")
    browser.run("window.scrollTo(0, 500)")
    browser.wait(lambda: browser.run("return history.state?.top") == 500, "keeping the place")
    browser.run("document.querySelectorAll('.row-link')[7].click()")
    browser.wait(lambda: browser.url.count("/") > 5 and settled(browser), "opening a link")
    expect(browser.run("return window.scrollY") == 0, "another page begins at its top")
    browser.run("history.back()")
    browser.wait(lambda: browser.url.endswith("#/links") and settled(browser) and browser.run("return window.scrollY") == 500, "the place in the list")


def check_attention(browser):
    """A webhook that fails looks like it, in the list and on the first page."""
    Receiver.status = 500
    webhooks = "/api/v1/webhooks"
    call("POST", f"{webhooks}/{call('GET', webhooks)['webhooks'][0]['id']}:test", {})
    browser.wait(lambda: call("GET", webhooks)["webhooks"][0]["failingSince"], "a webhook that fails", 30)
    show(browser, "#/webhooks")
    expect("Failing since" in text(browser, ".state.wrong"), "the list shows what fails")
    show(browser, "#/overview?period=day")
    browser.wait(lambda: "Webhook Orders" in text(browser, ".notice"), "what needs attention")


def check_axe(browser, name, part="body"):
    """All rules of axe-core, and on whole pages the size of what is tapped (WCAG 2.2), with everything unfolded in a part of the page."""
    browser.run("for (const fold of document.querySelectorAll(arguments[0] + ' details')) fold.open = true", part)
    browser.wait(lambda: settled(browser), f"unfolding {name}")
    found = browser.run_async("""const { passes, violations } = await axe.run({ rules: { "target-size": { enabled: arguments[0] } } });
        return [passes.length, violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`)];""", part == "body")
    expect(found[0] > 10, f"axe-core checks {name}")
    for violation in found[1]:
        expect(False, f"{name}: {violation}")


def check_origins(browser, least):
    """No request goes anywhere else, and nothing was refused by the Content Security Policy."""
    urls = browser.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    expect(len(urls) > least, "the browser lists its requests")
    for url in urls:
        expect(url.startswith(SERVICE + "/"), f"a request to {url}")
    expect(browser.run("return window.violations") == [], f"refused: {browser.run('return window.violations')}")


def check_layout(browser, screens):
    # 1060 is the narrowest that has the menu at the side.
    for width in [320, 390, 1060, 1280]:
        for dark in [False, True] if width == 390 else [False]:
            browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            browser.cdp("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
            for direction in ["ltr", "rtl"]:
                browser.run("document.documentElement.dir = arguments[0]", direction)
                for name, address in screens.items():
                    show(browser, address)
                    over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    expect(over <= 0, f"{name}, {width} pixels, {direction}: {over} pixels too wide")
                    if AXE and direction == "ltr" and width == 390:
                        check_axe(browser, f"{name}{', dark' if dark else ''}")
                    if FOLDER and direction == "ltr" and width > 320:
                        browser.screenshot(os.path.join(FOLDER, f"dashboard-{name}-{width}{'-dark' if dark else ''}.png"))
    browser.run("document.documentElement.dir = 'ltr'")


def main():
    link = call("POST", "/api/v1/links", {
        "app": "shop", "slug": "spring/sale", "title": "Spring sale", "note": "Two\nlines", "folder": "campaigns/spring", "tags": ["spring"],
        "route": "products/:product_id", "routeParameters": {"product_id": "42"}, "metadata": {"coupon": "X"}})
    here = "#/links/127.0.0.1/" + link["slug"].replace("/", "%2F")
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    hook = f"http://127.0.0.1:{receiver.server_address[1]}/webhooks"
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        browser.cdp("Browser.grantPermissions", origin=SERVICE, permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""window.violations = [];
            document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));""")
        check_wrong_key(browser)
        check_link(browser)
        sign_in(browser, KEY)
        if AXE:
            browser.run(AXE + "; window.axe = axe")
        check_keyboard(browser)
        check_layout(browser, {
            "webhooks": "#/webhooks", "webhook": make_webhook(browser, hook),
            "overview": "#/overview", "overview-filtered": "#/overview?period=day&platform=iphone&compare=year", "links": "#/links", "nothing-found": "#/links?search=nothing&state=expired&sort=-clicks", "new": "#/new", "many": "#/new?many=1", "link": here,
            "link-compared": here + "?period=day&by=bot&compare=previous", "edit": here + "/edit", "keys": "#/keys",
            "applications": "#/applications", "application": "#/applications/shop", "application-json": "#/applications/shop?view=json", "new-application": "#/new-application",
            "import": "#/import", "explain": "#/explain", "domains": "#/domains", "system": "#/system", "unknown": "#/nothing"})
        for message in browser.console():
            expect(False, f"the console says: {message}")
        check_errors(browser)
        check_conflict(browser)
        check_keys(browser)
        check_webhooks(browser, hook)
        check_conversions(browser)
        check_application(browser)
        check_application_form(browser)
        check_wizard(browser)
        check_system(browser)
        check_tester(browser)
        check_import(browser)
        check_overview(browser)
        check_card(browser)
        check_explain(browser)
        check_form(browser)
        check_many(browser)
        check_templates(browser)
        check_palette(browser)
        check_help(browser)
        check_code(browser)
        check_rename(browser)
        check_origins(browser, 30)
        check_bulk(browser)
        check_list(browser)
        check_recent_clicks(browser)
        check_origins(browser, 15)
        check_scopes(browser)
        check_filters(browser)
        check_views(browser)
        check_rules(browser)
        check_rule_editor(browser)
        check_attention(browser)
        check_frame(browser)
        check_numbers(browser)
        check_comparison(browser)
        check_place(browser)
        check_reference(browser)
        check_origins(browser, 10)
        for message in browser.console():
            # Refused requests are part of these checks.
            if "the server responded with a status of 4" not in message:
                expect(False, f"the console says: {message}")
    if wrong:
        sys.exit(1)
    print("the dashboard is as it should be")


main()
