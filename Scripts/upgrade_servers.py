"""PostgreSQL and servers of one's own, for the checks of upgrades: Scripts/check-rolling, Scripts/check-upgrade."""
import glob
import http.client
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

HOST = "go.example.com"
KEY = "wm_0123456789abcdefghijABCDEFGHIJ0123456789"


class Database:
    def __init__(self):
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True) + os.environ["PATH"].split(":")
        self.programs = next((f for f in folders if os.path.exists(f + "/initdb") and os.path.exists(f + "/createdb")), None)
        if self.programs is None:
            raise SystemExit("install postgresql: Scripts/bootstrap postgresql")
        self.folder = tempfile.mkdtemp(prefix="waymark-rolling-", dir="/tmp")
        os.chmod(self.folder, 0o700)
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.run("initdb", "-D", self.data, "-U", "waymark", "-A", "trust", "--no-sync", "-E", "UTF8")
        self.run(
            "pg_ctl", "start", "-w", "-D", self.data, "-o", f"-k {self.folder} -c listen_addresses=''",
            "-l", self.folder + "/log")
        self.run("createdb", "-h", self.folder, "-U", "waymark", "links")
        self.url = f"postgres://waymark@/links?host={self.folder}"

    @property
    def data(self):
        return self.folder + "/data"

    def run(self, program, *arguments):
        subprocess.run(
            self.user + [self.programs + "/" + program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/tmp")

    def stop(self):
        self.run("pg_ctl", "stop", "-m", "immediate", "-D", self.data)
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    def __init__(self, name, program, port, url, folder):
        self.name, self.port = name, port
        environment = dict(os.environ, WAYMARK_ADMIN_KEY=KEY)
        self.log = open(f"{folder}/{name}.log", "wb")
        self.process = subprocess.Popen(
            [os.path.abspath(program), "serve", "--listen", f"127.0.0.1:{port}", "--database", url],
            env=environment, stdout=self.log, stderr=self.log, cwd=folder)
        self.local = threading.local()
        for _ in range(300):
            try:
                if self.request("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.process.kill()
        self.process.wait()
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            raise SystemExit(f"the {name} server does not start:\n{log.read()[-2000:]}")

    def request(self, method, path, body=None, key=None, headers=None):
        """Status, fields and body. A connection for each thread."""
        fields = {"Host": HOST, **(headers or {})}
        if key:
            fields["Authorization"] = "Bearer " + key
        if body is not None:
            fields["Content-Type"] = "application/json"
            body = json.dumps(body)
        for attempt in range(2):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                connection.request(method, path, body, fields)
                answer = connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                self.local.connection = None
                # Only what is safe to repeat.
                if attempt == 1 or method != "GET":
                    raise

    def call(self, method, path, body=None):
        status, _, answer = self.request(method, "/api/v1" + path, body, KEY)
        return status, json.loads(answer) if answer else {}

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
