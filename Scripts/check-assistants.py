"""Talks to the server as an assistant does, with the protocol's own client. Usage: check-assistants.py PROGRAM URL KEY

Every tool is called over HTTP and over standard input and output; the client holds each result to the schema of its tool."""

import asyncio
import json
import os
import sys
import urllib.request

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

program, url, key = sys.argv[1:]
AASA = '{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "/*"}]}]}}'

# What is called, its arguments, and a member of the answer with its value; a status is a refusal.
CALLS = [
    ("create_link", {"slug": "{way}", "urls": {"web": "https://example.com/"},
                     "tags": ["{way}"], "metadata": {"coupon": 20}}, "slug", "{way}"),
    ("create_link", {"slug": "{way}", "urls": {"web": "https://example.com/b"}}, "status", 409),
    ("create_link", {"slug": "{way}2", "url": {}}, "status", 422),
    ("find_links", {"tag": "{way}", "limit": 1, "count": True}, "cursor", None),
    ("update_link", {"domain": "localhost", "slug": "{way}", "title": "T", "ifMatch": '"1"'}, "version", 2),
    ("update_link", {"domain": "localhost", "slug": "{way}", "title": "U", "ifMatch": '"1"'}, "status", 412),
    ("link_statistics", {"domain": "localhost", "slug": "{way}", "by": "country"}, "by", "country"),
    ("top_links", {}, "interval", "total"),
    ("explain_visit", {"url": "{url}/{way}"}, "outcome", "redirect"),
    ("lint_association", {"document": AASA}, "kind", "apple-app-site-association"),
    ("simulate_association", {"document": AASA, "url": "https://example.com/a"}, "opens", True),
    ("import_dry_run", {"source": "csv", "map": {"slug": "slug", "to": "urls.web"},
                        "file": "slug,to\n{way}3,https://example.com/\n"}, "state", "finished"),
]


def filled(value, way):
    if isinstance(value, str):
        return value.replace("{way}", way).replace("{url}", url)
    if isinstance(value, dict):
        return {name: filled(member, way) for name, member in value.items()}
    return [filled(element, way) for element in value] if isinstance(value, list) else value


async def talk(way, transport, mode):
    async with Client(transport, mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        missing = sorted(set(tools) - {call[0] for call in CALLS})
        assert not missing, f"no call is made of {missing}"
        for name, arguments, member, value in CALLS:
            result = await client.call_tool(name, filled(arguments, way))
            answer = result.structured_content
            assert result.is_error == (member == "status"), f"{way}: {name}: {answer}"
            assert answer[member] == filled(value, way), f"{way}: {name}: {member} is {answer[member]}"
    print(f"{way}: {len(CALLS)} calls of {len(tools)} tools")


async def main():
    headers = {"Authorization": f"Bearer {key}"}
    application = json.dumps({"id": "assistants", "name": "Assistants"}).encode()
    urllib.request.urlopen(urllib.request.Request(
        f"{url}/api/v1/apps/assistants", application, {**headers, "Content-Type": "application/json"}, method="PUT"))
    # A client that asks for later revisions first, and one that does not.
    for way, mode in [("http", "legacy"), ("http-auto", "auto")]:
        async with create_mcp_http_client(headers=headers) as http:
            await talk(way, streamable_http_client(f"{url}/_/mcp", http_client=http), mode)
    for way, mode in [("stdio", "legacy"), ("stdio-auto", "auto")]:
        server = StdioServerParameters(command=program, args=["mcp", "--url", url],
                                       env={**os.environ, "WAYMARK_KEY": key})
        await talk(way, stdio_client(server), mode)


asyncio.run(main())
