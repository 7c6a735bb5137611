"""Receives webhooks: verifies each, stores it as inbox/ID.json, answers. A worker of yours takes it from there."""
import base64
import hmac
import http.server
import os
import pathlib
import re
import time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
INBOX = pathlib.Path("inbox")
if len(KEY) < 24:
    raise SystemExit("WEBHOOK_SECRET is empty or too short")


def is_genuine(id, timestamp, signatures, body):
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,200}", id) or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, f"{id}.{timestamp}.".encode() + body, "sha256"))
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1 << 20))
        id, timestamp, signatures = (self.headers.get("webhook-" + name, "") for name in ["id", "timestamp", "signature"])
        if genuine := is_genuine(id, timestamp, signatures, body):
            file = INBOX / f"{id}.json"
            if not file.exists():  # Else it was received before.
                file.with_suffix(".part").write_bytes(body)
                file.with_suffix(".part").rename(file)
        self.send_response(204 if genuine else 400)
        self.end_headers()


INBOX.mkdir(exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()
