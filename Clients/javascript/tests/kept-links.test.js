// What the shared cases leave open of kept links: processes that end in between, storages that
// fail, asynchronous code.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    Deeplinking,
    memoryStorage,
    WaymarkClient,
    WaymarkClientError,
} from "./support/modules.js";

const smartlink = "https://go.example.com/Ab3dE9x";
const answer = {
    deeplink: "shop://products/42",
    route: "products/:id",
    routeParameters: { id: "42" },
    queryParameters: {},
    metadata: { coupon: "20" },
    redeem: { limit: 1, used: 1, remaining: 0, status: "redeemed" },
};

/** An app whose process can end: each has the same storage and the same service. */
function makeWorld(options = {}) {
    const world = {
        storage: memoryStorage(),
        requests: [],
        opened: [],
        now: Date.parse("2026-11-21T10:00:00Z"),
        steps: [],
    };
    world.start = (more = {}) => {
        const client = new WaymarkClient({
            service: "https://go.example.com",
            key: "wm_kept",
            app: "shop",
            platform: "android",
            sendsEvents: false,
            storage: world.storage,
            retry: { attempts: 1 },
            fetch: async (url, { headers, body }) => {
                world.requests.push({
                    path: new URL(url).pathname,
                    key: headers["Idempotency-Key"],
                    json: JSON.parse(body),
                });
                return new Response(JSON.stringify(answer), {
                    headers: { "Content-Type": "application/json" },
                });
            },
        });
        const deeplinking = new Deeplinking({
            client,
            schemes: ["shop"],
            clock: { now: () => world.now },
            onDiagnostic: ({ step }) => world.steps.push(step),
            ...options,
            ...more,
        });
        deeplinking.map("products/:id", (deeplink) => world.target(deeplink));
        return deeplinking;
    };
    world.target = ({ metadata }) => {
        world.opened.push(metadata);
    };
    return world;
}

test("opens a kept link with a filter that answers at once", async () => {
    const world = makeWorld();
    const first = world.start();
    first.addFilter(() => false);
    assert.equal((await first.open(smartlink)).status, "notOpened");
    const { status, deeplink } = await world.start().openCurrentDeeplink();
    assert.equal(status, "opened");
    assert.deepEqual(
        [deeplink.smartlink, world.opened, world.requests.length],
        [smartlink, [{ coupon: "20" }], 1],
    );
});

test("keeps a link while an asynchronous filter waits", async () => {
    for (const url of [smartlink, "shop://products/42?_hk_cid=c1"]) {
        const world = makeWorld();
        const first = world.start();
        await new Promise((resolve) => {
            first.addFilter(() => new Promise(() => resolve(undefined)));
            void first.open(url);
        });
        const second = world.start();
        assert.equal((await second.openCurrentDeeplink()).status, "opened");
        // Both processes together have recorded it once.
        assert.equal((await second.opener.recorder.eventCounts()).waiting, 1, url);
    }
});

test("keeps a link until its asynchronous target has ended", async () => {
    const world = makeWorld();
    const started = new Promise((resolve) => {
        world.target = () => new Promise(() => resolve(undefined));
        void world.start().open(smartlink);
    });
    await started;
    world.target = async ({ metadata }) => {
        world.opened.push(metadata);
    };
    assert.equal((await world.start().openCurrentDeeplink()).deeplink.wasOpened, true);
    assert.equal(await world.start().openCurrentDeeplink(), null);
    assert.deepEqual(world.opened, [{ coupon: "20" }]);
});

test("gives a link no more whose target has ended three processes", async () => {
    const world = makeWorld();
    for (let launch = 0; launch < 3; launch++) {
        await new Promise((resolve) => {
            world.target = () => new Promise(() => resolve(undefined));
            const deeplinking = world.start();
            void (launch === 0 ? deeplinking.open(smartlink) : deeplinking.openCurrentDeeplink());
        });
    }
    assert.equal(await world.start().openCurrentDeeplink(), null);
    assert.equal(world.requests.length, 1);
});

test("gives a link no more whose target has failed", async () => {
    for (const fail of [
        () => {
            throw new Error("broken");
        },
        async () => {
            throw new Error("broken");
        },
    ]) {
        const world = makeWorld();
        world.target = fail;
        await assert.rejects(world.start().open(smartlink), /broken/);
        assert.equal(await world.start().openCurrentDeeplink(), null);
    }
});

test("repeats a resolve with its key if the answer was not stored", async () => {
    const world = makeWorld();
    const { set } = world.storage;
    await new Promise((resolve) => {
        // The process ends while the answer is stored.
        world.storage = {
            ...world.storage,
            set: (name, text) =>
                name === "links" ? new Promise(() => resolve(undefined)) : set(name, text),
        };
        void world.start().open(smartlink);
    });
    world.storage = { ...world.storage, set };
    assert.equal((await world.start().open(smartlink)).status, "opened");
    assert.equal(world.requests.length, 2);
    assert.equal(world.requests[0].key, world.requests[1].key);
});

