// What the shared cases leave open: the order of links, filters, and the application's own
// interfaces.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Deeplink, Deeplinking, DeepLinkTemplate, DeepLinkURL } from "./support/modules.js";

const answer = (deeplink, members = {}) => ({
    deeplink,
    route: null,
    routeParameters: {},
    queryParameters: {},
    metadata: null,
    update: null,
    redeem: { limit: null, used: 0, remaining: null, status: "none" },
    ...members,
});

/** A router whose responses come when they are released. */
function waitingRouter(options = {}) {
    const waiting = [];
    const opened = [];
    const resolver = {
        resolve: (link) =>
            new Promise((resolve, reject) => waiting.push({ link, resolve, reject })),
    };
    const recorded = [];
    const deeplinking = new Deeplinking({
        schemes: ["shop"],
        domains: ["go.example.com"],
        resolver,
        recorder: { recordOpen: (link) => recorded.push(link) },
        ...options,
    });
    deeplinking.map("products/:id", ({ routeParameters }) => opened.push(routeParameters.id));
    return { deeplinking, waiting, opened, recorded };
}

test("ignores an answer that arrives after a later link", async () => {
    const { deeplinking, waiting, opened } = waitingRouter();
    const first = deeplinking.open("https://go.example.com/a");
    await deeplinking.open("shop://products/2");
    waiting[0].resolve(answer("shop://products/1"));
    assert.equal((await first).status, "notOpened");
    assert.deepEqual(opened, ["2"]);
});

test("ignores a failure that arrives after a later link", async () => {
    const { deeplinking, waiting, opened } = waitingRouter();
    deeplinking.mapDefault(() => opened.push("default"));
    const first = deeplinking.open("https://go.example.com/a");
    const second = deeplinking.open("https://go.example.com/b");
    waiting[0].reject(new Error("down"));
    assert.equal((await first).status, "failed");
    waiting[1].resolve(answer("shop://products/2"));
    assert.equal((await second).status, "opened");
    assert.deepEqual(opened, ["2"]);
});

test("opens a link that need not wait before the call returns", () => {
    const { deeplinking, opened } = waitingRouter();
    void deeplinking.open("shop://products/1");
    assert.deepEqual(opened, ["1"]);
});

test("fetches metadata that a link announces, and opens without it", async () => {
    const { deeplinking, waiting, opened } = waitingRouter();
    const opening = deeplinking.open("shop://products/1?_hk_cid=c1&_hk_md=1");
    assert.deepEqual(waiting[0].link, { clickID: "c1" });
    assert.deepEqual(opened, []);
    assert.equal(deeplinking.hasLink, true);
    waiting[0].resolve(answer(null, { metadata: { coupon: "20" } }));
    const { deeplink } = await opening;
    assert.deepEqual(deeplink.metadata, { coupon: "20" });
    assert.equal(deeplink.needsMetadata, false);
    const failing = deeplinking.open("shop://products/2?_hk_cid=c2&_hk_md");
    waiting[1].reject(new Error("down"));
    assert.equal((await failing).deeplink.needsMetadata, true);
    assert.deepEqual(opened, ["1", "2"]);
});

test("records a link once though it is opened again", async () => {
    const { deeplinking, recorded, opened } = waitingRouter();
    let isSignedIn = false;
    const remove = deeplinking.addFilter(() => isSignedIn);
    assert.equal((await deeplinking.open("shop://products/1?_hk_cid=c1")).status, "notOpened");
    isSignedIn = true;
    assert.equal((await deeplinking.openCurrentDeeplink()).status, "opened");
    remove();
    remove();
    assert.equal((await deeplinking.openCurrentDeeplink()).status, "opened");
    assert.equal(recorded.length, 1);
    assert.deepEqual(opened, ["1", "1"]);
});

test("waits for filters and targets that return promises", async () => {
    const { deeplinking, opened } = waitingRouter();
    let isSignedIn = false;
    deeplinking.addFilter(async () => isSignedIn);
    deeplinking.addFilter(async () => {
        throw new Error("broken");
    });
    assert.equal((await deeplinking.open("shop://products/1")).status, "notOpened");
    isSignedIn = true;
    await assert.rejects(deeplinking.openCurrentDeeplink(), /broken/);
    assert.deepEqual(opened, []);
    const other = waitingRouter().deeplinking;
    other.map("a", async () => {
        await null;
        opened.push("a");
    });
    await other.open("shop://a");
    assert.deepEqual(opened, ["a"]);
});

