"""Signs in by a provider and by passkeys. Usage: check-sign-in.py PROGRAM FOLDER"""

import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor, cose
from sign_in_check import Browser, running, start, stop, until

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
KEY = "wm_signin0123456789abcdefghijABCDEFGHIJKL"


def api(method, path, value=None):
    request = urllib.request.Request(url + path, json.dumps(value).encode() if value is not None else None,
                                     method=method, headers={"Authorization": f"Bearer {KEY}",
                                                             "Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


# MARK: Provider

def provider(claims):
    log = folder / "provider.log"
    arguments = [sys.executable, "-m", "oidc_provider_mock", "--port", str(PORT)]
    for user in claims:
        arguments += ["--user-claims", json.dumps(user)]
    process = start(arguments, log)

    def answers():
        try:
            return urllib.request.urlopen(f"{ISSUER}/.well-known/openid-configuration")
        except OSError:
            assert process.poll() is None, log.read_text()
            return None
    until(answers, "the provider")
    return process


def sign_in(browser, subject, action="authorize"):
    """To the provider and back; gives the last answer."""
    answer, text = browser.ask("GET", f"{url}/_/oidc")
    if answer.status != 303:
        return answer, text
    form = urllib.parse.urlencode({"sub": subject, "action": action}).encode()
    answer, text = browser.ask("POST", answer.headers["Location"], form, "application/x-www-form-urlencoded")
    assert answer.status in (302, 303), f"{answer.status} {text}"
    return browser.ask("GET", answer.headers["Location"])


def refused(outcome, status, page, line):
    answer, text = outcome
    assert answer.status == status and page in text, f"{answer.status} instead of {status}: {text}"
    assert "<script" not in text
    until(lambda: line in log.read_text(), f"the line {line!r}")


def check(config, status, *parts):
    run = subprocess.run([program, "oidc", "check", "--config", config], capture_output=True, text=True, timeout=60)
    text = run.stdout + run.stderr
    assert run.returncode == status and all(part in text for part in parts), f"{run.returncode}: {text}"


def providers():
    mock = provider([{"sub": "ana", "name": "Ana", "groups": ["marketing"]}, {"sub": "bo", "groups": ["others"]}])
    check(config, 0, ISSUER, "1 usable key", "/_/oidc/callback")
    other = folder / "other.json"
    other.write_text(json.dumps({**CONFIGURATION, "oidc": {**CONFIGURATION["oidc"],
                                                           "issuer": ISSUER.replace("localhost", "127.0.0.1") + "/"}}))
    check(other, 1, "of another issuer")
    ana = Browser()
    answer, text = sign_in(ana, "ana")
    assert answer.status == 303 and answer.headers["Location"] == "/_/", f"{answer.status} {text}"
    session = ana.json("GET", f"{url}/_/session")
    assert session["memberships"] == [{"app": None, "role": "editor"}], session
    refused(sign_in(Browser(), "bo"), 403, "to nobody here", "a sign-in by the provider was refused")
    refused(sign_in(Browser(), "ana", "deny"), 403, "You are not signed in", "a sign-in by the provider failed")
    out = ana.json("DELETE", f"{url}/_/session")
    assert out["logoutURL"].startswith(ISSUER) and "id_token_hint" not in out["logoutURL"], out
    assert ana.ask("GET", f"{url}/_/session")[0].status == 401
    stop(mock)
    check(config, 1, "localhost")
    # What the server learned of the provider still holds; the code can't be exchanged.
    answer, _ = Browser().ask("GET", f"{url}/_/oidc/callback?code=a&state=b")
    assert answer.status == 403
    # A provider that starts again has another key.
    mock = provider([{"sub": "ana", "groups": ["marketing"]}])
    time.sleep(31)
    answer, text = sign_in(Browser(), "ana")
    assert answer.status == 303, f"after a rotation: {answer.status} {text}"
    stop(mock)
    print("provider: signed in by a claim, after a rotation of keys, and out; four refusals said why")


# MARK: Passkeys

def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """Keeps one passkey, as an authenticator that asks for a PIN does."""

    def __init__(self, kind):
        self.key = {"ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
                    "EdDSA": ed25519.Ed25519PrivateKey.generate,
                    "RS256": lambda: rsa.generate_private_key(65537, 2048)}[kind]()
        self.cose = getattr(cose, kind).from_cryptography_key(self.key.public_key())
        self.id, self.count = os.urandom(32), 0

    def sign(self, message):
        if isinstance(self.key, ec.EllipticCurvePrivateKey):
            return self.key.sign(message, ec.ECDSA(hashes.SHA256()))
        if isinstance(self.key, rsa.RSAPrivateKey):
            return self.key.sign(message, padding.PKCS1v15(), hashes.SHA256())
        return self.key.sign(message)

    def begin(self, kind, options, flags):
        self.count += 1
        client = json.dumps({"type": kind, "challenge": options["challenge"], "origin": url,
                             "crossOrigin": False}).encode()
        return client, hashlib.sha256(b"localhost").digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def create(self, options):
        assert self.cose[3] in [parameter["alg"] for parameter in options["pubKeyCredParams"]], options
        self.user = options["user"]["id"]
        client, authenticator = self.begin("webauthn.create", options, 0x45)
        authenticator += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor.encode(self.cose)
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": authenticator})
        return self.credential({"clientDataJSON": text(client), "attestationObject": text(attestation)})

    def get(self, options):
        client, authenticator = self.begin("webauthn.get", options, 0x05)
        signature = self.sign(authenticator + hashlib.sha256(client).digest())
        return self.credential({"clientDataJSON": text(client), "authenticatorData": text(authenticator),
                                "signature": text(signature), "userHandle": self.user})

    def credential(self, response):
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response,
                "clientExtensionResults": {}}


def passkeys():
    for kind in ["ES256", "EdDSA", "RS256"]:
        device, browser = Authenticator(kind), Browser()
        link = api("POST", "/api/v1/people:invite", {"role": "viewer", "name": kind})["link"]
        token = link.split("#invitation=")[1]
        options = browser.json("POST", f"{url}/_/passkeys/options", {"invitation": token})
        made = browser.json("POST", f"{url}/_/passkeys", {"invitation": token, "credential": device.create(options)})
        assert made["person"]["name"] == kind, made
        browser = Browser()
        options = browser.json("POST", f"{url}/_/session/options", {})
        answer = device.get(options)
        assert browser.json("POST", f"{url}/_/session", {"credential": answer}) == 204
        assert browser.json("GET", f"{url}/_/session")["person"]["name"] == kind
        again, problem = Browser().ask("POST", f"{url}/_/session", json.dumps({"credential": answer}).encode())
        assert again.status == 403 and "sign-in-refused" in problem, f"{again.status} {problem}"
        device.key = Authenticator(kind).key
        options = browser.json("POST", f"{url}/_/session/options", {})
        forged, problem = browser.ask(
            "POST", f"{url}/_/session", json.dumps({"credential": device.get(options)}).encode())
        assert forged.status == 403, f"{forged.status} {problem}"
    until(lambda: log.read_text().count("a sign-in was refused") >= 6, "six lines of refusals")
    print("passkeys: ES256, EdDSA and RS256 registered and signed in; copies and forgeries were refused")


PORT = 20_000 + os.getpid() % 10_000
ISSUER = f"http://localhost:{PORT}"
secret = folder / "secret"
secret.write_text("s3cret\n")
CONFIGURATION = {"oidc": {"issuer": ISSUER, "clientID": "waymark", "clientSecretFile": str(secret), "createPeople": True,
                          "roles": {"claim": "groups", "map": {"marketing": "editor"}}}}
config, log = folder / "waymark.json", folder / "waymark.log"
config.write_text(json.dumps(CONFIGURATION))
try:
    start([program, "serve", "--config", config, "--listen", "127.0.0.1:0", "--database", "sqlite::memory:",
           "--public", "Public"], log, WAYMARK_ADMIN_KEY=KEY)
    port = until(lambda: re.search(r"listening on http://127\.0\.0\.1:(\d+)", log.read_text()), "the server")[1]
    url = f"http://localhost:{port}"
    passkeys()
    providers()
except BaseException:
    sys.stderr.write(log.read_text() if log.exists() else "")
    raise
finally:
    for process in list(running):
        stop(process)
