"""Reports with and without ClickHouse, for Scripts/check-clickhouse.py: random questions, equal answers."""

import datetime
import http.client
import json
import random
import signal
import sqlite3
import time
import urllib.parse

from clickhouse_load import AGENTS
from clickhouse_programs import LINKS, eventually

FIELDS = ["platform", "device", "browser", "inApp", "bot", "language", "country", "referrerHost", "campaign", "destination", "rule"]
QUESTIONS = 30
LANGUAGES = ["de", "en", "fr", "pt-BR"]
PAGES = ["news.example.com", "search.example.org", "a.example"]
CAMPAIGNS = ["sale", "it's \\ \"it\"", "-- /* ü", "a%00b%FF", "none", "%27);DROP"]
ZONES = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"]


def make_clicks(service, count, chance):
    """Visits of many kinds of visitors, some of whom ask not to be followed."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    for _ in range(count):
        fields = {
            "Host": "localhost", "User-Agent": chance.choice(AGENTS), "Accept-Language": chance.choice(LANGUAGES),
            "X-Forwarded-For": f"198.51.{chance.randrange(4)}.{chance.randrange(200)}",
        }
        if chance.random() < 0.6:
            fields["Referer"] = f"https://{chance.choice(PAGES)}/x"
        if chance.random() < 0.1:
            fields["DNT"] = "1"
        query = f"?utm_campaign={urllib.parse.quote(chance.choice(CAMPAIGNS), safe='%')}" if chance.random() < 0.6 else ""
        connection.request("GET", f"/l{chance.randrange(LINKS)}{query}", headers=fields)
        connection.getresponse().read()
    connection.close()


def ask(service, path):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    began = time.monotonic()
    connection.request("GET", path, headers={"Authorization": f"Bearer {service.key}"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert time.monotonic() - began < 8, f"{path} took {time.monotonic() - began:.1f} s"
    assert answer.status < 500, (path, answer.status, body)
    return answer.status, json.loads(body)


def question(chance):
    """A report that totals can't answer, mostly; of many links or of one."""
    pairs = []
    is_of_one = chance.random() < 0.3
    for field in chance.sample(FIELDS, chance.randrange(3)):
        value = {
            "platform": ["iphone", "android"], "device": ["phone", "none"], "browser": ["safari", "chrome"], "inApp": ["none"],
            "bot": ["none", "crawler", "search"], "language": ["de", "none"], "country": ["none"], "referrerHost": PAGES + ["none"],
            "campaign": [urllib.parse.unquote(name) for name in CAMPAIGNS] + ["' OR 1=1 --", "\\", "\x00", ""],
            "destination": ["web", "none"], "rule": ["none", "'\\"],
        }[field]
        pairs.append((field, chance.choice(value)))
    by = chance.sample(FIELDS, chance.randrange(2 if is_of_one else 4))
    if by:
        pairs.append(("by", ",".join(by)))
    if is_of_one:
        pairs.append(("interval", chance.choice(["hour", "day"])))
    else:
        for number in chance.sample(range(LINKS), chance.choice([0, 0, 1, 3])):
            pairs.append(("link", f"localhost/l{number}"))
        if chance.random() < 0.3:
            pairs.append(("domain", "localhost"))
        top = chance.sample(["links", "referrers", "countries", "campaigns"], chance.randrange(4))
        if top:
            pairs.append(("top", ",".join(top)))
        pairs.append(("interval", chance.choice(["hour", "day", "total"])))
        pairs.append(("timeZone", chance.choice(ZONES)))
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    start = now - datetime.timedelta(days=chance.choice([0, 1, 7, 20]), minutes=chance.randrange(1440))
    end = now + datetime.timedelta(minutes=chance.randrange(1, 1440))
    pairs += [(name, moment.strftime("%Y-%m-%dT%H:%M:%SZ")) for name, moment in (("from", start), ("to", end))]
    path = f"/api/v1/links/localhost/l{chance.randrange(LINKS)}/clicks" if is_of_one else "/api/v1/clicks"
    return path + "?" + urllib.parse.urlencode(pairs)


def without_moment(answer):
    return {name: value for name, value in answer.items() if name != "asOf"}


def is_shipped(service, engine):
    """Whether ClickHouse has as many clicks as the totals."""
    total = ask(service, "/api/v1/clicks?interval=total")[1]["total"]
    return engine.number("SELECT count() FROM clicks.clicks") == total["people"] + total["bots"] > 0


def move_to_yesterday(service, engine):
    """Some of the blocks: those of today are read from the database. ClickHouse gets them by a backfill."""
    service.process.end(signal.SIGTERM)
    database = sqlite3.connect(service.folder / "waymark.sqlite")
    with database:
        assert database.execute("UPDATE click_block SET day = day - 1 WHERE number % 4 = 0").rowcount > 0
    database.close()
    service.run("check", "--rebuild-totals")
    engine.query("ALTER TABLE clicks.clicks DELETE WHERE block % 4 = 0")
    eventually("the deletion", lambda: engine.number("SELECT count() FROM clicks.clicks WHERE block % 4 = 0") == 0)
    service.process.start()
    service.command("backfill")


def check_reports(name, service, engine, wire, seed):
    """Asks with ClickHouse there, then without it, and compares."""
    chance = random.Random(seed)
    make_clicks(service, 600, chance)
    eventually("the clicks of the reports are shipped", lambda: is_shipped(service, engine))
    move_to_yesterday(service, engine)
    eventually("the clicks of the reports are shipped", lambda: is_shipped(service, engine))
    questions = [question(chance) for _ in range(QUESTIONS)]
    before = service.metric("waymark_clickhouse_queries_total"), service.metric("waymark_clickhouse_failed_queries_total")
    answers = [ask(service, path) for path in questions]
    time.sleep(1)
    queries = service.metric("waymark_clickhouse_queries_total") - before[0]
    failed = service.metric("waymark_clickhouse_failed_queries_total") - before[1]
    assert queries > 3 * QUESTIONS and failed == 0, (queries, failed, (service.folder / "service.log").read_text()[-2000:])
    wire.is_deaf = True
    wire.cut()
    clicks = 0
    for path, (status, there) in zip(questions, answers):
        own_status, own = ask(service, path)
        assert status == own_status, (path, there, own)
        assert without_moment(there) == without_moment(own), f"{path}\nwith ClickHouse: {json.dumps(there)}\nwithout: {json.dumps(own)}"
        clicks += own.get("total", {}).get("people", 0) + own.get("total", {}).get("bots", 0)
    assert clicks > 0
    # Metrics may be a moment old.
    eventually("a failed query is counted", lambda: service.metric("waymark_clickhouse_failed_queries_total") > before[1])
    wire.is_deaf = False
    print(f"{name}: {QUESTIONS} reports with {queries:.0f} queries and without are equal, over {clicks} clicks (seed {seed})", flush=True)
