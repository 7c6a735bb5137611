"""What Scripts/check-clickhouse.py starts: the service, the engines of ClickHouse, and the wire between them."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINKS = 40
# Of two applications, with as many links each.
HOSTS = {"localhost": "shop", "other.example": "other"}
USER, PASSWORD = "waymark", "a/secret+&"
DEBIAN = """<yandex>
<logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>{port}</http_port><tcp_port>{other}</tcp_port>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><format_schema_path>{folder}/formats/</format_schema_path>
<mark_cache_size>67108864</mark_cache_size><users_config>{folder}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone>
</yandex>"""
QUOTA = "<duration>3600</duration>" + "".join(
    f"<{name}>0</{name}>" for name in ("queries", "errors", "result_rows", "read_rows", "execution_time"))
USERS = f"""<yandex><profiles><default/></profiles>
<users><{USER}><password>{PASSWORD.replace("&", "&amp;")}</password><networks><ip>::/0</ip></networks><profile>default</profile>
<quota>default</quota></{USER}></users><quotas><default><interval>{QUOTA}</interval></default></quotas></yandex>"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def eventually(what, condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"not within {seconds} s: {what}")
        time.sleep(0.05)


class Process:
    """A program that is started again after it was killed."""

    def __init__(self, command, log, port):
        self.command, self.log, self.port, self.process = command, log, port, None

    def open(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)

    def start(self):
        self.open()
        eventually(f"an answer of {self.command[0]}, see {self.log}", self.answers)

    def answers(self):
        if self.process.poll() is not None:
            sys.exit(f"{self.command[0]} ended:\n" + pathlib.Path(self.log).read_text(errors="replace")[-3000:])
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def end(self, number=signal.SIGKILL):
        if self.process:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None


class Wire:
    """What is between the service and ClickHouse: passes bytes on, until it is cut."""

    def __init__(self, target):
        self.target, self.open, self.lock, self.is_deaf = target, set(), threading.Lock(), False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                client.close()
                continue
            with self.lock:
                self.open |= {client, server}
            threading.Thread(target=self.pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(server, client, True), daemon=True).start()

    def pump(self, source, target, is_answer):
        try:
            while data := source.recv(65536):
                if is_answer and self.is_deaf:
                    break  # The request arrived, and its answer is lost.
                target.sendall(data)
        except OSError:
            pass
        self.drop([source, target])

    def drop(self, sockets):
        for one in sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()
        with self.lock:
            self.open -= set(sockets)

    def cut(self):
        with self.lock:
            sockets = list(self.open)
        self.drop(sockets)


class Engine:
    def __init__(self, process):
        self.process, self.port = process, process.port

    def query(self, text):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/", text, {"X-ClickHouse-User": USER, "X-ClickHouse-Key": PASSWORD})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        assert answer.status == 200, f"{text}: {body}"
        return [line.split("\t") for line in body.split("\n") if line]

    def number(self, text):
        return int(self.query(text)[0][0])


def chdb_engine(folder, python):
    port = free_port()
    command = [python, str(ROOT / "Tests/ClickHouse/server.py"), str(folder), str(port), USER, PASSWORD]
    return Engine(Process(command, folder / "engine.log", port))


def debian_engine(folder):
    port = free_port()
    for name in ("data", "tmp", "formats"):
        (folder / name).mkdir()
    (folder / "config.xml").write_text(DEBIAN.format(folder=folder, port=port, other=free_port()))
    (folder / "users.xml").write_text(USERS)
    return Engine(Process([shutil.which("clickhouse-server"), f"--config-file={folder}/config.xml"], folder / "engine.log", port))


class Service:
    def __init__(self, program, folder, clickhouse, database=None):
        self.program, self.folder, self.port = program, folder, free_port()
        (folder / "password").write_text(PASSWORD + "\n")
        (folder / "apps.json").write_text(json.dumps(
            [{"id": app, "domains": [host], "web": {"baseURL": "https://shop.example.com/"}} for host, app in HOSTS.items()]))
        self.config = folder / "waymark.json"
        self.settings = {
            "listen": [f"127.0.0.1:{self.port}"], "database": database or f"sqlite:{folder}/waymark.sqlite", "applications": "apps.json",
            "public": str(ROOT / "Public"), "clicks": {"flushSeconds": 1}, "accessLog": False, "trustedProxies": ["127.0.0.1"],
            "clickhouse": {"url": f"http://127.0.0.1:{clickhouse}", "database": "clicks", "user": USER, "passwordFile": "password"}}
        self.config.write_text(json.dumps(self.settings))
        self.key = "wm_" + "k" * 40
        os.environ["WAYMARK_ADMIN_KEY"] = self.key
        self.process = Process([program, "serve", "--config", str(self.config)], folder / "service.log", self.port)

    def set_retention(self, days):
        self.settings["clicks"]["retentionDays"] = days
        self.config.write_text(json.dumps(self.settings))

    def command(self, *arguments, status=0):
        return self.run("clickhouse", *arguments, status=status)

    def run(self, *arguments, status=0):
        done = subprocess.run(
            [self.program, *arguments, "--config", str(self.config)], capture_output=True, text=True, timeout=120)
        assert done.returncode == status, f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def make_links(self):
        for host, app in HOSTS.items():
            for number in range(LINKS):
                link = {"app": app, "domain": host, "slug": f"l{number}", "urls": {"web": f"https://shop.example.com/{number}"}}
                status, body = self.call("POST", "/api/v1/links", link)
                assert status == 201, body

    def call(self, method, path, value=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(
            method, path, None if value is None else json.dumps(value),
            {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def metric(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        found = re.search(rf"^{name} (\S+)$", connection.getresponse().read().decode(), re.MULTILINE)
        connection.close()
        return float(found[1]) if found else None