test("opens links though the storage fails", async () => {
    const world = makeWorld();
    const { set, get } = world.storage;
    const fail = () => {
        throw new Error("full");
    };
    for (const storage of [
        { get, set: (name, text) => (name === "links" ? fail() : set(name, text)) },
        { set, get: (name) => (name === "links" ? fail() : get(name)) },
    ]) {
        world.storage = storage;
        world.opened = [];
        assert.equal((await world.start().open(smartlink)).status, "opened");
        assert.deepEqual(world.opened, [{ coupon: "20" }]);
    }
});

test("sets kept links aside that make no sense", async () => {
    for (const text of [
        "[1]",
        '{"current":1}',
        '{"current":{"at":1}}',
        '{"installation":{"at":"x","starts":0,"url":"a"}}',
        "{",
        "null",
    ]) {
        const world = makeWorld();
        world.storage.set("links", text);
        assert.equal(await world.start().openCurrentDeeplink(), null, text);
        assert.equal((await world.start().open(smartlink)).status, "opened", text);
    }
});

test("takes a link from the future for one of today", async () => {
    const world = makeWorld();
    const first = world.start();
    first.addFilter(() => false);
    await first.open(smartlink);
    world.now -= 400 * 86_400_000;
    const second = world.start();
    second.addFilter(() => false);
    assert.equal((await second.openCurrentDeeplink()).status, "notOpened");
    world.now += 31 * 86_400_000;
    assert.equal(await world.start().openCurrentDeeplink(), null);
});

test("navigates nowhere after the app has slept", async () => {
    const resolver = {
        resolve: async () => {
            await null;
            world.now += 600_000;
            return answer;
        },
    };
    const world = makeWorld({ resolver });
    const deeplinking = world.start();
    deeplinking.mapDefault(() => world.opened.push("default"));
    const { status, error } = await deeplinking.open(smartlink);
    assert.deepEqual([status, error.code, world.opened], ["failed", "timedOut", []]);
    await new Promise(setImmediate);
    assert.equal((await deeplinking.openCurrentDeeplink()).status, "opened");
});

test("opens no link without its metadata after the app has slept", async () => {
    const answers = [() => new Promise(() => {}), async () => answer];
    const world = makeWorld({
        openingTimeLimit: 5,
        resolver: {
            resolve: async () => {
                await null;
                world.now += 600_000;
                return answers.shift()();
            },
        },
    });
    const deeplinking = world.start();
    const url = "shop://products/7?_hk_cid=c1&_hk_md=1";
    const { status } = await deeplinking.open(url);
    assert.deepEqual(
        [status, deeplinking.currentDeeplink.error.code, world.opened],
        ["notOpened", "timedOut", []],
    );
    const { current } = JSON.parse(world.storage.get("links"));
    assert.deepEqual([current.url, current.error], [url, "timedOut"]);
    // The second answer comes after a sleep, too: it is late, and opens with the next call.
    assert.equal((await deeplinking.openCurrentDeeplink()).status, "notOpened");
    await new Promise(setImmediate);
    assert.equal((await deeplinking.openCurrentDeeplink()).deeplink.error, null);
    assert.deepEqual([world.opened, answers.length], [[{ coupon: "20" }], 0]);
});

test("opens with the earlier answer when a second tap finds no network", async () => {
    for (const url of [smartlink, "shop://products/42?_hk_cid=c1&_hk_md=1"]) {
        const answers = [answer];
        const world = makeWorld({
            resolver: {
                resolve: async () => {
                    if (answers.length > 0) return answers.shift();
                    throw new WaymarkClientError("offline");
                },
            },
        });
        const first = world.start();
        const ready = first.addFilter(() => false);
        await first.open(url);
        await first.open(url);
        assert.equal(first.currentDeeplink.error, null);
        const second = world.start();
        second.addFilter(() => false);
        assert.deepEqual(
            (await second.openCurrentDeeplink()).deeplink.metadata,
            { coupon: "20" },
            url,
        );
        ready();
        assert.deepEqual(
            (await first.openCurrentDeeplink()).deeplink.metadata,
            { coupon: "20" },
            url,
        );
    }
});

test("listens to a click of Android's start once", async () => {
    const world = makeWorld();
    const urls = ["https://go.example.com/Ab3dE9x?_hk_cid=c1", "shop://products/42?_hk_cid=c2"];
    for (const url of [urls[0], urls[0], urls[1], urls[1], urls[0]]) {
        await world
            .start()
            .listen({ getInitialURL: async () => url, addEventListener: () => undefined });
    }
    // The last click is remembered, no older one.
    assert.deepEqual(world.opened, [{ coupon: "20" }, null, { coupon: "20" }]);
    assert.equal(world.requests.length, 2);
});

test("gives a smart link of another host with the answer's route", async () => {
    const world = makeWorld();
    const first = world.start();
    first.addFilter(() => false);
    await first.openSmartlink("https://links.example.net/elsewhere");
    const { status, deeplink } = await world.start().openCurrentDeeplink();
    assert.deepEqual([status, deeplink && deeplink.route], ["opened", "products/:id"]);
});

