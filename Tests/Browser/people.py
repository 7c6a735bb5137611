"""People in a real browser with a virtual authenticator: usage: people.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service at `localhost`, where browsers have passkeys over plain HTTP, with the application `shop`; KEY is
an admin key, FOLDER where the screenshots go. Runs last: afterwards a person administers, and keys don't sign in any more. Exit status
1 where something is wrong.
"""

import base64
import hashlib
import json
import sys
import urllib.parse
import urllib.request

from driving import Service, expect, wrong
from webdriver import Browser

SERVICE, KEY = sys.argv[1:3]
FOLDER = sys.argv[3] if len(sys.argv) > 3 else None
call = Service(SERVICE, KEY).answer


def text(browser, selector="main"):
    return browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def press(browser, label):
    """The first button or link with this text, as a person clicks it."""
    browser.wait(lambda: browser.run(
        "return [...document.querySelectorAll('button, a')].some((one) => one.innerText.trim() === arguments[0])", label),
        f"“{label}”")
    browser.run(
        "[...document.querySelectorAll('button, a')].find((one) => one.innerText.trim() === arguments[0]).click()", label)


def picture(browser, name):
    if FOLDER:
        browser.screenshot(f"{FOLDER}/people-{name}.png", whole=True)


def open_page(browser, address):
    """A page of its own: an address that differs in the fragment alone would load nothing."""
    browser.open("about:blank")
    browser.open(f"{SERVICE}/_/{address}")


def is_signed_in(browser):
    return browser.run("return !document.querySelector('header')?.hidden && !!document.querySelector('nav')")


def invite(body):
    status, made = call("POST", "/api/v1/people:invite", body)
    expect(status == 201, f"an invitation is {status}: {made}")
    return made


def accept(browser, made):
    open_page(browser, made["link"].removeprefix("/_/"))
    browser.wait(lambda: made["person"]["name"] in text(browser, "h1"), "the invitation")
    expect("#" not in browser.url.rstrip("#"), "the token of the invitation stays in the address")
    picture(browser, "invitation")
    press(browser, "Create a passkey")
    browser.wait(lambda: is_signed_in(browser), "the sign-in with a new passkey")


def check_viewer(browser):
    made = invite({"name": "Ana", "role": "viewer", "app": "shop"})
    accept(browser, made)
    menu = text(browser, "nav")
    expect("Links" in menu and "Overview" in menu, f"a viewer's menu is {menu!r}")
    for hidden in ["API keys", "People", "Webhooks", "Import"]:
        expect(hidden not in menu, f"a viewer's menu has {hidden}")
    session = browser.run_async("return (await fetch('/_/session')).json()")
    expect(session["person"]["name"] == "Ana", f"the session is {session}")
    expect(session["memberships"] == [{"app": "shop", "role": "viewer"}], f"the session is {session}")
    # The invitation is used up.
    open_page(browser, made["link"].removeprefix("/_/"))
    browser.wait(lambda: "too old" in text(browser), "the end of the invitation")
    open_page(browser, "#/account")
    browser.wait(lambda: "Ana" in text(browser), "the account")
    picture(browser, "account")
    press(browser, "Sign out")
    browser.wait(lambda: "Sign in with a passkey" in text(browser), "the form of the sign-in")
    picture(browser, "sign-in")
    press(browser, "Sign in with a passkey")
    browser.wait(lambda: is_signed_in(browser), "the sign-in with a passkey")
    # Disabling ends the session.
    status, _ = call("PATCH", f"/api/v1/people/{made['person']['id']}", {"disabled": True})
    expect(status == 200, f"disabling is {status}")
    open_page(browser, "#/links")
    browser.wait(lambda: "Sign in with a passkey" in text(browser), "the end of the session")
    press(browser, "Sign in with a passkey")
    browser.wait(lambda: "disabled" in text(browser), "the reason of the refusal")
    picture(browser, "refused")


def allow_program(browser):
    """Registers a program, and allows it in the browser's session. Its tokens."""
    redirect = f"{SERVICE}/callback"
    status, client = call("POST", "/_/oauth/register", {"redirect_uris": [redirect], "client_name": "Robot"})
    expect(status == 201, f"a registration is {status}: {client}")
    verifier = "v" * 64
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = urllib.parse.urlencode({
        "response_type": "code", "client_id": client["client_id"], "redirect_uri": redirect, "scope": "read links",
        "code_challenge": challenge, "code_challenge_method": "S256"})
    browser.open("about:blank")
    browser.open(f"{SERVICE}/_/oauth/authorize?{query}")
    browser.wait(lambda: "Robot" in text(browser, "body"), "the question of the program")
    browser.click("[value=allow]")
    browser.wait(lambda: "code=" in browser.url, "the way back to the program")
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(browser.url).query)["code"][0]
    form = urllib.parse.urlencode({
        "grant_type": "authorization_code", "client_id": client["client_id"], "code": code, "redirect_uri": redirect,
        "code_verifier": verifier})
    with urllib.request.urlopen(f"{SERVICE}/_/oauth/token", form.encode()) as answer:
        return json.load(answer)["access_token"]


