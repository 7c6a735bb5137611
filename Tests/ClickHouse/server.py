#!/usr/bin/env python3
"""ClickHouse's engine (chdb) behind its HTTP interface, as far as Waymark uses it: one query after the other.

server.py FOLDER PORT USER PASSWORD: keeps its tables in the folder, also when it is killed.
"""

import pathlib
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chdb import session

folder, port, user, password = sys.argv[1:]
engine = session.Session(str(pathlib.Path(folder) / "tables"))
turn = threading.Lock()
body_file = pathlib.Path(folder) / "body"
# Parameters that are no settings of a query.
OWN = {"query", "query_id", "user", "password", "database", "default_format", "wait_end_of_query"}


def run(query, body, settings):
    form = "TabSeparated"
    found = re.search(r"\s+FORMAT\s+(\w+)\s*$", query)
    if found:
        query, form = query[: found.start()], found[1]
    options = ", ".join(f"{name} = '{value}'" for name, value in settings.items())
    if body is None:
        # A clause of its own may follow only where the statement has none.
        suffix = f" SETTINGS {options}" if options and " SETTINGS " not in query else ""
        return engine.query(query + suffix, form).bytes()
    body_file.write_bytes(body)
    clause = f" SETTINGS {options}" if options else ""
    return engine.query(f"{query} FROM INFILE '{body_file}'{clause} FORMAT {form}", "TabSeparated").bytes()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        if (self.headers.get("X-ClickHouse-User"), self.headers.get("X-ClickHouse-Key", "")) != (user, password):
            text = f"Code: 516. DB::Exception: {user}: Authentication failed. (AUTHENTICATION_FAILED)\n"
            return self.answer(403, text.encode(), 516)
        settings = {name: value for name, value in parameters.items() if name not in OWN}
        query, body = (parameters["query"], data) if "query" in parameters else (data.decode(), None)
        try:
            with turn:
                self.answer(200, run(query, body, settings))
        except Exception as failure:
            text = str(failure).strip().split("\n")[0] + "\n"
            found = re.match(r"Code: (\d+)", text)
            self.answer(404 if found and found[1] in ("60", "81", "115") else 500, text.encode(), found and found[1])

    def answer(self, status, body, code=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if code:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer.daemon_threads = True
server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
print("listening", flush=True)
server.serve_forever()
