// The sample program, the runner of the shared cases, and an engine with no more than React Native
// has.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { Service } from "./support/service.js";

const client = fileURLToPath(new URL("../", import.meta.url));
let folder;

before(async () => {
    folder = await mkdtemp(join(tmpdir(), "waymark-environment-"));
});

after(() => rm(folder, { recursive: true, force: true }));

function run(program, ...values) {
    return new Promise((resolve) => {
        execFile(program, values, (error, stdout, stderr) =>
            resolve({ status: error ? error.code : 0, stdout, stderr }),
        );
    });
}

test("plays the sample program", async () => {
    const service = await Service.start();
    try {
        const key = await service.key("resolve", "create");
        const { status, stdout, stderr } = await run(
            process.execPath,
            join(client, "example/node.js"),
            service.url,
            key,
            join(folder, "state"),
        );
        assert.equal(stderr, "");
        assert.equal(
            stdout,
            "created\nproduct 42, coupon 20\nproduct 42, coupon none\nproduct 7, coupon none\n" +
                "{ waiting: 0, dropped: 0, refused: 0 }\n",
        );
        assert.equal(status, 0);
    } finally {
        await service.end();
    }
});

test("the runner of cases fails for a wrong case and for no file", async () => {
    const file = join(folder, "cases.json");
    const input = { url: "shop://a?b#c" };
    await writeFile(
        file,
        JSON.stringify({
            kind: "url",
            cases: [
                { name: "right", input, expected: { host: "a" } },
                { name: "wrong", input, expected: { host: "b", query: "b" } },
            ],
        }),
    );
    const cases = join(client, "cases");
    const failed = await run(cases, file);
    assert.deepEqual(
        { ...failed, stderr: "" },
        { status: 1, stdout: "1 cases passed\n", stderr: "" },
    );
    assert.match(failed.stderr, /^wrong\n +host: expected "b"\n +host: actual +"a"\n$/);
    await writeFile(file, "[]");
    for (const values of [[], [join(folder, "missing")], [file]]) {
        assert.equal((await run(cases, ...values)).status, 2);
    }
});

const bundles = process.env.WAYMARK_BUNDLES;

test(
    "runs with nothing but React Native's globals",
    { skip: !bundles && "bundles only" },
    async () => {
        const bodies = [];
        const globals = {
            setTimeout,
            clearTimeout,
            AbortController,
            navigator: { product: "ReactNative" },
            HTMLElement: undefined,
            fetch: async (url, { body }) => {
                bodies.push(JSON.parse(body));
                return {
                    status: 200,
                    url,
                    headers: {
                        get: (name) => (name === "Content-Type" ? "application/json" : null),
                    },
                    text: async () =>
                        '{"deeplink":"shop://products/42","redeem":{"used":0},"metadata":{"coupon":"20"}}',
                };
            },
        };
        const context = createContext(globals);
        runInContext(
            "globalThis.exported = {}; for (const name of ['WebAssembly', 'Intl', 'Atomics']) delete globalThis[name];",
            context,
        );
        for (const module of ["waymark", "routing"]) {
            const text = await readFile(join(bundles, module + ".js"), "utf8");
            const script = text.replace(
                /export\s*\{([^}]*)\};?\s*$/,
                (_, names) =>
                    `Object.assign(exported, {${names
                        .split(",")
                        .map((name) => name.trim().split(" as "))
                        .map(([local, name]) => `${name ?? local}: ${local}`)}});`,
            );
            runInContext(`(() => {${script}})()`, context);
        }
        const items = new Map();
        Object.assign(globals, { items, opened: [] });
        await runInContext(
            `(async () => {
        const { WaymarkClient, Deeplinking } = exported;
        const client = new WaymarkClient({
            service: "https://go.example.com", key: "wm_x", app: "shop", platform: "ios", sendsEvents: false,
            storage: { getItem: async (key) => items.get(key) ?? null, setItem: async (key, value) => { items.set(key, value); } },
        });
        const deeplinking = new Deeplinking({ client, schemes: ["shop"] });
        deeplinking.map("products/:id", ({ routeParameters, metadata }) => opened.push(routeParameters.id + metadata.coupon));
        await deeplinking.listen({ getInitialURL: async () => "https://go.example.com/a", addEventListener: () => ({ remove() {} }) });
        await client.eventCounts();
    })()`,
            context,
        );
        assert.deepEqual(globals.opened, ["4220"]);
        assert.equal(JSON.parse(items.get("waymark.events")).events.length, 1);
        const [{ id }] = JSON.parse(items.get("waymark.events")).events;
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    },
);
