"""Two servers on one PostgreSQL that ship to one ClickHouse, while all of them and what connects them die, for Scripts/check-clickhouse.py."""

import collections
import glob
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import threading
import time

from clickhouse_load import RECENT, check_planted, visit
from clickhouse_programs import PASSWORD, Process, Service, Wire, eventually, free_port


class Postgres(Process):
    """A cluster in a folder of its own. Whatever it acknowledged is there after a kill, as fsync matters only to a crash of the machine."""

    def __init__(self):
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = pathlib.Path(f"/tmp/waymark-clickhouse-{os.getpid()}")
        self.folder.mkdir(mode=0o700)
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        data, port = self.folder / "data", free_port()
        self.run("initdb", "-D", str(data), "-U", "waymark", "-A", "trust", "-E", "UTF8", "--no-sync")
        super().__init__(
            self.user + [f"{self.programs}/postgres", "-D", str(data), "-k", str(self.folder), "-p", str(port), "-c", "fsync=off",
                         "-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=64MB"], self.folder / "log", port)

    def run(self, program, *arguments):
        return subprocess.run(
            self.user + [f"{self.programs}/{program}", *arguments], check=True, capture_output=True, text=True, cwd="/").stdout

    def start(self):
        self.open()
        eventually(f"PostgreSQL accepts connections, see {self.log}", self.answers)

    def answers(self):
        # It refuses to start while a process of the one before has not ended.
        if self.process.poll() is not None:
            self.open()
        ready = [f"{self.programs}/pg_isready", "-q", "-h", str(self.folder), "-p", str(self.port)]
        return subprocess.run(ready).returncode == 0

    def ask(self, query):
        return self.run("psql", "-h", str(self.folder), "-p", str(self.port), "-U", "waymark", "-Atc", query, "postgres")

    def end(self, number=signal.SIGKILL):
        """Its children are in groups of their own."""
        if self.process is None:
            return
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        super().end(number)
        for child in children:
            try:
                os.kill(int(child), number)
            except ProcessLookupError:
                pass

    def remove(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Deeds:
    """What dies, at random, under a seed. Each deed leaves everything running."""

    def __init__(self, services, engine, postgres, wires):
        self.services, self.engine, self.postgres, self.wires = services, engine, postgres, wires
        self.done = collections.Counter()

    def run(self, seconds, seed):
        chance = random.Random(seed)
        deadline = time.monotonic() + seconds
        deeds = [self.server, self.server, self.both_servers, self.clickhouse, self.database, self.sessions,
                 self.cut, self.cut, self.deaf, self.deaf]
        # Each once, whatever chance says.
        chance.shuffle(deeds)
        first = list(deeds)
        while time.monotonic() < deadline:
            time.sleep(chance.uniform(0.1, 0.8))
            deed = first.pop() if first else chance.choice(deeds)
            deed(chance)
            self.done[deed.__name__] += 1

    def server(self, chance):
        one = chance.choice(self.services).process
        one.end(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        time.sleep(chance.uniform(0, 1))
        one.start()

    def both_servers(self, chance):
        for service in self.services:
            service.process.end()
        for service in self.services:
            service.process.start()

    def clickhouse(self, chance):
        self.engine.process.end()
        time.sleep(chance.uniform(0, 1))
        self.engine.process.start()

    def database(self, chance):
        self.postgres.end()
        time.sleep(chance.uniform(0, 1))
        self.postgres.start()

    def sessions(self, chance):
        """Ends some of the servers' sessions; among them, sometimes, the one that holds the lock of shipping."""
        try:
            self.postgres.ask(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' "
                f"AND random() < {chance.uniform(0.2, 1):.2f}")
        except subprocess.CalledProcessError:
            pass  # It may still recover.

    def cut(self, chance):
        chance.choice(self.wires).cut()

    def deaf(self, chance):
        wire = chance.choice(self.wires)
        wire.is_deaf = True
        time.sleep(chance.uniform(0.1, 1.5))
        wire.is_deaf = False


# Of a click, beside its second. The last is null for people.
FIELDS = ["slug", "platform", "language", "bot"]


def is_shipped(services, postgres):
    """Asks the database what waits, as a server that does not ship knows nothing of it."""
    names = ["waymark_click_records_waiting", "waymark_click_records_spooled_bytes"]
    if any(service.metric(name) for service in services for name in names):
        return False
    return postgres.ask("SELECT (SELECT count(*) FROM waymark.click_note) + (SELECT count(*) FROM waymark.click_shipment)").strip() == "0"


def stored(service, folder):
    """How many clicks of each kind and second the database has, by the command for other programs."""
    file = folder / "clicks.jsonl"
    service.run("clicks", "export", "--from", "2020-01-01", "--to", "2100-01-01", "--format", "jsonl", str(file))
    with open(file) as lines:
        return collections.Counter(
            (click["at"][:19].replace("T", " "), *(click.get(field) or "" for field in FIELDS)) for click in map(json.loads, lines))


def arrived(engine):
    rows = engine.query(
        f"SELECT toString(time) AS at, {', '.join(FIELDS[:-1])}, ifNull(toString(bot), '') AS program, count() FROM clicks.clicks "
        f"GROUP BY at, {', '.join(FIELDS[:-1])}, program")
    return collections.Counter({tuple(row[:-1]): int(row[-1]) for row in rows})


def check_servers(name, engine, program, folder, seconds):
    """What the database has after all is there, each click once; a click twice and a lost block are found."""
    postgres = Postgres()
    services = []
    try:
        postgres.start()
        engine.process.start()
        wires = [Wire(postgres.port), Wire(engine.port)]
        for number in range(2):
            place = folder / f"server{number}"
            place.mkdir()
            services.append(Service(program, place, wires[1].port, f"postgres://waymark@127.0.0.1:{wires[0].port}/postgres"))
        services[0].command("migrate")
        for service in services:
            service.process.start()
        # Both apply the schema where there is none; each answers by itself when it is there.
        services[0].make_links()
        stop, answered, sent = threading.Event(), [], []
        visitors = [threading.Thread(target=visit, args=(service, stop, answered, sent), daemon=True) for service in services]
        for visitor in visitors:
            visitor.start()
        seed = random.randrange(1 << 32)
        deeds = Deeds(services, engine, postgres, wires)
        deeds.run(seconds, seed)
        stop.set()
        for visitor in visitors:
            visitor.join()
        eventually("everything is shipped", lambda: is_shipped(services, postgres), 180)
        said = services[1].command("check", *RECENT).strip()
        ours, theirs = stored(services[1], folder), arrived(engine)
        rows, unique, batches = (int(value) for value in engine.query(
            "SELECT count(), uniqExact(link, day, block, place), uniqExact(shipment) FROM clicks.clicks")[0])
        dead = ", ".join(f"{count} {deed}" for deed, count in sorted(deeds.done.items()))
        print(f"{name}, two servers: {dead} (seed {seed}); {sum(sent)} visits sent, {sum(answered)} answered, {ours.total()} stored, "
              f"{rows} rows in {batches} shipments; {said}", flush=True)
        assert ours == theirs, f"differences (stored, there): {[(key, ours[key], theirs[key]) for key in (ours - theirs) | (theirs - ours)][:5]}"
        assert rows == unique == ours.total() > 0, (rows, unique, ours.total())
        assert rows <= sum(sent), "more clicks than visits"
        for service in services:
            assert PASSWORD not in (service.folder / "service.log").read_text(), "the password is in the log"
        check_planted(f"{name}, two servers", engine, services[0])
    finally:
        for service in services:
            service.process.end(signal.SIGTERM)
        postgres.remove()
