"""Reports with and without ClickHouse, for Scripts/check-clickhouse.py: random questions about two applications and some days, with
deleted links, and equal answers; also once the database has deleted its records. And counters of apps and conversions."""

import datetime
import http.client
import json
import random
import signal
import sqlite3
import time
import urllib.parse

from clickhouse_load import AGENTS, RECENT
from clickhouse_programs import HOSTS, LINKS, eventually

FIELDS = ["platform", "device", "browser", "inApp", "bot", "language", "country", "referrerHost", "campaign", "destination", "rule"]
QUESTIONS = 30
# Of the clicks, today among them; records of the last ones stay at the end.
DAYS, RETENTION = 5, 2
LANGUAGES = ["de", "en", "fr", "pt-BR"]
PAGES = ["news.example.com", "search.example.org", "a.example"]
CAMPAIGNS = ["sale", "it's \\ \"it\"", "-- /* ü", "a%00b%FF", "none", "%27);DROP"]
ZONES = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"]


def make_clicks(service, count, chance):
    """Visits of many kinds of visitors, some of whom ask not to be followed."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    for _ in range(count):
        fields = {
            "Host": chance.choice(list(HOSTS)), "User-Agent": chance.choice(AGENTS), "Accept-Language": chance.choice(LANGUAGES),
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
    host = chance.choice(list(HOSTS))
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
            pairs.append(("link", f"{host}/l{number}"))
        if chance.random() < 0.4:
            pairs.append(("app", chance.choice(list(HOSTS.values()))))
        if chance.random() < 0.3:
            pairs.append(("domain", host))
        top = chance.sample(["links", "referrers", "countries", "campaigns"], chance.randrange(4))
        if top:
            pairs.append(("top", ",".join(top)))
        pairs.append(("interval", chance.choice(["hour", "day", "total"])))
        pairs.append(("timeZone", chance.choice(ZONES)))
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    start = now - datetime.timedelta(days=chance.choice([0, 1, 7, 20]), minutes=chance.randrange(1440))
    end = now + datetime.timedelta(minutes=chance.randrange(1, 1440))
    pairs += [(name, moment.strftime("%Y-%m-%dT%H:%M:%SZ")) for name, moment in (("from", start), ("to", end))]
    path = f"/api/v1/links/{host}/l{chance.randrange(LINKS)}/clicks" if is_of_one else "/api/v1/clicks"
    return path + "?" + urllib.parse.urlencode(pairs)


def without_moment(answer):
    return {name: value for name, value in answer.items() if name != "asOf"}


def is_shipped(service, engine):
    """Whether ClickHouse has as many clicks as the totals."""
    total = ask(service, "/api/v1/clicks?interval=total")[1]["total"]
    return engine.number("SELECT count() FROM clicks.clicks") == total["people"] + total["bots"] > 0


def make_counters(service):
    """Opens and conversions of both applications."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    for host in HOSTS:
        events = [
            {"id": f"{host} {number}", "type": "open", "platform": "ios", "at": now, "smartlink": f"https://{host}/l{number % 7}"}
            for number in range(20)]
        status, body = service.call("POST", "/api/v1/events", {"events": events})
        assert status in (200, 202), body
        conversions = [
            {"id": f"{host} {number}", "name": f"sale {number % 3}", "at": now, "smartlink": f"https://{host}/l{number % 7}",
             "value": {"amount": f"{number}.25", "currency": "EUR"}} for number in range(20)]
        status, body = service.call("POST", "/api/v1/conversions", {"conversions": conversions})
        assert status in (200, 202), body


