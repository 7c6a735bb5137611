"""Visits for Scripts/check-clickhouse.py, what dies meanwhile, and what is planted afterwards."""

import random
import socket
import threading
import time

from clickhouse_programs import LINKS, eventually

AGENTS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
]
CHAOS_SECONDS = 8
# The days of the visits: each day of a check is a query.
RECENT = ["--from", time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86_400))]
# Between requests of a visitor, in seconds: what counts is that everything dies under load, and each click is compared afterwards.
PAUSE = 0.005


def visit(service, stop, counts, sent=None):
    """Visits links over one connection, many requests at a time, until `stop` is set. `counts` gets those answered, `sent` all of them."""
    chance = random.Random(threading.get_ident())
    while not stop.is_set():
        try:
            with socket.create_connection(("127.0.0.1", service.port), 5) as connection:
                connection.settimeout(10)
                while not stop.is_set():
                    requests = "".join(
                        f"GET /l{chance.randrange(LINKS)} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: {chance.choice(AGENTS)}\r\n"
                        f"Accept-Language: {chance.choice(['de', 'en', 'fr'])}\r\n\r\n" for _ in range(50))
                    if sent is not None:
                        sent.append(50)
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
                    time.sleep(PAUSE)
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


def check_planted(name, engine, service):
    """`waymark clickhouse check` finds a click that is there twice, then a block that is lost."""
    link, block = engine.query("SELECT link, block FROM clicks.clicks WHERE day >= today() - 1 ORDER BY link DESC, block DESC LIMIT 1")[0]
    block_rows = f"link = {link} AND block = {block}"
    engine.query(f"INSERT INTO clicks.clicks SELECT * FROM clicks.clicks WHERE {block_rows} LIMIT 1")
    twice = service.command("check", *RECENT, "--patience", "1", status=1)
    assert f"block {block}:" in twice and "twice" in twice, twice
    engine.query(f"ALTER TABLE clicks.clicks DELETE WHERE {block_rows}")
    eventually("the deletion", lambda: engine.number(f"SELECT count() FROM clicks.clicks WHERE {block_rows}") == 0)
    lost = service.command("check", *RECENT, "--patience", "1", status=1)
    assert f"block {block}:" in lost and "0 in ClickHouse" in lost, lost
    print(f"{name}: a double and a loss are found: {twice.splitlines()[1]}; {lost.splitlines()[1]}", flush=True)