def check_programs(browser):
    """A person sees and ends programs, and an administrator those of others."""
    for address, opens in [("#/account", None), ("#/people", "[aria-label='Programs: Bo']")]:
        token = Service(SERVICE, allow_program(browser))
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        expect(token.answer("POST", "/_/mcp", ping)[0] == 200, "a program that was allowed may not act")
        open_page(browser, address)
        if opens:
            browser.wait(lambda: browser.run("return !!document.querySelector(arguments[0])", opens), "the button for programs")
            browser.run("document.querySelector(arguments[0]).click()", opens)
        within = "dialog" if opens else "main"
        browser.wait(lambda: "Robot" in text(browser, within), f"the program in {address}")
        expect("Creates, edits and deletes links" in text(browser, within), f"what it may is {text(browser, within)!r}")
        picture(browser, f"programs-{address.removeprefix('#/')}")
        browser.click("[aria-label='End access: Robot']")
        browser.wait(lambda: "End the access of Robot?" in text(browser, "dialog:last-of-type"), "the question")
        browser.click("dialog:last-of-type form button:not([type])")
        browser.wait(lambda: "No programs" in text(browser, within), f"the end of the program in {address}")
        expect(token.answer("POST", "/_/mcp", ping)[0] == 401, "a program acts after its end")


def check_confirmation(browser):
    """A person confirms what an assistant has planned, and then it is done."""
    for number in range(11):
        status, link = call("POST", "/api/v1/links", {"app": "shop", "slug": f"planned-{number}", "urls": {"web": "https://shop.example.com/a"}, "tags": ["planned"]})
        expect(status == 201, f"a link is {status}: {link}")
    urls = {name: f"https://shop.example.com/{name}?" + "x" * 1500 for name in ["android", "ios", "web"]}
    fields = {"title": "<b>planned</b>", "note": "n", "expiresAt": None, "maxClicks": None, "validFrom": None, "urls": urls}
    change = {"select": {"tag": "planned"}, "patch": fields}
    status, plan = call("POST", "/api/v1/changes:plan", change)
    expect(status == 200 and plan["needsConfirmation"], f"a plan is {status}: {plan}")
    arguments = {"name": "change_links", "arguments": {**change, "plan": plan["hash"]}}
    order = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    made = lambda: call("POST", "/_/mcp", order)[1]["result"]["structuredContent"]
    expect(made().get("status") == 403, "an assistant's change waits for a person")
    open_page(browser, "#/changes")
    browser.wait(lambda: "<b>planned</b>" in text(browser, "table"), "the plan")
    expect(urls["web"] in text(browser, "table"), f"of a long change only {text(browser, 'table')!r} is seen")
    expect("11" in text(browser, "table") and "Not tried" in text(browser, "table"), f"the plan is {text(browser, 'table')!r}")
    picture(browser, "planned")
    press(browser, "Confirm")
    browser.wait(lambda: "Confirm the change of 11 links?" in text(browser, "dialog"), "the question")
    browser.click("dialog form button:not([type])")
    browser.wait(lambda: "Confirmed by Bo" in text(browser, "table"), "the confirmation")
    expect(not browser.run("return document.querySelector('main td button')"), "what is confirmed has a button")
    answer = made()
    expect(answer.get("changed") == 11, f"the confirmed change is {answer}")
    open_page(browser, "#/changes")
    browser.wait(lambda: "No planned changes" in text(browser), "no plan afterwards")


def check_administrator(browser):
    made = invite({"name": "Bo", "role": "admin"})
    accept(browser, made)
    open_page(browser, "#/people")
    browser.wait(lambda: "Ana" in text(browser), "the list of people")
    picture(browser, "list")
    # Another one, by hand.
    press(browser, "Invite a person")
    browser.run("document.querySelector('form [name=name]').value = 'Cem'")
    browser.run("document.querySelector('form [name=name]').form.requestSubmit()")
    browser.wait(lambda: "#invitation=" in text(browser, ".secret"), "the link to send")
    picture(browser, "invited")
    browser.wait(lambda: "Cem" in text(browser, "table"), "the invited person in the list")
    browser.run("document.querySelector('[aria-label=\"Roles: Cem\"]').click()")
    browser.wait(lambda: browser.run("return !!document.querySelector('dialog[open]')"), "the dialog")
    browser.run("const role = document.querySelector('dialog select'); role.value = 'editor'")
    picture(browser, "roles")
    browser.run("document.querySelector('dialog form').requestSubmit()")
    browser.wait(lambda: "Editor" in text(browser, "table"), "the changed role")
    check_programs(browser)
    check_confirmation(browser)
    # A person administers, so keys are for programs.
    status, problem = call("POST", "/_/session", {"key": KEY})
    expect(status == 403 and problem["type"].endswith("sign-in-refused"), f"a key signs in: {status} {problem}")


def main():
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        browser.call("POST", "/webauthn/authenticator", {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserConsenting": True, "isUserVerified": True})
        check_viewer(browser)
        check_administrator(browser)
    if wrong:
        sys.exit(1)
    print("people sign in as they should")


main()
