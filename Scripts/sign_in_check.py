"""What Scripts/check-sign-in.py and Scripts/check-sign-in-glewlwyd.py share: processes that end with them, and a browser without pages."""

import json
import os
import subprocess
import time
import urllib.error
import urllib.request

running = []


def start(arguments, log, **environment):
    process = subprocess.Popen(arguments, stdout=open(log, "w"), stderr=subprocess.STDOUT,
                               env={**os.environ, **environment})
    running.append(process)
    return process


def stop(process):
    running.remove(process)
    process.terminate()
    process.wait()


def until(condition, what):
    for _ in range(200):
        if value := condition():
            return value
        time.sleep(0.1)
    raise AssertionError(f"{what} did not come")


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """With cookies by host and port, which follows no redirect by itself."""

    def __init__(self):
        self.opener = urllib.request.build_opener(Stay, urllib.request.HTTPCookieProcessor())

    def ask(self, method, target, body=None, kind="application/json"):
        # Python names the host with its own suffix; a host without a dot has no cookies.
        request = urllib.request.Request(target, body, method=method, headers={
            "Sec-Fetch-Site": "same-origin", "X-Waymark-Dashboard": "1", **({"Content-Type": kind} if body else {})})
        try:
            answer = self.opener.open(request, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        return answer, answer.read().decode()

    def json(self, method, target, value=None):
        answer, text = self.ask(method, target, json.dumps(value).encode() if value is not None else None)
        assert answer.status < 300, f"{method} {target}: {answer.status} {text}"
        return json.loads(text) if text else answer.status
