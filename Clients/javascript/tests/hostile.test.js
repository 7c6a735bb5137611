// Answers that are not the service's.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { memoryStorage, WaymarkClient, WaymarkClientError } from "./support/modules.js";

const key = "wm_secret0123456789abcdefghijklmnop";
const servers = [];

after(() => {
    for (const server of servers) {
        server.close();
        server.closeAllConnections?.();
    }
});

async function listen(server) {
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${server.address().port}`;
}

function makeClient(options) {
    return new WaymarkClient({
        service: "https://go.example.com",
        key,
        storage: memoryStorage(),
        sendsEvents: false,
        retry: { attempts: 1 },
        ...options,
    });
}

/** The error of a resolve that this server answers. */
async function failure(answer, options = {}) {
    const service = await listen(createServer(answer));
    const error = await makeClient({ service, ...options })
        .resolve("https://go.example.com/a")
        .then(
            () => assert.fail("it was answered"),
            (error) => error,
        );
    assert.ok(error instanceof WaymarkClientError, inspect(error));
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key));
    return error;
}

const json = { "Content-Type": "application/json" };
const problem = { "Content-Type": "application/problem+json" };
const answered = '{"deeplink":"shop://a","redeem":{"used":0}}';

test("never sends the key to where a redirect leads", async () => {
    const reached = [];
    const elsewhere = await listen(
        createServer((request, response) => {
            reached.push(request.headers);
            response.writeHead(200, json).end(answered);
        }),
    );
    for (const status of [301, 302, 303, 307, 308]) {
        const { code } = await failure((_, response) =>
            response.writeHead(status, { Location: elsewhere }).end(),
        );
        assert.equal(code, "unexpectedAnswer");
    }
    assert.deepEqual(reached, []);
});

test("ignores a response from another address", async () => {
    // React Native follows redirects whatever it is told.
    for (const answer of [{ redirected: true }, { url: "https://evil.example/api/v1/resolve" }]) {
        const fetch = async () =>
            Object.defineProperties(
                new Response(answered, { headers: json }),
                Object.fromEntries(
                    Object.entries(answer).map(([name, value]) => [name, { value }]),
                ),
            );
        await assert.rejects(makeClient({ fetch }).resolve("https://go.example.com/a"), {
            code: "unexpectedAnswer",
            status: 0,
        });
    }
    const fetch = async () =>
        Object.defineProperty(new Response(answered, { headers: json }), "url", {
            value: "https://go.example.com/api/v1/resolve",
        });
    const client = makeClient({ fetch, service: "HTTPS://GO.example.com:443/" });
    assert.equal((await client.resolve("https://go.example.com/a")).deeplink, "shop://a");
});

test("stops reading a body without an end", async () => {
    let sent = 0;
    const { code } = await failure((_, response) => {
        response.writeHead(200, json);
        const chunk = Buffer.alloc(64 * 1_024, " ");
        const more = () => {
            while (!response.destroyed && sent < 1e9) {
                sent += chunk.length;
                if (!response.write(chunk)) return response.once("drain", more);
            }
        };
        more();
    });
    assert.equal(code, "answerTooLarge");
    assert.ok(sent < 32 * 1_024 * 1_024, `${sent} bytes were sent`);
});

test("stops reading a compressed body that grows", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024, " "));
    const { code } = await failure((_, response) =>
        response.writeHead(200, { ...json, "Content-Encoding": "gzip" }).end(bomb),
    );
    assert.equal(code, "answerTooLarge");
});

test("does not read a body that is declared too large", async () => {
    const { code } = await failure((_, response) =>
        response.writeHead(200, { ...json, "Content-Length": "1000000000" }).write("{"),
    );
    assert.equal(code, "answerTooLarge");
});

test("measures bodies where there are no streams", async () => {
    const fetch = (text) => async () => ({
        status: 200,
        headers: new Headers(json),
        text: async () => text,
        url: "",
        type: "default",
        redirected: false,
    });
    const large = makeClient({ fetch: fetch('"' + "ü".repeat(200_000) + '"') });
    await assert.rejects(large.resolve("https://go.example.com/a"), { code: "answerTooLarge" });
    assert.equal(
        (await makeClient({ fetch: fetch(answered) }).resolve("https://go.example.com/a")).deeplink,
        "shop://a",
    );
});

test("ends an answer that drips after the time limit", async () => {
    let timer;
    const { code } = await failure(
        (request, response) => {
            response.writeHead(200, json);
            timer = setInterval(() => response.write(" "), 5);
        },
        { timeLimit: 100 },
    );
    clearInterval(timer);
    assert.equal(code, "timedOut");
});

test("ends a wait for an answer that does not come", async () => {
    assert.equal((await failure(() => {}, { timeLimit: 50 })).code, "timedOut");
    const deaf = makeClient({ fetch: () => new Promise(() => {}), timeLimit: 50 });
    await assert.rejects(deaf.resolve("https://go.example.com/a"), { code: "timedOut" });
});

test("stops when the caller cancels", async () => {
    const controller = new AbortController();
    const service = await listen(createServer(() => controller.abort()));
    await assert.rejects(
        makeClient({ service }).resolve("https://go.example.com/a", { signal: controller.signal }),
        { code: "cancelled" },
    );
    await assert.rejects(
        makeClient({ service }).resolve("https://go.example.com/a", { signal: controller.signal }),
        { code: "cancelled" },
    );
});

const bodies = [
    ["no JSON", "<html>"],
    ["an empty body", ""],
    ["cut JSON", '{"redeem":{'],
    ["an array", "[]"],
    ["null", "null"],
    ["no redeem", "{}"],
    ["a redeem of another type", '{"redeem":[]}'],
    ["a count of another type", '{"redeem":{"used":"0"}}'],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ["deep JSON", "[".repeat(100_000)],
];
for (const [name, body] of bodies) {
    test(`refuses an answer with ${name}`, async () => {
        const error = await failure((_, response) => response.writeHead(200, json).end(body));
        assert.equal(error.code, "unexpectedAnswer");
        assert.equal(error.status, 200);
        assert.equal(error.isTransient, false);
    });
}

const problems = [
    ["of another type", "<html>", { "Content-Type": "text/html" }],
    ["without members", "{}", problem],
    ["that is cut", '{"type":"a","status":4', problem],
    ["that is too large", " ".repeat(300_000), problem],
    ["without a type", '{"status":404}', problem],
    ["that is null", "null", problem],
];
for (const [name, body, headers] of problems) {
    test(`does not read a problem ${name}`, async () => {
        const error = await failure((_, response) => response.writeHead(404, headers).end(body));
        assert.equal(error.code, "unexpectedAnswer");
        assert.equal(error.problem, null);
    });
}

test("reads a problem whose members are of other types", async () => {
    const error = await failure((_, response) =>
        response.writeHead(422, problem).end(
            JSON.stringify({
                type: "urn:waymark:problem:invalid-fields",
                status: 200,
                title: 5,
                errors: [null, 7, { field: "a" }, { problem: "b" }],
            }),
        ),
    );
    assert.equal(error.code, "refused");
    assert.equal(error.status, 422);
    assert.deepEqual(error.problem.errors, [{ field: "a", problem: "" }]);
});

const echoes = [
    ["detail", { detail: `header was Bearer ${key}` }],
    ["title", { title: key }],
    ["type", { type: "urn:" + key }],
    ["field", { errors: [{ field: key, problem: "bad" }] }],
    ["problem", { errors: [{ field: "a", problem: key }] }],
    ["unknown member", { headers: [key] }],
];
for (const [name, members] of echoes) {
    test(`does not repeat a key in a problem's ${name}`, async () => {
        const body = JSON.stringify({ type: "x", status: 403, title: "bad", ...members });
        for (const text of [body, body.replace("wm_", "\\u0077m_")]) {
            const error = await failure((_, response) =>
                response.writeHead(403, problem).end(text),
            );
            assert.ok(!error.stack.includes(key));
            if (name !== "unknown member" || text === body) {
                assert.equal(error.code, "unexpectedAnswer");
            }
            assert.equal(error.status, 403);
        }
    });
}

