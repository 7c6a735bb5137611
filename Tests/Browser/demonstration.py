"""Checks of a demonstration: usage: demonstration.py SERVICE [FOLDER]

SERVICE is the address of `waymark serve --demo`. Opens what the menu offers, without any key. With FOLDER, pictures go there. Exit
status 1 where something is wrong.
"""

import sys
import urllib.parse
import urllib.request

from driving import Page, Service, Stay, check_axe, expect, wrong
from webdriver import Browser

NOTICE = "Nothing can be changed"


def main():
    address = sys.argv[1].replace("127.0.0.1", "localhost")
    with Browser(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]) as browser:
        page = Page(browser, Service(address, ""), sys.argv[2] if len(sys.argv) > 2 else None)
        browser.open(f"{address}/_/")
        page.wait_for(NOTICE, "header")
        check_axe(page, "demonstration")
        places = browser.run("return [...document.querySelectorAll('nav a')].map((link) => link.hash)")
        expect(len(places) > 3, f"the menu has {places}")
        for place in [*places, "#/nonsense"]:
            page.show(place)
            expect(NOTICE in page.text("header"), f"{place} says that it is a demonstration")
            expect(not browser.run("return !!document.querySelector('main .notice.wrong')"), f"{place}: {page.text()}")
        link = browser.run_async("return (await (await fetch('/api/v1/links?limit=1')).json()).links[0].smartlink")
        # Browsers find all names below localhost, Python does not.
        target = urllib.parse.urlsplit(link)
        expect(target.port == urllib.parse.urlsplit(address).port, f"{link} has the port of {address}")
        request = urllib.request.Request(
            address + target.path, headers={"Host": target.netloc, "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"})
        with urllib.request.build_opener(Stay).open(request) as answer:
            expect(answer.status == 302, f"{link}: {answer.status}")
    if wrong:
        sys.exit(1)
    print(f"a demonstration says so on {len(places)} pages, and its links lead somewhere")


main()
