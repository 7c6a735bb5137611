"""People in a real browser with a virtual authenticator: usage: people.py SERVICE KEY [FOLDER]

SERVICE is the URL of a running service at `localhost`, where browsers have passkeys over plain HTTP, with the application `shop`; KEY is
an admin key, FOLDER where the screenshots go. Runs last: afterwards a person administers, and keys don't sign in any more. Exit status
1 where something is wrong.
"""

import sys

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