test("cuts the message of a long problem", async () => {
    const error = await failure((_, response) =>
        response
            .writeHead(403, problem)
            .end(JSON.stringify({ type: "x", status: 403, title: "t".repeat(200_000) })),
    );
    assert.equal(error.code, "refused");
    assert.equal(error.message.length, 1_000);
});

const nested = "[".repeat(40_000) + "]".repeat(40_000);
for (const [name, members] of [
    ["that can't be texts", '{"toString":1,"valueOf":1}'],
    ["that are nested deeply", nested],
]) {
    test(`reads a problem with members ${name}`, async () => {
        const error = await failure((_, response) =>
            response
                .writeHead(403, problem)
                .end(
                    `{"type":"x","status":403,"title":${members},"detail":${members},"errors":[{"field":"a","problem":${members}}]}`,
                ),
        );
        assert.equal(error.code, "refused");
        assert.deepEqual(error.problem, {
            type: "x",
            status: 403,
            title: "",
            detail: "",
            errors: [{ field: "a", problem: "" }],
        });
    });
}

test("keeps parameters named like parts of every object", async () => {
    const service = await listen(
        createServer((_, response) =>
            response
                .writeHead(200, json)
                .end(
                    '{"deeplink":null,"routeParameters":{"__proto__":"x","constructor":"y","n":1,"o":{}},"metadata":{"__proto__":{"admin":true}},' +
                        '"redeem":{"used":0}}',
                ),
        ),
    );
    const answer = await makeClient({ service }).resolve("https://go.example.com/a");
    assert.deepEqual(Object.entries(answer.routeParameters), [
        ["__proto__", "x"],
        ["constructor", "y"],
        ["n", "1"],
    ]);
    assert.equal({}.admin, undefined);
    assert.equal(answer.metadata.admin, undefined);
});