test("opens nothing if a later link came while a filter waited", async () => {
    const { deeplinking, opened } = waitingRouter();
    let pass = () => {};
    const remove = deeplinking.addFilter(
        () =>
            new Promise((resolve) => {
                pass = () => resolve(true);
            }),
    );
    const first = deeplinking.open("shop://products/1");
    remove();
    await deeplinking.open("shop://products/2");
    pass();
    assert.equal((await first).status, "notOpened");
    assert.deepEqual(opened, ["2"]);
});

test("runs handlers before the target and rejects with their errors", async () => {
    const { deeplinking, opened } = waitingRouter();
    const remove = deeplinking.addHandler(({ wasOpened }) => opened.push(wasOpened));
    const { deeplink } = await deeplinking.open("shop://products/1");
    assert.equal(deeplink.wasOpened, true);
    remove();
    deeplinking.addHandler(() => {
        throw new Error("broken");
    });
    await assert.rejects(deeplinking.open("shop://products/2"), /broken/);
    assert.deepEqual(opened, [false, "1"]);
});

test("does not run the target if a filter or a handler opens another link", async () => {
    for (const add of ["addFilter", "addHandler"]) {
        for (const url of ["shop://products/2", "https://go.example.com/a"]) {
            const { deeplinking, opened } = waitingRouter();
            const remove = deeplinking[add](() => {
                remove();
                void deeplinking.open(url);
                return true;
            });
            assert.equal((await deeplinking.open("shop://products/1")).status, "notOpened");
            assert.deepEqual(opened, url.startsWith("shop") ? ["2"] : []);
        }
    }
});

/** React Native's Linking. */
function linking(initial) {
    const listeners = new Set();
    return {
        getInitialURL: async () => initial,
        addEventListener: (type, listener) => {
            listeners.add(listener);
            return { remove: () => listeners.delete(listener) };
        },
        emit: (url) => listeners.forEach((listener) => listener({ url })),
        listeners,
    };
}

test("opens the URL that the app was started with and those that follow", async () => {
    const { deeplinking, opened } = waitingRouter();
    const system = linking("shop://products/1");
    const stop = await deeplinking.listen(system);
    system.emit("shop://products/2");
    stop();
    system.emit("shop://products/3");
    assert.deepEqual(opened, ["1", "2"]);
    assert.equal(system.listeners.size, 0);
});

test("listens on though the first target throws", async () => {
    const thrower = fileURLToPath(new URL("support/thrower.js", import.meta.url));
    const output = await promisify(execFile)(process.execPath, [thrower]);
    assert.deepEqual(output.stdout.trim().split("\n").sort(), [
        "0 listeners",
        "opened 1",
        "opened 2",
        "reported boom",
        "reported boom",
    ]);
});

test("stops listening if the first URL can't be read", async () => {
    const { deeplinking } = waitingRouter();
    const system = linking(null);
    system.getInitialURL = async () => {
        throw new Error("no activity");
    };
    await assert.rejects(deeplinking.listen(system), /no activity/);
    assert.equal(system.listeners.size, 0);
});

test("drops the first URL if a later one was opened meanwhile", async () => {
    const { deeplinking, opened } = waitingRouter();
    const system = linking("shop://products/1");
    const listening = deeplinking.listen(system);
    system.emit("shop://products/2");
    await listening;
    assert.deepEqual(opened, ["2"]);
});

test("fails without a service where one is needed", async () => {
    const deeplinking = new Deeplinking({ domains: ["go.example.com"] });
    assert.equal((await deeplinking.open("https://go.example.com/a")).error.code, "noService");
    assert.equal((await deeplinking.openDeferred()).error.code, "noService");
    await assert.rejects(
        deeplinking.generateSmartlink(new Deeplink({ urls: { web: "https://a.example" } })),
        { code: "noService" },
    );
    await assert.rejects(deeplinking.generateSmartlink(new Deeplink({ route: "a" })), {
        code: "routeNotMapped",
    });
});

