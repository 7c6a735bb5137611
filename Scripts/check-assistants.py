"""Talks to the server as an assistant does, with the protocol's own client. Usage: check-assistants.py PROGRAM URL KEY

Every tool is called over HTTP and over standard input and output; the client holds each result to the schema of its tool. Then
the client signs in by OAuth for a person, until that is disabled."""

import asyncio
import html
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientMetadata

program, url, key = sys.argv[1:]
AASA = '{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "/*"}]}]}}'

MANY = {"select": {"tag": "many"}, "patch": {"title": "{way}"}}
ONE = {"select": {"tag": "{way}"}, "addTags": ["seen"]}

# What is called, its arguments, and a member of the answer with its value; a status is a refusal. `{hash}` is that of the last plan.
CALLS = [
    ("create_link", {"slug": "{way}", "urls": {"web": "https://example.com/"},
                     "tags": ["{way}"], "metadata": {"coupon": 20}}, "slug", "{way}"),
    ("create_link", {"slug": "{way}", "urls": {"web": "https://example.com/b"}}, "status", 409),
    ("create_link", {"slug": "{way}2", "url": {}}, "status", 422),
    ("find_links", {"tag": "{way}", "limit": 1, "count": True}, "cursor", None),
    ("update_link", {"domain": "localhost", "slug": "{way}", "title": "T", "ifMatch": '"1"'}, "version", 2),
    ("update_link", {"domain": "localhost", "slug": "{way}", "title": "U", "ifMatch": '"1"'}, "status", 412),
    ("change_links", MANY, "status", 428),
    ("plan_change", MANY, "changed", 11),
    ("change_links", {**MANY, "plan": "{hash}", "addTags": ["other"]}, "status", 412),
    ("change_links", {**MANY, "plan": "{hash}"}, "changed", 11),
    ("change_links", {**MANY, "plan": "{hash}"}, "status", 428),
    ("rehearse_change", {**ONE, "days": 2}, "changed", 1),
    ("change_links", {**ONE, "plan": "{hash}"}, "changed", 1),
    ("explain_difference", {"url": "{url}/{way}", "from": 1, "to": 2}, "same", True),
    ("verify_links", {"tag": "{way}", "verified": "broken"}, "links", []),
    ("verify_link", {"domain": "localhost", "slug": "{way}-none"}, "status", 404),
    ("link_statistics", {"domain": "localhost", "slug": "{way}", "by": "country"}, "by", "country"),
    ("top_links", {}, "interval", "total"),
    ("explain_visit", {"url": "{url}/{way}"}, "outcome", "redirect"),
    ("lint_association", {"document": AASA}, "kind", "apple-app-site-association"),
    ("simulate_association", {"document": AASA, "url": "https://example.com/a"}, "opens", True),
    ("import_dry_run", {"source": "csv", "map": {"slug": "slug", "to": "urls.web"},
                        "file": "slug,to\n{way}3,https://example.com/\n"}, "state", "finished"),
]


def filled(value, way, plan=""):
    if isinstance(value, str):
        return value.replace("{way}", way).replace("{url}", url).replace("{hash}", plan)
    if isinstance(value, dict):
        return {name: filled(member, way, plan) for name, member in value.items()}
    return [filled(element, way, plan) for element in value] if isinstance(value, list) else value