test("reports broken connections as unreachable", async () => {
    const reset = await listen(createSocketServer((socket) => socket.destroy()));
    const garbage = await listen(createSocketServer((socket) => socket.end("SSH-2.0-x\r\n")));
    for (const service of [reset, garbage, "http://127.0.0.1:1"]) {
        await assert.rejects(makeClient({ service }).resolve("https://go.example.com/a"), {
            code: "unreachable",
        });
    }
});

test("shows the key nowhere", async () => {
    const leaking = async (_, { headers }) => {
        throw Object.assign(new Error(`could not send ${headers.Authorization}`), {
            config: { headers },
        });
    };
    const client = makeClient({ fetch: leaking });
    const error = await client.resolve("https://go.example.com/a").catch((error) => error);
    for (const shown of [client, error]) {
        const texts = [
            inspect(shown, { depth: 9, showHidden: true }),
            JSON.stringify(shown),
            String(shown),
            shown.message,
            shown.stack,
            JSON.stringify(Object.getOwnPropertyDescriptors(shown)),
        ];
        for (const text of texts) assert.ok(!String(text).includes(key));
    }
});

const addresses = [
    ["http://go.example.com", /https/],
    ["http://localhost.example.com", /https/],
    ["http://127.0.0.1.example.com", /https/],
    ["ftp://go.example.com", /https/],
    ["https://", /host/],
    ["", /host/],
    ["go.example.com", /host/],
    ["https://ana@go.example.com", /user/],
    ["https://go.example.com?a", /query/],
    ["https://go.example.com#a", /fragment/],
    ["https://go.example.com/ü", /URL/],
    ["https://go.example.com\\@evil.example", /URL/],
    ["https://go.example.com/\n", /URL/],
    [undefined, /URL/],
    [5, /URL/],
    ["https://go.example.com:port", /URL/],
    ["https://go.example.com:99999", /URL/],
    ["https://[::1", /URL/],
    ["https://<x>", /URL/],
    ["https://[::1]x", /URL/],
    ["https://go.example.com/a/../b", /URL/],
    ["https://go.example.com/.", /URL/],
    ["https://go.example.com/<a>", /URL/],
];
for (const [service, words] of addresses) {
    test(`refuses the service ${JSON.stringify(service)}`, () => {
        assert.throws(
            () => makeClient({ service }),
            (error) => {
                assert.equal(error.code, "invalidAddress");
                assert.match(error.message, words);
                return true;
            },
        );
    });
}

for (const bad of ["", "wm a", "wm\n", "wmü", undefined, 5]) {
    test(`refuses the key ${JSON.stringify(bad)}`, () => {
        assert.throws(() => makeClient({ key: bad }), { code: "invalidKey" });
    });
}

for (const service of [
    "http://localhost:8080",
    "http://127.1.2.3/",
    "http://[::1]:1/waymark/",
    new URL("https://go.example.com/a/..b/"),
]) {
    test(`accepts the service ${service}`, () => {
        assert.equal(makeClient({ service }).service, String(service).replace(/\/$/, ""));
    });
}

const wrongOptions = [
    { timeLimit: -1 },
    { answerLimit: NaN },
    { eventLimit: -5 },
    { eventAge: "1" },
    { platform: "symbian" },
    { timeLimit: null },
    { retry: { attempts: 0 } },
    { retry: { firstWait: NaN } },
    { retry: { longestWait: -1 } },
    { storage: {} },
];
for (const options of wrongOptions) {
    test(`refuses ${Object.keys(options)} ${Object.values(options).map((value) => JSON.stringify(value))}`, () => {
        assert.throws(() => makeClient(options), TypeError);
    });
}

test("uses the defaults for members that are undefined", async () => {
    let attempts = 0;
    const waits = [];
    const client = makeClient({
        retry: { attempts: undefined, firstWait: undefined, longestWait: undefined },
        random: () => 0,
        clock: {
            now: Date.now,
            sleep: async (wait) => {
                waits.push(wait);
            },
        },
        fetch: async () => {
            attempts += 1;
            throw new Error("down");
        },
    });
    await assert.rejects(client.resolve("https://go.example.com/a"), { code: "unreachable" });
    assert.equal(attempts, 4);
    assert.deepEqual(waits, [250, 500, 1_000]);
});

test("works behind a proxy and with methods that are passed on", async () => {
    const fetch = async () => new Response(answered, { headers: json });
    const client = makeClient({ fetch });
    const { resolve } = client;
    assert.equal((await resolve("https://go.example.com/a")).deeplink, "shop://a");
    assert.equal(
        (await new Proxy(client, {}).resolve("https://go.example.com/b")).deeplink,
        "shop://a",
    );
    assert.deepEqual(Object.keys(client), ["service", "domains", "app", "platform"]);
    client.resolve = async () => null;
    assert.equal(await client.resolve(), null);
});

test("rejects calls without a link", async () => {
    await assert.rejects(makeClient({}).resolve({}), TypeError);
});
