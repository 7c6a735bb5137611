#!/usr/bin/env python3
"""check-clickhouse.py PROGRAM FOLDER CHDB [--measure]: see Scripts/check-clickhouse."""

import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
USER, PASSWORD = "waymark", "a/secret+&"
AGENTS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
]
LINKS = 40
CHAOS_SECONDS = 20
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

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
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
    def __init__(self, program, folder, clickhouse):
        self.program, self.folder, self.port = program, folder, free_port()
        (folder / "password").write_text(PASSWORD + "\n")
        (folder / "apps.json").write_text(json.dumps(
            [{"id": "shop", "domains": ["localhost"], "web": {"baseURL": "https://shop.example.com/"}}]))
        self.config = folder / "waymark.json"
        self.config.write_text(json.dumps({
            "listen": [f"127.0.0.1:{self.port}"], "database": f"sqlite:{folder}/waymark.sqlite", "applications": "apps.json",
            "public": str(ROOT / "Public"), "clicks": {"flushSeconds": 1}, "accessLog": False,
            "clickhouse": {"url": f"http://127.0.0.1:{clickhouse}", "database": "clicks", "user": USER, "passwordFile": "password"}}))
        self.key = "wm_" + "k" * 40
        os.environ["WAYMARK_ADMIN_KEY"] = self.key
        self.process = Process([program, "serve", "--config", str(self.config)], folder / "service.log", self.port)

    def command(self, *arguments, status=0):
        done = subprocess.run(
            [self.program, "clickhouse", *arguments, "--config", str(self.config)], capture_output=True, text=True, timeout=120)
        assert done.returncode == status, f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def make_links(self):
        links = [{"slug": f"l{number}", "urls": {"web": f"https://shop.example.com/{number}"}} for number in range(LINKS)]
        for link in links:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            connection.request(
                "POST", "/api/v1/links", json.dumps(link),
                {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()
            connection.close()

    def metric(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        found = re.search(rf"^{name} (\S+)$", connection.getresponse().read().decode(), re.MULTILINE)
        connection.close()
        return float(found[1]) if found else None


def visit(service, stop, counts):
    """Visits links over one connection, many requests at a time, until `stop` is set."""
    chance = random.Random(threading.get_ident())
    while not stop.is_set():
        try:
            with socket.create_connection(("127.0.0.1", service.port), 5) as connection:
                connection.settimeout(10)
                while not stop.is_set():
                    requests = "".join(
                        f"GET /l{chance.randrange(LINKS)} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: {chance.choice(AGENTS)}\r\n"
                        f"Accept-Language: {chance.choice(['de', 'en', 'fr'])}\r\n\r\n" for _ in range(50))
                    connection.sendall(requests.encode())
                    answers = 0
                    rest = b""
                    while answers < 50:
                        data = connection.recv(65536)
                        if not data:
                            raise OSError
                        answers += (rest[-11:] + data).count(b"HTTP/1.1 30") - rest[-11:].count(b"HTTP/1.1 30")
                        rest = data
                    counts.append(50)
        except OSError:
            time.sleep(0.05)


def chaos(service, engine, wire, seed):
    """Kills what can be killed, for some time."""
    chance = random.Random(seed)
    deadline = time.monotonic() + CHAOS_SECONDS
    done = []
    while time.monotonic() < deadline:
        time.sleep(chance.uniform(0.2, 1.2))
        deed = chance.choice(["service", "engine", "cut", "cut", "deaf", "deaf"])
        done.append(deed)
        if deed == "service":
            service.process.end()
            service.process.start()
        elif deed == "engine":
            engine.process.end()
            time.sleep(chance.uniform(0, 1))
            engine.process.start()
        elif deed == "cut":
            wire.cut()
        else:
            wire.is_deaf = True
            time.sleep(chance.uniform(0.1, 1.5))
            wire.is_deaf = False
    return ", ".join(f"{done.count(deed)} {deed}" for deed in sorted(set(done)))


def shipped(service):
    return service.metric("waymark_clickhouse_waiting_clicks") == 0 and service.metric("waymark_click_records_waiting") == 0


def check_board(engine):
    """Runs the queries of Grafana's dashboard, with the macros of its data source replaced by what they stand for."""
    board = json.loads((ROOT / "deploy/grafana/clicks.json").read_text())
    variables = {"${database}": "clicks", "${app:singlequote}": "'shop'"}
    begin, end = "toDateTime(now() - 86400)", "toDateTime(now() + 86400)"
    macros = {
        "$__timeFilter(time)": f"time >= {begin} AND time <= {end}", "$__timeInterval(time)": "toStartOfInterval(time, INTERVAL 60 second)",
        "$__fromTime": begin, "$__toTime": end,
    }
    queries = [target["rawSql"] for panel in board["panels"] for target in panel["targets"]]
    queries += [variable["query"] for variable in board["templating"]["list"] if variable["type"] == "query"]
    for query in queries:
        for macro, text in (macros | variables).items():
            query = query.replace(macro, text)
        assert "$" not in query, query
        rows = engine.query(query + " FORMAT TabSeparated")
        assert rows or "campaign" in query or "rule" in query or "inApp" in query, query


def check(name, engine, program, folder):
    wire = Wire(engine.port)
    engine.process.start()
    service = Service(program, folder, wire.port)
    service.command("check", status=2)
    print(f"{name}: {service.command('migrate').strip().splitlines()[0]}", flush=True)
    service.command("migrate")
    service.process.start()
    service.make_links()
    stop, counts = threading.Event(), []
    visitors = [threading.Thread(target=visit, args=(service, stop, counts), daemon=True) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    seed = random.randrange(1 << 32)
    deeds = chaos(service, engine, wire, seed)
    stop.set()
    for visitor in visitors:
        visitor.join()
    eventually("everything shipped", lambda: shipped(service), 120)
    said = service.command("check").strip()
    rows, unique, queries = engine.query(
        "SELECT count(), uniqExact(link, day, block, place), uniqExact(shipment) FROM clicks.clicks")[0]
    print(f"{name}: {deeds} (seed {seed}); {sum(counts)} visits, {rows} rows in {queries} shipments; {said}", flush=True)
    assert rows == unique and int(rows) > 0, (rows, unique)
    assert said.startswith(f"{rows} click"), said
    assert PASSWORD not in (folder / "service.log").read_text(), "the password is in the log"

    # The server of 2018 lacks functions that the queries need.
    if name == "chdb":
        check_board(engine)
    # A click twice, then a block that is lost.
    link, block = engine.query("SELECT link, block FROM clicks.clicks ORDER BY link DESC, block DESC LIMIT 1")[0]
    block_rows = f"link = {link} AND block = {block}"
    engine.query(f"INSERT INTO clicks.clicks SELECT * FROM clicks.clicks WHERE {block_rows} LIMIT 1")
    twice = service.command("check", "--patience", "1", status=1)
    assert f"block {block}:" in twice and "twice" in twice, twice
    engine.query(f"ALTER TABLE clicks.clicks DELETE WHERE {block_rows}")
    eventually("the deletion", lambda: engine.number(f"SELECT count() FROM clicks.clicks WHERE {block_rows}") == 0)
    lost = service.command("check", "--patience", "1", status=1)
    assert f"block {block}:" in lost and "0 in ClickHouse" in lost, lost
    print(f"{name}: a double and a loss are found: {twice.splitlines()[1]}; {lost.splitlines()[1]}", flush=True)
    engine.process.end()
    service.command("check", status=2)
    service.process.end(signal.SIGTERM)


def measure(name, engine, program, folder):
    """Clicks a second through the one dispatcher, from a database that has all of them."""
    engine.process.start()
    service = Service(program, folder, engine.port)
    service.command("migrate")
    service.process.start()
    service.make_links()
    time.sleep(3)  # Until shipping is on.
    engine.process.end()
    stop, counts = threading.Event(), []
    visitors = [threading.Thread(target=visit, args=(service, stop, counts), daemon=True) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    time.sleep(40)
    stop.set()
    for visitor in visitors:
        visitor.join()
    eventually("records are written", lambda: service.metric("waymark_click_records_waiting") == 0)
    service.process.end(signal.SIGTERM)
    engine.process.start()
    began = time.monotonic()
    service.process.start()
    first = None
    while engine.number("SELECT count() FROM clicks.clicks") < sum(counts) and time.monotonic() - began < 120:
        if first is None and engine.number("SELECT count() FROM clicks.clicks") > 0:
            first = time.monotonic()
        time.sleep(0.02)
    seconds = time.monotonic() - began
    rows, batches = engine.query("SELECT count(), uniqExact(shipment) FROM clicks.clicks")[0]
    print(f"{name}: {rows} clicks in {seconds:.1f} s with the start of the service, {int(rows) / seconds:,.0f} a second, "
          f"{batches} batches of {int(rows) // max(1, int(batches))} rows", flush=True)
    stored = engine.number("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'clicks' AND table = 'clicks'")
    print(f"{name}: {stored / int(rows):.1f} bytes a click on disk", flush=True)
    service.process.end(signal.SIGTERM)
    engine.process.end()


def main():
    program, folder, chdb, *options = sys.argv[1:]
    engines = []
    if chdb:
        engines.append(("chdb", lambda place: chdb_engine(place, chdb)))
    if shutil.which("clickhouse-server"):
        engines.append(("clickhouse-server", debian_engine))
    for name, make in engines:
        place = pathlib.Path(folder) / name
        place.mkdir()
        engine = make(place)
        try:
            (measure if "--measure" in options else check)(name, engine, program, place)
        finally:
            engine.process.end()


main()
