// What is kept through failures, restarts and other tabs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { FileStorage, itemStorage, memoryStorage, WaymarkClient } from "./support/modules.js";

const folders = [];

after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function temporaryFolder() {
    folders.push(await mkdtemp(join(tmpdir(), "waymark-storage-")));
    return folders[folders.length - 1];
}

/** A service that accepts events, and counts each by its ID. */
function standIn() {
    const counted = new Set();
    const batches = [];
    return {
        counted,
        batches,
        fetch: async (_, { body }) => {
            const { events } = JSON.parse(body);
            batches.push(events.length);
            for (const { id } of events) counted.add(id);
            return new Response('{"counted":0,"unattributed":0,"duplicates":0}', {
                status: 202,
                headers: { "Content-Type": "application/json" },
            });
        },
    };
}

function makeClient(options) {
    return new WaymarkClient({
        service: "https://go.example.com",
        key: "wm_storage",
        app: "shop",
        platform: "android",
        sendsEvents: false,
        fetch: standIn().fetch,
        ...options,
    });
}

test("writes files that only the user can read", async () => {
    const folder = join(await temporaryFolder(), "deep", "state");
    const client = makeClient({ storage: new FileStorage(folder) });
    await client.recordOpen({ clickID: "c1" });
    assert.deepEqual(await readdir(folder), ["events.json"]);
    assert.equal((await stat(join(folder, "events.json"))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await makeClient({ storage: new FileStorage(folder) }).eventCounts()).waiting, 1);
});

