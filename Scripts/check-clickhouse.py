#!/usr/bin/env python3
"""check-clickhouse.py PROGRAM FOLDER CHDB [--long|--measure]: see Scripts/check-clickhouse."""

import json
import pathlib
import random
import shutil
import signal
import sys
import threading
import time

from clickhouse_load import RECENT, chaos, check_planted, visit
from clickhouse_programs import PASSWORD, ROOT, Service, Wire, chdb_engine, debian_engine, eventually
from clickhouse_reports import check_reports
from clickhouse_servers import check_servers

# Of chaos with two servers.
SECONDS, LONG_SECONDS = 12, 180


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
    # Of all days once.
    said = service.command("check", *(RECENT if name == "chdb" else [])).strip()
    rows, unique, queries = engine.query(
        "SELECT count(), uniqExact(link, day, block, place), uniqExact(shipment) FROM clicks.clicks")[0]
    print(f"{name}: {deeds} (seed {seed}); {sum(counts)} visits, {rows} rows in {queries} shipments; {said}", flush=True)
    assert rows == unique and int(rows) > 0, (rows, unique)
    assert said.startswith(f"{rows} click"), said
    assert PASSWORD not in (folder / "service.log").read_text(), "the password is in the log"

    check_reports(name, service, engine, wire, seed)
    # The server of 2018 lacks functions that the queries need.
    if name == "chdb":
        check_board(engine)
    check_planted(name, engine, service)
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
    runs = [(measure if "--measure" in options else check, *engine) for engine in engines]
    if "--long" in options:
        runs = [(servers(LONG_SECONDS), *engines[0])]
    elif "--measure" not in options:
        runs.append((servers(SECONDS), *engines[0]))
    for number, (run, name, make) in enumerate(runs):
        place = pathlib.Path(folder) / f"{number}-{name}"
        place.mkdir()
        engine = make(place)
        began = time.monotonic()
        try:
            run(name, engine, program, place)
        finally:
            engine.process.end()
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def servers(seconds):
    return lambda *arguments: check_servers(*arguments, seconds)


main()