test("opens the deferred link once though two effects ask for it", async () => {
    const world = makeWorld();
    const first = world.start();
    first.addFilter(() => false);
    const claim = { ...answer, match: { method: "referrer" } };
    first.client.claimDeferred = async (_, { keep }) => {
        await keep({ ...claim, clickID: "c1" });
        return { ...claim, clickID: "c1" };
    };
    await first.openDeferred({ referrer: "waymark=c1" });
    const second = world.start();
    const results = await Promise.all([second.openDeferred(), second.openDeferred()]);
    assert.deepEqual(
        results.map((result) => result && result.status),
        ["opened", null],
    );
    assert.equal((await second.installationDeeplink()).metadata, null);
});

test("ends the claim if a link opens while the storage is read", async () => {
    const world = makeWorld();
    const { get } = world.storage;
    const deeplinking = world.start();
    const claim = deeplinking.openDeferred({ referrer: "waymark=c1" });
    world.storage.get = async (name) => get(name);
    await deeplinking.open("shop://products/7");
    assert.equal(await claim, null);
    assert.equal(JSON.parse(get("installation")).claimed, true);
    assert.equal(await world.start().openDeferred({ referrer: "waymark=c1" }), null);
    assert.deepEqual(world.requests, []);
});

test("keeps metadata that come while a link opens without them", async () => {
    let give;
    const answers = [
        new Promise((resolve) => {
            give = resolve;
        }),
    ];
    const world = makeWorld({ openingTimeLimit: 5, resolver: { resolve: () => answers.shift() } });
    const ends = [];
    world.target = ({ metadata }) => {
        world.opened.push(metadata);
        return new Promise((resolve) => ends.push(resolve));
    };
    const opening = world.start().open("shop://products/42?_hk_cid=c1&_hk_md=1");
    while (ends.length === 0) await new Promise(setImmediate);
    give(answer);
    await new Promise(setImmediate);
    ends.pop()();
    assert.equal((await opening).status, "opened");
    world.target = ({ metadata }) => {
        world.opened.push(metadata);
    };
    await world.start().openCurrentDeeplink();
    assert.deepEqual(world.opened, [null, { coupon: "20" }]);
});

test("keeps the metadata of a link that opens again without them", async () => {
    const answers = [answer];
    const world = makeWorld({
        resolver: {
            resolve: async () => {
                if (answers.length > 0) return answers.shift();
                throw new WaymarkClientError("offline");
            },
        },
    });
    const first = world.start();
    const ready = first.addFilter(() => false);
    const url = "shop://products/42?_hk_cid=c1&_hk_md=1";
    await first.open(url);
    ready();
    await first.open(url);
    await world.start().openCurrentDeeplink();
    assert.deepEqual(world.opened.pop(), { coupon: "20" });
    assert.equal(JSON.parse(world.storage.get("links")).current, undefined);
});

test("runs no default route if the app slept while the storage wrote", async () => {
    const world = makeWorld({
        resolver: {
            resolve: async () => {
                throw new WaymarkClientError("offline");
            },
        },
    });
    const { set } = world.storage;
    world.storage.set = (name, text) => {
        if (name === "links") world.now += 3_600_000;
        return set(name, text);
    };
    const deeplinking = world.start();
    deeplinking.mapDefault(() => world.opened.push("default"));
    const opening = deeplinking.open(smartlink);
    assert.equal((await opening).status, "failed");
    assert.deepEqual(world.opened, []);
});

test("counts a link as waiting until it is the current one", async () => {
    const world = makeWorld({
        resolver: {
            resolve: async () => {
                throw new WaymarkClientError("offline");
            },
        },
    });
    const deeplinking = world.start();
    const seen = [];
    const { get } = world.storage;
    world.storage.get = async (name) => {
        const text = await get(name);
        seen.push(deeplinking.hasLink);
        return text;
    };
    await deeplinking.open("shop://products/42?_hk_cid=c1&_hk_md=1");
    assert.ok(seen.length > 0 && !seen.includes(false), seen);
});

test("asks again for a link though one waits that it has superseded", async () => {
    let end;
    const answers = [
        () =>
            new Promise((_, reject) => {
                end = reject;
            }),
        async () => {
            throw new WaymarkClientError("offline");
        },
        async () => answer,
    ];
    const world = makeWorld({ resolver: { resolve: () => answers.shift()() } });
    const deeplinking = world.start();
    const first = deeplinking.open("https://go.example.com/slow");
    await deeplinking.open(smartlink);
    await deeplinking.networkIsBack();
    assert.deepEqual([answers.length, deeplinking.currentDeeplink.error], [0, null]);
    end(new WaymarkClientError("offline"));
    assert.equal((await first).status, "failed");
});

test("counts no start of a target that has ended without the metadata", async () => {
    const { kept } = makeWorld().start();
    const { slot, link } = kept.record({ url: smartlink, answer });
    await kept.keep(slot, link);
    for (let run = 0; run < 4; run++) {
        await kept.start(slot, link);
        await kept.end(slot, link, true, false);
    }
    const stored = await kept.pending(slot);
    assert.deepEqual(
        [stored && stored.starts, stored && stored.answer.metadata],
        [0, { coupon: "20" }],
    );
});
