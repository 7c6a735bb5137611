// What the app learns about links that do not open, and the service about clients.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, Deeplinking, memoryStorage, version, WaymarkClient } from "./support/modules.js";

const key = "wm_secretsecretsecret";

/** A service that answers each path with a status and JSON. */
function makeClient(answers, options = {}) {
    const requests = [];
    const client = new WaymarkClient({
        service: "https://go.example.com",
        key,
        app: "shop",
        platform: "android",
        storage: memoryStorage(),
        sendsEvents: false,
        retry: { attempts: 1 },
        ...options,
        fetch: async (url, init) => {
            requests.push({ url, ...init });
            const { status = 200, ...json } = answers[new URL(url).pathname] || { status: 404 };
            const body =
                status < 400
                    ? json
                    : {
                          type: "urn:waymark:problem:" + (json.problem || "x"),
                          status,
                          title: "",
                          detail: "",
                      };
            const type = status < 400 ? "application/json" : "application/problem+json";
            return new Response(JSON.stringify(body), {
                status,
                headers: { "Content-Type": type },
            });
        },
    });
    return { client, requests };
}

const resolved = {
    deeplink: "shop://products/SECRET?q=SECRET",
    route: "products/:id",
    routeParameters: { id: "SECRET" },
    queryParameters: { q: "SECRET" },
    metadata: { coupon: "SECRET" },
    redeem: { used: 0 },
};

test("reports each step without values and keys", async () => {
    const steps = [];
    const onDiagnostic = (step) => steps.push(step);
    const { client } = makeClient({ "/api/v1/resolve": resolved }, { onDiagnostic });
    const deeplinking = new Deeplinking({ client, schemes: ["shop"], onDiagnostic });
    deeplinking.map("products/:id", () => {});
    await deeplinking.open("https://go.example.com/SECRET?_hk_cid=SECRET#SECRET");
    await deeplinking.open("other://SECRET?code=SECRET");
    await deeplinking.open("shop://products/SECRET");
    const host = "go.example.com";
    assert.deepEqual(steps, [
        { step: "resolving", host },
        { step: "request", host },
        { step: "response", host, status: 200 },
        { step: "resolved", host, route: "products/:id" },
        { step: "opened", route: "products/:id" },
        { step: "notHandled" },
        { step: "opened", route: "products/:id" },
    ]);
    assert.doesNotMatch(JSON.stringify(steps), /secret/i);
});

test("goes on though the app's log fails", async () => {
    const onDiagnostic = () => {
        throw new Error("broken");
    };
    const { client } = makeClient({ "/api/v1/resolve": resolved }, { onDiagnostic });
    const deeplinking = new Deeplinking({ client, schemes: ["shop"], onDiagnostic });
    deeplinking.map("products/:id", () => {});
    assert.equal((await deeplinking.open("https://go.example.com/a")).status, "opened");
});

test("explains in one line", async () => {
    const deeplinking = new Deeplinking({ schemes: ["shop"], domains: ["go.example.com"] });
    deeplinking.map("products/:id", () => {});
    for (const [url, text] of [
        ["shop://products/42", "opens the route 'products/:id', because it is a link of the app"],
        ["fb1://x", "is not handled, because the router does not handle its scheme"],
        [
            "shop://x",
            "opens nothing, as no route matches and there is no default route, because it is a link of the app",
        ],
    ]) {
        assert.equal((await deeplinking.explain(url)).text, text);
    }
    // Without a service it can't be asked.
    assert.equal(
        (await deeplinking.explain("https://go.example.com/a", { asksService: true })).outcome,
        "resolves",
    );
});

test("names itself and its version to the service", async () => {
    assert.equal(
        version,
        JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version,
    );
    const { client, requests } = makeClient({ "/api/v1/resolve": resolved });
    await client.resolve("https://go.example.com/a");
    assert.equal(
        requests[0].headers["User-Agent"],
        `WaymarkJavaScript/${version} (Node ${process.versions.node})`,
    );
});

