"""Checks of the documentation's pages: usage: documentation.py SERVICE [FOLDER]

Types questions into the search, and opens some pages with axe-core (AXE, see driving.py). With FOLDER, pictures go there. Exit status 1
where something is wrong.
"""

import sys

from driving import Page, Service, check_axe, expect, wrong
from webdriver import Browser

# What people look for, in at most three words, and the page that answers.
QUESTIONS = {
    "apple app association": "association", "universal links": "association", "assetlinks": "association",
    "app not open": "troubleshooting", "own domain": "own-domain", "certificate": "certificates",
    "nginx": "reverse-proxy", "backup": "backup-and-restore", "upgrade": "upgrading", "postgresql": "several-servers",
    "firebase dynamic links": "from-firebase-dynamic-links", "bitly": "from-link-shorteners", "branch": "from-branch",
    "utm": "api", "qr code": "api", "webhook signature": "webhooks", "deferred deep": "concepts",
    "rate limit": "rate-limits", "prometheus": "metrics", "click retention": "clicks", "single sign-on": "people",
    "mcp": "assistants", "broken links": "verification", "plan apply": "links-as-code", "country language": "rules",
}
PAGES = ["", "own-domain", "api", "configuration"]
FOUND = "return [...document.querySelectorAll('#results a')].map((link) => link.pathname.split('/').pop())"


def ask(browser, question):
    browser.run("document.getElementById('question').value = ''; document.getElementById('question').focus()")
    browser.press(question)
    browser.wait(lambda: browser.run("return document.getElementById('outcome').textContent"), "the outcome of a search")
    return browser.run(FOUND)


def main():
    address = sys.argv[1]
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        page = Page(browser, Service(address, ""), sys.argv[2] if len(sys.argv) > 2 else None)
        for name in PAGES:
            browser.open(f"{address}/_/docs/{name}")
            check_axe(page, f"documentation-{name or 'pages'}")
        browser.open(f"{address}/_/docs/")
        for question, answer in QUESTIONS.items():
            assert len(question.split()) <= 3
            found = ask(browser, question)
            expect(answer in found[:3], f"{question}: {answer} is not among {found[:3]}")
    if wrong:
        sys.exit(1)
    print(f"{len(PAGES)} pages are accessible, {len(QUESTIONS)} questions have their answers")


main()
