// The installation: its claim and its event, through storages that fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStorage, WaymarkClient } from "./support/modules.js";

const found = '{"deeplink":"shop://a","redeem":{"used":0},"match":{"method":"referrer"}}';
const referrer = "waymark=c1";

/** A service that finds a deferred link and counts events by ID. */
function standIn() {
    const claims = [];
    const events = new Map();
    return {
        claims,
        events,
        fetch: async (url, { body }) => {
            const json = JSON.parse(body);
            if (url.endsWith("/claim")) claims.push(json.installID);
            for (const event of json.events || []) events.set(event.id, event);
            return new Response(json.events || json.conversions ? '{"counted":1}' : found, {
                headers: { "Content-Type": "application/json" },
            });
        },
    };
}

function makeClient(options) {
    return new WaymarkClient({
        service: "https://go.example.com",
        key: "wm_installation",
        app: "shop",
        platform: "android",
        sendsEvents: false,
        retry: { attempts: 1 },
        ...options,
    });
}

/** A storage whose functions a test replaces. */
function changeable(values = memoryStorage()) {
    return { values, get: (name) => values.get(name), set: (name, text) => values.set(name, text) };
}

test("claims and records nothing while the installation can't be read", async () => {
    const stored = '{"id":"i1","claimed":true,"recorded":true}';
    const storage = changeable();
    storage.values.set("installation", stored);
    const read = storage.get;
    storage.get = (name) =>
        name === "installation" ? Promise.reject(new Error("busy")) : read(name);
    const service = standIn();
    const client = makeClient({ storage, fetch: service.fetch });
    assert.equal(await client.claimDeferred({ referrer }), null);
    await client.skipDeferred();
    await client.recordInstallation("c1");
    await assert.rejects(client.reportConversion({ id: "1", name: "purchase" }), {
        code: "unreachable",
    });
    assert.deepEqual(service.claims, []);
    assert.equal((await client.eventCounts()).waiting, 0);
    assert.equal(storage.values.get("installation"), stored);
    storage.get = read;
    assert.equal(await client.claimDeferred({ referrer }), null);
    assert.deepEqual(service.claims, []);
    assert.equal((await client.eventCounts()).waiting, 0);
});

test("records the installation with the click that a later call has", async () => {
    const service = standIn();
    const client = makeClient({ storage: memoryStorage(), fetch: service.fetch });
    for (const given of [null, null, referrer, referrer]) {
        await client.claimDeferred({ referrer: given });
    }
    await client.flush();
    const events = [...service.events.values()];
    assert.deepEqual(
        events.map(({ type, clickID }) => [type, clickID]),
        [
            ["install", undefined],
            ["install", "c1"],
        ],
    );
    assert.equal(events[1].id, service.claims[0]);
    assert.notEqual(events[0].id, events[1].id);
});

test("stores the installation's event before its state", async () => {
    const storage = changeable();
    const write = storage.set;
    let isKilled = false;
    storage.set = (name, text) => {
        // The process ends after the event.
        if (isKilled || (isKilled = name === "installation" && text.includes('"recorded":true'))) {
            return new Promise(() => {});
        }
        return write(name, text);
    };
    const service = standIn();
    await assert.rejects(
        makeClient({ storage, timeLimit: 20, fetch: service.fetch }).recordInstallation("c1"),
    );
    const restarted = makeClient({ storage: changeable(storage.values), fetch: service.fetch });
    await restarted.flush();
    await restarted.recordInstallation("c1");
    await restarted.flush();
    assert.deepEqual(
        [...service.events.values()].map(({ clickID }) => clickID),
        ["c1"],
    );
});

test("reads the state of an older client", async () => {
    const storage = memoryStorage();
    storage.set("installation", '{"id":"i1","claimed":false,"recorded":true}');
    const client = makeClient({ storage, fetch: standIn().fetch });
    await client.recordInstallation("c1");
    assert.equal((await client.eventCounts()).waiting, 0);
});

for (const isShared of [true, false]) {
    test(`claims once for two clients of one storage, ${isShared ? "shared" : "not shared"}`, async () => {
        const service = standIn();
        const storage = { ...memoryStorage(), isShared };
        const clients = [1, 2].map(() => makeClient({ storage, fetch: service.fetch }));
        const results = await Promise.all(
            clients.map((client) => client.claimDeferred({ referrer })),
        );
        assert.equal(results.filter((result) => result !== null).length, 1);
        assert.equal(service.claims.length, 1);
    });
}

test("claims once for two tabs with locks", async () => {
    const service = standIn();
    const values = memoryStorage();
    const last = new Map();
    const lock = (name, body) => {
        const result = (last.get(name) || Promise.resolve()).then(body);
        last.set(
            name,
            result.catch(() => {}),
        );
        return result;
    };
    const tabs = [1, 2].map(() =>
        makeClient({
            storage: { get: values.get, set: values.set, isShared: true, lock },
            fetch: service.fetch,
        }),
    );
    const results = await Promise.all(tabs.map((tab) => tab.claimDeferred({ referrer })));
    assert.equal(results.filter((result) => result !== null).length, 1);
    assert.equal(service.claims.length, 1);
});

test("takes null for no traces", async () => {
    assert.equal(await makeClient({ storage: memoryStorage() }).claimDeferred(null), null);
});

const never = { get: () => new Promise(() => {}), set: () => new Promise(() => {}) };
const calls = [
    ["resolve", (client, options) => client.resolve("https://go.example.com/a", options)],
    ["createSmartlink", (client, options) => client.createSmartlink({ route: "a" }, options)],
    ["claimDeferred", (client, options) => client.claimDeferred({ referrer }, options)],
    [
        "reportConversion",
        (client, options) => client.reportConversion({ id: "1", name: "purchase" }, options),
    ],
];
for (const [name, call] of calls) {
    test(`${name} ends though the storage never answers`, async () => {
        const client = makeClient({ storage: never, timeLimit: 20, fetch: standIn().fetch });
        await assert.rejects(call(client), { code: "timedOut" });
        await assert.rejects(call(client), { code: "timedOut" });
    });
}
for (const [name, call] of calls) {
    test(`${name} is cancelled while it waits for the storage`, async () => {
        const controller = new AbortController();
        const result = call(makeClient({ storage: never, fetch: standIn().fetch }), {
            signal: controller.signal,
        });
        controller.abort();
        await assert.rejects(result, { code: "cancelled" });
    });
}

test("returns the response though the storage no longer answers", async () => {
    const storage = changeable();
    let writes = 0;
    const write = storage.set;
    storage.set = (name, text) => (++writes > 1 ? new Promise(() => {}) : write(name, text));
    const client = makeClient({ storage, timeLimit: 50, fetch: standIn().fetch });
    assert.equal((await client.resolve("https://go.example.com/a")).deeplink, "shop://a");
});