const good = {
    "/api/v1/resolve": { status: 404, problem: "link-unknown" },
    "/api/v1/apps/shop": {
        id: "shop",
        domains: ["go.example.com"],
        platforms: ["android"],
        urlSchemes: { ios: null, android: "shop" },
    },
};
const now = () => new Date().toUTCString();

for (const [
    name,
    changes,
    expected,
    {
        date = now(),
        domains = ["go.example.com"],
        schemes = ["shop"],
        app = "shop",
        routes = true,
    } = {},
] of [
    ["finds nothing where all is well", {}, {}],
    [
        "finds a service that is none",
        { "/api/v1/resolve": { status: 404, problem: "x" } },
        { service: "finding", key: "skipped" },
    ],
    ["finds a key that has ended", { "/api/v1/resolve": { status: 401 } }, { key: "finding" }],
    ["finds a key without the scope", { "/api/v1/resolve": { status: 403 } }, { key: "finding" }],
    [
        "finds a clock that is wrong",
        {},
        { clock: "finding" },
        { date: "Sat, 21 Nov 2020 10:00:00 GMT" },
    ],
    ["skips a clock that can't be read", {}, { clock: "skipped" }, { date: "" }],
    [
        "finds an application that is unknown",
        { "/api/v1/apps/shop": { status: 404 } },
        { app: "finding", domains: "skipped", scheme: "skipped" },
    ],
    [
        "skips an application that the key may not read",
        { "/api/v1/apps/shop": { status: 403 } },
        { app: "skipped", domains: "skipped", scheme: "skipped" },
    ],
    [
        "skips an application that the client does not name",
        {},
        { app: "skipped", domains: "skipped", scheme: "skipped" },
        { app: null },
    ],
    [
        "finds a host that the application has not",
        {},
        { domains: "finding" },
        { domains: ["go.example.com", "x.example"] },
    ],
    [
        "finds a host that the router lacks",
        {
            "/api/v1/apps/shop": {
                domains: ["go.example.com", "x.example"],
                platforms: ["android"],
                urlSchemes: { ios: null, android: "shop" },
            },
        },
        { domains: "finding" },
    ],
    [
        "knows that an application without domains has all hosts",
        { "/api/v1/apps/shop": { domains: [], urlSchemes: { android: "shop" } } },
        {},
    ],
    ["finds a scheme that the router lacks", {}, { scheme: "finding" }, { schemes: ["shop2"] }],
    [
        "skips a scheme that the application has not",
        { "/api/v1/apps/shop": { domains: [], urlSchemes: { ios: "shop", android: null } } },
        { scheme: "skipped" },
    ],
    [
        "reads an application as administrators get it",
        { "/api/v1/apps/shop": { domains: ["go.example.com"], android: { urlScheme: "shop" } } },
        {},
    ],
    ["finds that no route is mapped", {}, { routes: "finding" }, { routes: false }],
]) {
    test(`check ${name}`, async () => {
        const { client, requests } = makeClient({ ...good, ...changes }, { app });
        const deeplinking = new Deeplinking({ client, schemes, domains });
        if (routes) deeplinking.map("products/:id", () => {});
        const lines = [];
        const findings = await check(client, deeplinking, {
            print: (line) => lines.push(line),
            fetch: async () => new Response("", { headers: date ? { Date: date } : {} }),
        });
        const states = {
            service: "ok",
            key: "ok",
            clock: "ok",
            app: "ok",
            domains: "ok",
            scheme: "ok",
            routes: "ok",
        };
        assert.deepEqual(Object.fromEntries(findings.map(({ check, state }) => [check, state])), {
            ...states,
            ...expected,
        });
        assert.equal(lines.length, 7);
        for (const line of lines) assert.match(line, /^  (ok|finding|skipped) +[a-z]+ +\S/);
        for (const { state, fix } of findings) assert.equal(fix !== null, state === "finding");
        assert.doesNotMatch(lines.join(), /secret/);
        assert.ok(requests.every(({ body }) => !body || JSON.parse(body).redeem === false));
    });
}
