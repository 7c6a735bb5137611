"""Compares how several parsers take the same bytes apart. Run by Scripts/differential.

Requests are mutated from the conformance cases and the parser's fixtures; each parser reads each connection to its end.
What two of them disagree about has a class: who refuses, and why. docs/reference/http.md explains every class; one that it does not
explain is a failure, and so is a connection that both accept and read differently.
"""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

import h11
import httptools

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEANINGFUL = [bytes([byte]) for byte in b"\r\n\t :/?#%*,;=\"\\@[]0159AFafGHx\0\x7f\x80\xff"] + [
    b"\r\n", b"\r\n\r\n", b" \r\n", b"\r\n ", b"0\r\n\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n", b"Host: a\r\n", b"HTTP/1.0", b"HTTP/1.1", b"chunked", b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
]


def llhttp(data):
    requests, state = [], {"head": False}

    class Protocol:
        def on_message_begin(self):
            state.update(head=True, url=b"", body=b"")

        def on_url(self, url):
            state["url"] += url

        def on_body(self, body):
            state["body"] += body

        def on_message_complete(self):
            keeps = bool(parser.should_keep_alive())
            requests.append([parser.get_method().decode(), state["url"].hex(), state["body"].hex(), keeps])
            state["head"] = False
            if not keeps:
                raise StopIteration

    parser = httptools.HttpRequestParser(Protocol())
    try:
        parser.feed_data(data)
    except httptools.HttpParserUpgrade:
        return requests, "upgrades", "switches to another protocol"
    except httptools.HttpParserError as error:
        if requests and not requests[-1][3]:
            return requests, "closes", ""
        return requests, "refuses", str(error)
    return requests, "waits", ""


def python_h11(data):
    requests = []
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(data)
    request, body = None, b""
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError as error:
            return requests, "refuses", str(error)
        if event is h11.NEED_DATA:
            return requests, "waits", ""
        if isinstance(event, h11.Request):
            request, body = event, b""
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
        elif isinstance(event, h11.EndOfMessage):
            answer = h11.Response(status_code=404, headers=[("Content-Length", "0")])
            connection.send(answer)
            connection.send(h11.EndOfMessage())
            keeps = connection.our_state is h11.DONE
            requests.append([request.method.decode(), request.target.hex(), body.hex(), keeps])
            if not keeps:
                return requests, "closes", ""
            connection.start_next_cycle()
        else:
            return requests, "upgrades", "switches to another protocol"


def ours(reader, inputs):
    written = "".join(data.hex() + "\n" for data in inputs)
    printed = subprocess.run([reader], input=written.encode(), stdout=subprocess.PIPE, check=True).stdout
    stories = [json.loads(line) for line in printed.decode().splitlines()]
    assert len(stories) == len(inputs), "a story for each connection"
    return [(story["requests"], story["end"], story["reason"]) for story in stories]


def named(reason):
    """A reason without the bytes of the request that some parsers put into it."""
    reason = re.sub(r"b?'(\\.|[^'])*'|b?\"(\\.|[^\"])*\"|bytearray\(.*\)|0x[0-9a-f]+", "…", reason)
    return re.sub(r"\d+", "N", reason).split("\n")[0].strip()


def disagreement(peer, mine, theirs):
    """The class of the first thing that two parsers disagree about, or None."""
    for place in range(max(len(mine[0]), len(theirs[0])) + 1):
        my_request = mine[0][place] if place < len(mine[0]) else None
        their_request = theirs[0][place] if place < len(theirs[0]) else None
        if my_request and their_request:
            if my_request[:3] != their_request[:3]:
                return "both accept, and read different requests"
            if my_request[3] != their_request[3]:
                kept = "we" if my_request[3] else peer
                return f"{kept} alone keeps the connection" if kept == peer else f"{peer} alone closes the connection"
            if not my_request[3]:
                return None
            continue
        my_end = "reads on" if my_request else mine[1]
        their_end = "reads on" if their_request else theirs[1]
        if my_end == their_end:
            return None
        if my_end == "refuses":
            return "we refuse: " + mine[2]
        if their_end in ("refuses", "upgrades"):
            return f"{peer} refuses: {named(theirs[2])}"
        return f"we {my_end}, {peer} {their_end}"
    return None


def mutated(seeds, random_):
    data = bytearray(random_.choice(seeds))
    if random_.random() < 0.2:
        data += random_.choice(seeds)
    for _ in range(random_.randrange(0, 4)):
        place = random_.randrange(len(data) + 1)
        way = random_.randrange(5)
        if way == 0 and data:
            del data[min(place, len(data) - 1)]
        elif way == 1:
            data[place:place] = random_.choice(MEANINGFUL)
        elif way == 2:
            token = random_.choice(MEANINGFUL)
            data[place:place + len(token)] = token
        elif way == 3:
            piece = data[place:place + random_.randrange(1, 24)]
            other = random_.randrange(len(data) + 1)
            data[other:other] = piece
        else:
            other = random_.choice(seeds)
            start = random_.randrange(len(other) + 1)
            data[place:place] = other[start:start + random_.randrange(1, 60)]
    return bytes(data)


def main():
    reader, folder, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    paths = sorted(folder.iterdir()) + sorted((ROOT / "Tests/WaymarkHTTPTests/Fixtures").rglob("*.http"))
    seeds = [data for data in (path.read_bytes() for path in paths) if 0 < len(data) < 3_000]
    random_ = random.Random(seed)
    inputs = seeds + [mutated(seeds, random_) for _ in range(count)]

    page = (ROOT / "docs/reference/http.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(.+)` \| ", page[page.index("## Against other parsers"):], re.MULTILINE))
    classes, examples, agreed = collections.Counter(), {}, collections.Counter()
    stories = ours(reader, inputs)
    for peer, parse in (("llhttp", llhttp), ("h11", python_h11)):
        for data, mine in zip(inputs, stories):
            found = disagreement(peer, mine, parse(data))
            if found is None:
                agreed[peer] += 1
                continue
            # What we refuse by a rule of ours has one reason, whoever does not.
            classes[found] += 1
            if len(data) < len(examples.get(found, data + b" ")):
                examples[found] = data
    print(f"{len(inputs)} connections; " + ", ".join(f"{agreed[peer]} as {peer}" for peer in agreed))
    for name, number in sorted(classes.items(), key=lambda item: -item[1]):
        known = "" if name in explained else "   NOT EXPLAINED, such as " + repr(examples[name])
        print(f"{number:7} {name}{known}")
    missing = set(classes) - explained
    if missing:
        sys.exit(f"{len(missing)} classes that docs/reference/http.md does not explain")


if __name__ == "__main__":
    main()