async def talk(way, transport, mode):
    async with Client(transport, mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        missing = sorted(set(tools) - {call[0] for call in CALLS})
        assert not missing, f"no call is made of {missing}"
        plan = ""
        for name, arguments, member, value in CALLS:
            result = await client.call_tool(name, filled(arguments, way, plan))
            answer = result.structured_content
            plan = answer.get("hash", plan)
            assert result.is_error == (member == "status"), f"{way}: {name}: {answer}"
            assert answer[member] == filled(value, way), f"{way}: {name}: {member} is {answer[member]}"
    print(f"{way}: {len(CALLS)} calls of {len(tools)} tools")


class Remembered:
    """What the client stores."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Browser:
    """A browser in which a person is signed in, and allows what is asked."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    def __init__(self):
        self.opener = urllib.request.build_opener(self.Stay)
        self.cookie = self.answer = ""

    def ask(self, method, target, body=None, kind="application/json", **fields):
        request = urllib.request.Request(urllib.parse.urljoin(url, target), body, method=method, headers={
            "Content-Type": kind, "Cookie": self.cookie, "Sec-Fetch-Site": "same-origin", **fields})
        try:
            return self.opener.open(request)
        except urllib.error.HTTPError as answer:
            return answer

    async def go(self, address):
        away = await asyncio.to_thread(self.ask, "GET", address)
        assert away.status == 303 and away.headers["Location"].startswith("/_/#authorize="), away.status
        started = await asyncio.to_thread(
            self.ask, "POST", "/_/session", json.dumps({"proxy": True}).encode(),
            **{"X-Forwarded-User": "ana", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "http"})
        assert started.status == 204, started.read()
        self.cookie = started.headers["Set-Cookie"].split(";")[0]
        page = (await asyncio.to_thread(self.ask, "GET", address)).read().decode()
        assert "Bot" in page and "<script" not in page, page
        fields = {name: html.unescape(value)
                  for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)}
        form = urllib.parse.urlencode({**fields, "decision": "allow"}).encode()
        back = await asyncio.to_thread(
            self.ask, "POST", "/_/oauth/authorize", form, "application/x-www-form-urlencoded")
        assert back.status == 303, back.read()
        self.answer = back.headers["Location"]

    async def callback(self):
        values = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.answer).query))
        return AuthorizationCodeResult(code=values["code"], state=values["state"], iss=values["iss"])


def call(method, path, body):
    return json.load(urllib.request.urlopen(urllib.request.Request(
        url + path, json.dumps(body).encode(), method=method,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})))


async def sign_in():
    ana = call("POST", "/api/v1/people", {
        "name": "Ana", "memberships": [{"app": None, "role": "viewer"}],
        "identities": [{"issuer": "proxy", "subject": "ana"}]})
    browser, remembered = Browser(), Remembered()
    metadata = OAuthClientMetadata(client_name="Bot", redirect_uris=["http://127.0.0.1:47474/callback"])
    provider = OAuthClientProvider(
        f"{url}/_/mcp", metadata, remembered, redirect_handler=browser.go, callback_handler=browser.callback)
    async with create_mcp_http_client(auth=provider) as http:
        async with Client(streamable_http_client(f"{url}/_/mcp", http_client=http)) as client:
            tools = (await client.list_tools()).tools
            assert (await client.call_tool("find_links", {})).structured_content["links"] is not None
            refused = await client.call_tool("create_link", {"urls": {"web": "https://example.com/"}})
            assert refused.structured_content["status"] == 403, refused.structured_content
            call("PATCH", f"/api/v1/people/{ana['id']}", {"disabled": True})
    token = {"Authorization": f"Bearer {remembered.tokens.access_token}", "Content-Type": "application/json"}
    try:
        urllib.request.urlopen(urllib.request.Request(f"{url}/_/mcp", b"{}", token))
        raise AssertionError("the token holds after the person was disabled")
    except urllib.error.HTTPError as answer:
        assert answer.status == 401 and "resource_metadata=" in answer.headers["WWW-Authenticate"], answer.status
    print(f"oauth: {len(tools)} tools for {remembered.tokens.scope}, until the person was disabled")


async def main():
    headers = {"Authorization": f"Bearer {key}"}
    application = json.dumps({"id": "assistants", "name": "Assistants"}).encode()
    urllib.request.urlopen(urllib.request.Request(
        f"{url}/api/v1/apps/assistants", application, {**headers, "Content-Type": "application/json"}, method="PUT"))
    # One more than an assistant changes without a plan.
    for number in range(11):
        call("POST", "/api/v1/links", {"app": "assistants", "slug": f"many{number}", "urls": {"web": "https://example.com/"}, "tags": ["many"]})
    # A client that asks for later revisions first, and one that does not.
    for way, mode in [("http", "legacy"), ("http-auto", "auto")]:
        async with create_mcp_http_client(headers=headers) as http:
            await talk(way, streamable_http_client(f"{url}/_/mcp", http_client=http), mode)
    for way, mode in [("stdio", "legacy"), ("stdio-auto", "auto")]:
        server = StdioServerParameters(command=program, args=["mcp", "--url", url],
                                       env={**os.environ, "WAYMARK_KEY": key})
        await talk(way, stdio_client(server), mode)
    await sign_in()


asyncio.run(main())