def move_to_earlier_days(service, engine):
    """Most of the blocks, and all counters: those of today are read from the database. ClickHouse gets them by a backfill."""
    service.process.end(signal.SIGTERM)
    database = sqlite3.connect(service.folder / "waymark.sqlite")
    with database:
        assert database.execute(f"UPDATE click_block SET day = day - number % {DAYS} WHERE number % {DAYS} > 0").rowcount > 0
        for table in ("link_activity", "conversion"):
            assert database.execute(f"UPDATE {table} SET day = day - 1").rowcount > 0
    database.close()
    service.run("check", "--rebuild-totals")
    moved = f"block % {DAYS} > 0"
    engine.query(f"ALTER TABLE clicks.clicks DELETE WHERE {moved}")
    eventually("the deletion", lambda: engine.number(f"SELECT count() FROM clicks.clicks WHERE {moved}") == 0)
    service.process.start()
    service.command("backfill")


def are_counters_shipped(engine):
    opens = engine.number("SELECT sum(opens) FROM clicks.activity_day FINAL WHERE day = today() - 1")
    conversions, value = engine.query("SELECT sum(conversions), sum(value) FROM clicks.conversion_day FINAL WHERE day = today() - 1")[0]
    return opens == 40 and int(conversions) == 40 and float(value) == 390


def answers(service, questions):
    return [ask(service, path) for path in questions]


def check_equal(questions, one, other):
    for path, (status, first), (other_status, second) in zip(questions, one, other):
        assert status == other_status, (path, first, second)
        assert without_moment(first) == without_moment(second), f"{path}\n{json.dumps(first)}\n{json.dumps(second)}"


def check_reports(name, service, engine, wire, seed):
    """Asks with ClickHouse there, without it, and with it and few own records, and compares."""
    chance = random.Random(seed)
    make_clicks(service, 600, chance)
    make_counters(service)
    eventually("the clicks of the reports are shipped", lambda: is_shipped(service, engine))
    move_to_earlier_days(service, engine)
    eventually("the clicks of the reports are shipped", lambda: is_shipped(service, engine))
    eventually("counters are shipped", lambda: are_counters_shipped(engine))
    service.command("check", *(RECENT if name == "chdb" else []))
    for host in HOSTS:
        status, body = service.call("DELETE", f"/api/v1/links/{host}/l1")
        assert status == 204, body
    deleted = "slug = 'l1'"
    for table in ("clicks", "activity_day"):
        eventually("the deletion of links", lambda: engine.number(f"SELECT count() FROM clicks.{table} WHERE {deleted}") == 0)
    questions = [question(chance) for _ in range(QUESTIONS)]
    metrics = "waymark_clickhouse_queries_total", "waymark_clickhouse_failed_queries_total"
    before = [service.metric(metric) for metric in metrics]
    there = answers(service, questions)
    time.sleep(1)
    queries, failed = (service.metric(metric) - count for metric, count in zip(metrics, before))
    # Reports of today alone ask nothing, and may be half of all by chance.
    assert queries > QUESTIONS and failed == 0, (queries, failed, (service.folder / "service.log").read_text()[-2000:])
    wire.is_deaf = True
    wire.cut()
    own = answers(service, questions)
    check_equal(questions, there, own)
    totals = [answer.get("total", {}) for _, answer in own]
    clicks = sum(total.get("people", 0) + total.get("bots", 0) for total in totals)
    assert clicks > 0
    # Metrics may be a moment old.
    eventually("a failed query is counted", lambda: service.metric(metrics[1]) > before[1])
    wire.is_deaf = False
    # Earlier days are in ClickHouse alone from now on.
    service.process.end(signal.SIGTERM)
    service.set_retention(RETENTION)
    database = sqlite3.connect(service.folder / "waymark.sqlite")
    with database:
        today = int(time.time()) // 86_400
        assert database.execute("DELETE FROM click_block WHERE day < ?", [today - RETENTION]).rowcount > 0
    database.close()
    service.process.start()
    check_equal(questions, answers(service, questions), own)
    print(f"{name}: {QUESTIONS} reports with {queries:.0f} queries, without, and without own records are equal, over {clicks} clicks "
          f"of {DAYS} days (seed {seed})", flush=True)

