"""Signs in by Glewlwyd, a provider of OpenID Connect that operators run: usage: check-sign-in-glewlwyd.py PROGRAM FOLDER"""

import gzip
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from sign_in_check import Browser, running, start, stop, until

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
PORT = 20_000 + os.getpid() % 10_000
PROVIDER = f"http://localhost:{PORT}"
ISSUER = PROVIDER + "/api/oidc"
SCHEMA = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
# Of the package: what the administrator of a fresh database has.
ADMINISTRATOR = {"username": "admin", "password": "password"}
# Glewlwyd reads the secret of `Authorization: Basic` as it is, without the encoding of RFC 6749: letters and digits are alike in both.
SECRET, PASSWORD = "client-s3cret", "a password of 24 letters"


# MARK: Provider

def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True).stdout


def provider():
    """A server with its own database, as its package's files make one."""
    database = folder / "glewlwyd.db"
    # Users have groups, which the package's file does not know.
    sql = gzip.decompress(SCHEMA.read_bytes()).decode().replace(
        '"data-format":{"picture"', '"data-format":{"groups":{"multiple":true,"read":true,"write":true},"picture"')
    connection = sqlite3.connect(database)
    connection.executescript(sql)
    connection.close()
    settings = pathlib.Path("/etc/glewlwyd/glewlwyd.conf").read_text()
    for name, value in {"port": PORT, "external_url": f'"{PROVIDER}/"', "log_file": f'"{folder}/glewlwyd.log"'}.items():
        settings = re.sub(rf"(?m)^{name}=.*$", f"{name}={value}", settings)
    settings = re.sub(r"(?m)^@include .*$", f'database = {{ type = "sqlite3"\n path = "{database}" }}', settings)
    (folder / "glewlwyd.conf").write_text(settings)
    process = start(["glewlwyd", "--config-file=" + str(folder / "glewlwyd.conf")], folder / "glewlwyd.out")

    def answers():
        assert process.poll() is None, (folder / "glewlwyd.out").read_text()
        try:
            return urllib.request.urlopen(PROVIDER + "/config/")
        except urllib.error.HTTPError:
            return True
        except OSError:
            return None
    until(answers, "the provider")


def settle(callback):
    """As the administrator does on its pages: the plugin, a client, two people."""
    administrator = Browser()
    administrator.json("POST", PROVIDER + "/api/auth", ADMINISTRATOR)
    key = folder / "provider.key"
    key.write_text(openssl("genrsa", "2048"))
    administrator.json("POST", PROVIDER + "/api/mod/plugin", {
        "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": {
            "iss": ISSUER, "subject-type": "public", "jwt-type": "rsa", "jwt-key-size": "256",
            "key": key.read_text(), "cert": openssl("rsa", "-in", str(key), "-pubout"), "jwks-show": True,
            "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 60,
            "refresh-token-rolling": True, "allow-non-oidc": False, "pkce-allowed": True, "pkce-required": True,
            "pkce-method-plain-allowed": False, "auth-type-code-enabled": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-client-enabled": False, "auth-type-device-enabled": False, "auth-type-refresh-enabled": True,
            "allowed-scope": ["openid"], "name-claim": "mandatory", "claims": [
                {"name": "groups", "user-property": "groups", "type": "string", "mandatory": True, "on-demand": False}]}})
    administrator.json("POST", PROVIDER + "/api/client", {
        "client_id": "waymark", "name": "Waymark", "confidential": True, "password": SECRET, "enabled": True,
        "redirect_uri": [callback], "authorization_type": ["code"],
        "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]})
    for name, group in [("ana", "marketing"), ("bo", "others")]:
        administrator.json("POST", PROVIDER + "/api/user", {
            "username": name, "name": name.title(), "password": PASSWORD, "enabled": True,
            "scope": ["openid", "g_profile"], "groups": [group]})


# MARK: Signing in

def sign_in(url, name):
    """As its login page does: password, consent, and back with the code; gives the browser and the last answer."""
    browser = Browser()
    answer, text = browser.ask("GET", url + "/_/oidc")
    assert answer.status == 303, f"{answer.status} {text}"
    begin = answer.headers["Location"]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(begin).query)
    assert query["code_challenge_method"] == ["S256"] and query["nonce"] and query["state"], begin
    answer, _ = browser.ask("GET", begin)
    assert answer.status == 302 and "login.html" in answer.headers["Location"], answer.headers
    browser.json("POST", PROVIDER + "/api/auth", {"username": name, "password": PASSWORD})
    browser.json("PUT", f"{PROVIDER}/api/auth/grant/waymark", {"scope": query["scope"][0]})
    answer, text = browser.ask("GET", begin + "&g_continue")
    assert answer.status == 302 and answer.headers["Location"].startswith(url), f"{answer.status} {answer.headers} {text}"
    return browser, *browser.ask("GET", answer.headers["Location"])


def serve(secret, name):
    """A server with this secret of the client; gives its URL, its configuration and its log."""
    (folder / f"{name}.secret").write_text(secret + "\n")
    config, log = folder / f"{name}.json", folder / f"{name}.log"
    config.write_text(json.dumps({"oidc": {
        "issuer": ISSUER, "clientID": "waymark", "clientSecretFile": str(folder / f"{name}.secret"),
        "createPeople": True, "roles": {"claim": "groups", "map": {"marketing": "editor"}}}}))
    process = start([program, "serve", "--config", config, "--listen", f"127.0.0.1:{PORT + 1}", "--database", "sqlite::memory:",
                     "--public", "Public"], log, WAYMARK_ADMIN_KEY="wm_signin0123456789abcdefghijABCDEFGHIJKL")
    until(lambda: "listening on http" in log.read_text(), "the server")
    return process, config, log


def main():
    url = f"http://localhost:{PORT + 1}"
    provider()
    settle(url + "/_/oidc/callback")
    server, config, log = serve(SECRET, "right")
    run = subprocess.run([program, "oidc", "check", "--config", config], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and ISSUER in run.stdout, f"{run.returncode}: {run.stdout}{run.stderr}"
    browser, answer, text = sign_in(url, "ana")
    assert answer.status == 303 and answer.headers["Location"] == "/_/", f"{answer.status} {text}\n{log.read_text()}"
    session = browser.json("GET", url + "/_/session")
    assert session["memberships"] == [{"app": None, "role": "editor"}] and session["person"]["name"] == "Ana", session
    _, answer, text = sign_in(url, "bo")
    assert answer.status == 403 and "to nobody here" in text, f"{answer.status} {text}"
    browser.json("DELETE", url + "/_/session")
    assert browser.ask("GET", url + "/_/session")[0].status == 401
    stop(server)

    server, config, log = serve("another secret", "wrong")
    _, answer, text = sign_in(url, "ana")
    assert answer.status == 403 and "You are not signed in" in text, f"{answer.status} {text}"
    line = until(lambda: next((line for line in log.read_text().splitlines() if "a sign-in by the provider failed" in line), None),
                 "the line of the refusal")
    assert "does not accept the client's id or secret" in line, line
    print("Glewlwyd: discovered, signed in with code, PKCE and a claim for roles, and out; a person without a role and a wrong"
          f" secret were refused: {line.split(' ', 1)[1]}")


try:
    main()
except BaseException:
    for name in ["right.log", "wrong.log", "glewlwyd.log"]:
        if (folder / name).exists():
            sys.stderr.write((folder / name).read_text()[-4000:])
    raise
finally:
    for process in list(running):
        stop(process)