test("refuses metadata that is not JSON", () => {
    const circular = {};
    circular.self = circular;
    for (const metadata of [
        { at: new Date() },
        { f: () => {} },
        { n: NaN },
        { m: new Map() },
        circular,
        [],
        { u: undefined },
    ]) {
        assert.throws(() => new Deeplink({ metadata }), { code: "invalidMetadata" });
    }
    assert.throws(() => new Deeplink({ route: "a/:b/:c", routeParameters: { c: 1 } }), {
        names: ["b"],
    });
});

test("reads hostile URLs in linear time", () => {
    const { deeplinking } = waitingRouter();
    deeplinking.map(":a/:b/:c/:d/:e/:f/:g/x", () => {});
    for (let depth = 1; depth < 12; depth++) {
        deeplinking.map(Array(depth).fill("a").concat("b").join("/"), () => {});
    }
    // Quadratic work on these texts would take hours.
    const texts = [
        "/",
        "a/",
        ":",
        "@",
        "%",
        "%41",
        "[",
        "?",
        "&",
        "=",
        "#",
        "a:1",
        "\ud800",
        "%ff",
        "_hk_cid=1&",
        "+",
    ];
    for (const text of texts) {
        for (const prefix of ["shop://", "https://go.example.org/?", "", "shop:"]) {
            const url = prefix + text.repeat(200_000);
            assert.equal(new DeepLinkURL(url).text, url);
            deeplinking.canOpen(url);
        }
    }
});

test("reads numbers of templates in linear time", () => {
    const digits = "1".repeat(200_000);
    const template = new DeepLinkTemplate()
        .term("a")
        .double("x")
        .query([{ name: "y", type: "double" }]);
    for (const text of [
        digits + "x",
        digits + "." + digits + "x",
        digits + "e",
        "-" + digits + "e+" + digits + "x",
    ]) {
        assert.equal(template.values("shop://a/" + text), null);
        assert.deepEqual(template.values("shop://a/1?y=" + text).query, {});
    }
    assert.deepEqual(template.values("shop://a/1.?y=.5e1"), {
        path: { x: 1 },
        query: { y: 5 },
        fragment: null,
    });
    assert.equal(template.values("shop://a/1e999"), null);
});

test("keeps names that every object has apart from parameters", async () => {
    const { deeplinking } = waitingRouter();
    deeplinking.map("x/:__proto__", () => {});
    const { deeplink } = await deeplinking.open("shop://x/1?__proto__=2&constructor=3&toString");
    assert.deepEqual(Object.entries(deeplink.routeParameters), [["__proto__", "1"]]);
    assert.deepEqual(Object.entries(deeplink.queryParameters), [
        ["__proto__", "2"],
        ["constructor", "3"],
        ["toString", null],
    ]);
    assert.throws(() => new Deeplink({ route: "a/:toString" }), { code: "missingRouteParameters" });
});

test("prints the URL of a template's values and reads it back", () => {
    const template = new DeepLinkTemplate()
        .term("show")
        .string("name")
        .int("size")
        .query([
            { name: "sure", type: "bool", required: true },
            { name: "scale", type: "double" },
        ]);
    const values = {
        path: { name: "a/ü ", size: -7 },
        query: { sure: true, scale: 0.5 },
        fragment: null,
    };
    const url = template.url(values, { scheme: "shop" });
    assert.equal(url, "shop://show/a%2F%C3%BC%20/-7?scale=0.5&sure=true");
    assert.deepEqual(template.values(url), values);
    assert.equal(
        template.url({ path: { name: "..", size: 1 }, query: { sure: true } }, { scheme: "shop" }),
        null,
    );
    assert.equal(template.url({ path: { name: "a", size: 1 } }, { scheme: "shop" }), null);
    assert.equal(template.url(values, { scheme: "java script" }), null);
    assert.equal(
        template.url(values, { scheme: "https", host: "go.example.com" }),
        "https://go.example.com/show/a%2F%C3%BC%20/-7?scale=0.5&sure=true",
    );
});