test("leaves whole files when it is killed while it writes", async () => {
    const folder = await temporaryFolder();
    const writer = fileURLToPath(new URL("support/writer.js", import.meta.url));
    let least = 0;
    for (let round = 0; round < 5; round++) {
        const app = spawn(process.execPath, [writer, folder], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        let stored = 0;
        await new Promise((resolve) =>
            app.stdout.on("data", (text) => {
                stored = Number(String(text).trim().split("\n").pop());
                if (stored >= least + 10 + round) resolve(undefined);
            }),
        );
        app.kill("SIGKILL");
        await new Promise((resolve) => app.once("close", resolve));
        const { events } = JSON.parse(await readFile(join(folder, "events.json"), "utf8"));
        assert.ok(events.length >= stored, `${events.length} of ${stored} are there`);
        least = events.length;
    }
});

for (const text of [
    '{"events":[{"id":',
    "[]",
    "null",
    "5",
    '{"events":[{"id":1}]}',
    '{"events":[null]}',
    "\0",
    '{"events":{}}',
]) {
    test(`sets aside what makes no sense: ${JSON.stringify(text)}`, async () => {
        const folder = await temporaryFolder();
        await writeFile(join(folder, "events.json"), text);
        const client = makeClient({ storage: new FileStorage(folder) });
        await client.recordOpen({ clickID: "c1" });
        assert.equal((await client.eventCounts()).waiting, 1);
        assert.equal(await readFile(join(folder, "events.broken.json"), "utf8"), text);
        assert.equal(
            JSON.parse(await readFile(join(folder, "events.json"), "utf8")).events.length,
            1,
        );
    });
}

test("loses nothing while the storage can't be read", async () => {
    const values = memoryStorage();
    await makeClient({ storage: values }).recordOpen({ clickID: "c1" });
    let isLocked = true;
    const locked = {
        get: (name) => {
            if (isLocked) throw new Error("locked");
            return values.get(name);
        },
        set: (name, text) =>
            isLocked ? Promise.reject(new Error("locked")) : values.set(name, text),
    };
    const client = makeClient({ storage: locked });
    await client.recordOpen({ clickID: "c2" });
    assert.equal((await client.eventCounts()).waiting, 1);
    assert.equal(JSON.parse(values.get("events")).events.length, 1);
    isLocked = false;
    assert.equal((await client.eventCounts()).waiting, 2);
    assert.deepEqual(
        JSON.parse(values.get("events")).events.map((event) => event.clickID),
        ["c1", "c2"],
    );
});

test("works with a full storage and writes later", async () => {
    const values = memoryStorage();
    let isFull = true;
    const storage = {
        get: (name) => values.get(name),
        set: (name, text) => {
            if (isFull) throw new Error("QuotaExceededError");
            return values.set(name, text);
        },
    };
    const service = standIn();
    const client = makeClient({ storage, fetch: service.fetch });
    await client.recordOpen({ clickID: "c1" });
    await client.recordInstallation();
    assert.equal(values.get("events"), undefined);
    isFull = false;
    await client.recordOpen({ clickID: "c2" });
    assert.equal(JSON.parse(values.get("events")).events.length, 3);
    await client.flush();
    assert.equal(service.counted.size, 3);
});

test("keeps the order of writes with a slow storage", async () => {
    const written = [];
    const pending = [];
    const items = new Map();
    // Like AsyncStorage, but each response comes when it is released.
    const storage = itemStorage({
        getItem: (key) =>
            new Promise((resolve) => pending.push(() => resolve(items.get(key) ?? null))),
        setItem: (key, value) =>
            new Promise((resolve) =>
                pending.push(() => {
                    items.set(key, value);
                    written.push(JSON.parse(value).events.length);
                    resolve();
                }),
            ),
    });
    const client = makeClient({ storage });
    const all = Promise.all(["c1", "c2", "c3"].map((clickID) => client.recordOpen({ clickID })));
    let isDone = false;
    void all.then(() => {
        isDone = true;
    });
    while (!isDone) {
        pending.pop()?.();
        await new Promise(setImmediate);
    }
    assert.deepEqual(written, [1, 2, 3]);
    assert.deepEqual([...items.keys()], ["waymark.events"]);
});

test("shares a storage with other tabs without losing events", async () => {
    const values = memoryStorage();
    const shared = () => ({ get: values.get, set: values.set, isShared: true });
    const service = standIn();
    const tabs = [1, 2, 3].map(() => makeClient({ storage: shared(), fetch: service.fetch }));
    await Promise.all(
        tabs.map(async (tab, number) => {
            for (let count = 0; count < 20; count++) {
                await tab.recordOpen({ clickID: `c${number}-${count}` });
            }
        }),
    );
    assert.equal((await tabs[0].eventCounts()).waiting, 60);
    await Promise.all(tabs.map((tab) => tab.flush()));
    assert.equal(service.counted.size, 60);
    for (const tab of tabs) assert.equal((await tab.eventCounts()).waiting, 0);
});

/**
 * Like `localStorage`, but each tab sees what another has written one change later, and may write
 * over it.
 */
function staleStorages(count) {
    const written = new Map();
    return Array.from({ length: count }, () => {
        let seen = new Map();
        return {
            isShared: true,
            keys: () => [...new Set([...seen.keys(), ...written.keys()])],
            get: (name) => (name.startsWith("event.") ? written.get(name) : seen.get(name)),
            set: (name, text) => {
                written.set(name, text);
                seen = new Map(written);
            },
            remove: (name) => {
                written.delete(name);
                seen.delete(name);
            },
        };
    });
}

test("loses no event though tabs write over what they have not seen", async () => {
    const service = standIn();
    const storages = staleStorages(3);
    const tabs = storages.map((storage) => makeClient({ storage, fetch: service.fetch }));
    for (let count = 0; count < 10; count++) {
        for (const [number, tab] of tabs.entries()) {
            await tab.recordOpen({ clickID: `c${number}-${count}` });
        }
    }
    // The tabs are closed, and a later one sends.
    const later = makeClient({ storage: storages[0], fetch: service.fetch });
    await later.flush();
    assert.equal(service.counted.size, 30);
    assert.deepEqual(
        storages[0].keys().filter((name) => name.startsWith("event.")),
        [],
    );
});

/** Like `localStorage`: names come in an arbitrary order. `fails` may make a call throw. */
function keyedStorage(fails = () => false) {
    const values = new Map();
    const call = (name, body) => {
        if (fails(name)) throw new Error("QuotaExceededError");
        return body();
    };
    return {
        values,
        isShared: true,
        keys: () => [...values.keys()].sort((a, b) => (a.slice(-8) < b.slice(-8) ? 1 : -1)),
        get: (name) => call(`get ${name}`, () => values.get(name)),
        set: (name, text) =>
            call(`set ${name}`, () => {
                values.set(name, text);
            }),
        remove: (name) =>
            call(`remove ${name}`, () => {
                values.delete(name);
            }),
    };
}
const clicks = ["c1", "c2", "c3", "c4", "c5", "c6"];
const storedClicks = (storage) =>
    JSON.parse(storage.values.get("events")).events.map(({ clickID }) => clickID);

test("keeps the order of events that are recorded at once", async () => {
    const storage = keyedStorage();
    const clock = { now: () => 1_000, sleep: async () => {} };
    await Promise.all(
        clicks.map((clickID) => makeClient({ storage, clock }).recordOpen({ clickID })),
    );
    const client = makeClient({ storage, clock });
    await Promise.all(clicks.map((clickID) => client.recordOpen({ clickID: clickID + "b" })));
    assert.deepEqual(
        storedClicks(storage).filter((click) => click.endsWith("b")),
        clicks.map((click) => click + "b"),
    );
});

test("drops the oldest of the events that are recorded at once", async () => {
    const storage = keyedStorage();
    const client = makeClient({ storage, eventLimit: 3 });
    await Promise.all(clicks.map((clickID) => client.recordOpen({ clickID })));
    assert.deepEqual(storedClicks(storage), ["c4", "c5", "c6"]);
    assert.equal((await client.eventCounts()).dropped, 3);
});

test("keeps a single event that can't be read now", async () => {
    let isLocked = false;
    const storage = keyedStorage((name) => isLocked && name.startsWith("get event."));
    const client = makeClient({ storage });
    await client.recordOpen({ clickID: "c1" });
    isLocked = true;
    await client.recordOpen({ clickID: "c2" });
    assert.equal(storage.keys().filter((name) => name.startsWith("event.")).length, 2);
});

test("sends once though the storage takes no writes any more", async () => {
    let isFull = false;
    const storage = keyedStorage((name) => isFull && name.startsWith("set "));
    let posts = 0;
    const fetch = async () => {
        // A client that sends without end would end here.
        if (++posts > 10) return new Response("", { status: 403 });
        return new Response('{"counted":1}', { headers: { "Content-Type": "application/json" } });
    };
    const client = makeClient({ storage, fetch });
    for (const clickID of clicks) await client.recordOpen({ clickID });
    isFull = true;
    await client.flush();
    await client.flush();
    assert.equal(posts, 1);
    assert.equal((await client.eventCounts()).waiting, 0);
});

test("writes nothing over a shared value that can't be read any more", async () => {
    const values = memoryStorage();
    let isLocked = false;
    const storage = {
        isShared: true,
        set: values.set,
        get: (name) => {
            if (isLocked) throw new Error("locked");
            return values.get(name);
        },
    };
    const [tab, other] = [
        makeClient({ storage }),
        makeClient({ storage: { ...values, isShared: true } }),
    ];
    await tab.recordOpen({ clickID: "c1" });
    await other.recordOpen({ clickID: "c2" });
    isLocked = true;
    await tab.recordOpen({ clickID: "c3" });
    assert.equal(JSON.parse(values.get("events")).events.length, 2);
    isLocked = false;
    await tab.eventCounts();
    assert.deepEqual(
        JSON.parse(values.get("events")).events.map(({ clickID }) => clickID),
        ["c1", "c2", "c3"],
    );
});

test("keeps a key while an equal call is under way", async () => {
    const waiting = [];
    const keys = [];
    const fetch = (_, { headers }) =>
        new Promise((resolve, reject) => {
            keys.push(headers["Idempotency-Key"]);
            waiting.push({
                answer: () =>
                    resolve(
                        new Response('{"redeem":{"used":1}}', {
                            headers: { "Content-Type": "application/json" },
                        }),
                    ),
                lose: () => reject(new Error("lost")),
            });
        });
    const client = makeClient({ storage: memoryStorage(), fetch, retry: { attempts: 1 } });
    const resolve = () => client.resolve("https://go.example.com/a");
    const [first, second] = [resolve(), resolve()];
    const arrived = async (count) => {
        while (waiting.length < count) await new Promise(setImmediate);
    };
    await arrived(2);
    waiting[0].answer();
    await first;
    waiting[1].lose();
    await assert.rejects(second, { code: "unreachable" });
    const third = resolve();
    await arrived(3);
    waiting[2].answer();
    await third;
    const fourth = resolve();
    await arrived(4);
    waiting[3].answer();
    await fourth;
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
});

test("keeps a key until all equal calls have a response", async () => {
    const waiting = [];
    const keys = [];
    const fetch = (_, { headers }) =>
        new Promise((resolve, reject) => {
            keys.push(headers["Idempotency-Key"]);
            waiting.push({ reject, answer: () => resolve(new Response('{"redeem":{"used":1}}')) });
        });
    const client = makeClient({ storage: memoryStorage(), fetch, retry: { attempts: 1 } });
    const resolve = () => client.resolve("https://go.example.com/a");
    const calls = [resolve(), resolve()];
    const arrived = async (count) => {
        while (waiting.length < count) await new Promise(setImmediate);
    };
    await arrived(2);
    waiting[1].reject(new Error("lost"));
    await assert.rejects(calls[1], { code: "unreachable" });
    waiting[0].answer();
    await calls[0];
    for (const count of [3, 4]) {
        const next = resolve();
        await arrived(count);
        waiting[count - 1].answer();
        await next;
    }
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
});

test("ignores single events that make no sense", async () => {
    const values = new Map([
        ["event.1", "{"],
        ["event.2", "null"],
        ["event.3", '{"id":3}'],
        ["event.4", "[]"],
    ]);
    const storage = {
        isShared: true,
        get: (name) => values.get(name),
        set: (name, text) => {
            values.set(name, text);
        },
        remove: (name) => {
            values.delete(name);
        },
        keys: () => [...values.keys()],
    };
    const client = makeClient({ storage });
    await client.recordOpen({ clickID: "c1" });
    assert.equal((await client.eventCounts()).waiting, 1);
    assert.deepEqual(
        [...values.keys()].filter((name) => /^event\.[0-9]$/.test(name)),
        [],
    );
});

test("has one installation for tabs that start together", async () => {
    const values = memoryStorage();
    const tabs = [1, 2].map(() =>
        makeClient({ storage: { get: values.get, set: values.set, isShared: true } }),
    );
    await Promise.all(tabs.map((tab) => tab.recordInstallation("c1")));
    assert.equal(JSON.parse(values.get("events")).events.length, 1);
});

test("repeats a lost request with its key though another tab has overwritten it", async () => {
    const values = memoryStorage();
    const keys = [];
    const fetch = async (_, { headers }) => {
        keys.push(headers["Idempotency-Key"]);
        if (keys.length < 3) throw new Error("lost");
        return new Response('{"smartlink":"https://go.example.com/a"}', {
            headers: { "Content-Type": "application/json" },
        });
    };
    const client = makeClient({
        storage: { get: values.get, set: values.set, isShared: true },
        fetch,
        retry: { attempts: 1 },
    });
    const link = { urls: { web: "https://www.example.com/" } };
    await assert.rejects(client.createSmartlink(link), { code: "unreachable" });
    values.set("requests", '{"requests":[]}');
    await assert.rejects(client.createSmartlink(link), { code: "unreachable" });
    await client.createSmartlink(link);
    await client.createSmartlink(link);
    assert.equal(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
    assert.equal(values.get("requests"), '{"requests":[]}');
});

test("gives equal creations at the same time a key each", async () => {
    const keys = [];
    const fetch = async (url, { headers }) => {
        keys.push(headers["Idempotency-Key"]);
        return new Response('{"smartlink":"https://go.example.com/a","redeem":{"used":0}}', {
            headers: { "Content-Type": "application/json" },
        });
    };
    const client = makeClient({ storage: memoryStorage(), fetch });
    const link = { urls: { web: "https://www.example.com/" } };
    await Promise.all([client.createSmartlink(link), client.createSmartlink(link)]);
    assert.equal(new Set(keys).size, 2);
    await Promise.all([
        client.resolve("https://go.example.com/a"),
        client.resolve("https://go.example.com/a"),
    ]);
    assert.equal(new Set(keys).size, 3);
});

test("sends once though many ask at once", async () => {
    const service = standIn();
    const client = makeClient({ storage: memoryStorage(), fetch: service.fetch });
    await Promise.all(
        Array.from({ length: 250 }, (_, number) => client.recordOpen({ clickID: `c${number}` })),
    );
    await Promise.all([client.flush(), client.flush(), client.flush()]);
    assert.deepEqual(service.batches, [100, 100, 50]);
});

test("sends events by itself, and those of the run before", async () => {
    const values = memoryStorage();
    await makeClient({ storage: values }).recordOpen({ clickID: "c1" });
    const service = standIn();
    let waits = 0;
    let answers = 0;
    const client = makeClient({
        storage: values,
        sendsEvents: true,
        retry: { attempts: 1 },
        fetch: (...request) =>
            ++answers < 3 ? Promise.reject(new Error("down")) : service.fetch(...request),
        clock: {
            now: Date.now,
            sleep: async () => {
                waits += 1;
            },
        },
    });
    await client.recordOpen({ clickID: "c2" });
    while (service.counted.size < 2) await new Promise(setImmediate);
    while ((await client.eventCounts()).waiting > 0) await new Promise(setImmediate);
    assert.equal(waits, 2);
    client.close();
});

test("does not keep the process running while it waits to send", async () => {
    const app = spawn(
        process.execPath,
        [fileURLToPath(new URL("support/leaver.js", import.meta.url))],
        { stdio: "inherit" },
    );
    const code = await new Promise((resolve) => app.once("close", resolve));
    assert.equal(code, 0);
});
