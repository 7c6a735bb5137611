// Against the real service.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
    Deeplink,
    Deeplinking,
    FileStorage,
    memoryStorage,
    WaymarkClient,
} from "./support/modules.js";
import { Service } from "./support/service.js";

/** @type {Service} */
let service;
let key;
let folders = [];

before(async () => {
    service = await Service.start();
    key = await service.key("resolve", "create");
});

after(async () => {
    await service.end();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function temporaryFolder() {
    const folder = await mkdtemp(join(tmpdir(), "waymark-client-"));
    folders.push(folder);
    return folder;
}

function makeClient(options = {}) {
    return new WaymarkClient({
        service: service.url,
        key,
        app: "shop",
        platform: "ios",
        storage: memoryStorage(),
        sendsEvents: false,
        ...options,
    });
}

const draft = {
    route: "products/:product_id",
    routeParameters: { product_id: 42 },
    queryParameters: { referrer: "ana" },
    metadata: { coupon: "20" },
    redeemLimit: 1,
};

test("creates a link, redeems it once, and is told that it is exhausted", async () => {
    const client = makeClient();
    const smartlink = await client.createSmartlink(draft);
    assert.ok(smartlink.startsWith(service.url + "/"));
    const first = await client.resolve(smartlink);
    assert.equal(first.deeplink, "shop://products/42?referrer=ana");
    assert.deepEqual(first.metadata, { coupon: "20" });
    assert.deepEqual(first.redeem, { limit: 1, used: 1, remaining: 0, status: "redeemed" });
    const second = await client.resolve(new URL(smartlink));
    assert.equal(second.metadata, null);
    assert.equal(second.redeem.status, "exhausted");
    assert.equal((await client.resolve({ smartlink }, { redeem: false })).redeem.status, "skipped");
});

test("creates a link from a deep link", async () => {
    const client = makeClient();
    const { deeplink } = await client.resolve(await client.createSmartlink(new Deeplink(draft)));
    assert.equal(deeplink, "shop://products/42?referrer=ana");
});

test("opens smart links in the app with their metadata", async () => {
    const client = makeClient();
    const deeplinking = new Deeplinking({ client, schemes: ["shop"], openingTimeLimit: 600_000 });
    const opened = [];
    deeplinking.map("products/:product_id", (deeplink) => opened.push(deeplink));
    const smartlink = await deeplinking.generateSmartlink(new Deeplink(draft));
    const { status } = await deeplinking.open(smartlink);
    assert.equal(status, "opened");
    assert.equal(opened[0].routeParameters.product_id, "42");
    assert.deepEqual(opened[0].metadata, { coupon: "20" });
    assert.deepEqual(await client.eventCounts(), { waiting: 1, dropped: 0, refused: 0 });
    await client.flush();
    assert.equal((await service.totals(smartlink)).opens, 1);
});

test("reports refusals with the service's problem", async () => {
    const client = makeClient();
    await assert.rejects(client.resolve(service.url + "/nothing"), (error) => {
        assert.equal(error.code, "refused");
        assert.equal(error.problem.type, "urn:waymark:problem:link-unknown");
        assert.equal(error.status, 404);
        assert.equal(error.isTransient, false);
        return true;
    });
    await assert.rejects(client.createSmartlink({ route: "unknown/route" }), { code: "refused" });
    await assert.rejects(makeClient({ key: "wm_" + "x".repeat(32) }).resolve(service.url + "/a"), {
        code: "refused",
        status: 401,
    });
});

for (const trace of ["clipboard", "referrer"]) {
    test(`claims the deferred link by the ${trace}, once`, async () => {
        const client = makeClient({ platform: trace === "referrer" ? "android" : "ios" });
        const smartlink = await client.createSmartlink(draft);
        const text = await service[trace](smartlink);
        const deferred = await client.claimDeferred({ [trace]: text });
        assert.equal(deferred.match.method, trace);
        assert.equal(deferred.routeParameters.product_id, "42");
        assert.deepEqual(deferred.metadata, { coupon: "20" });
        assert.ok(text.includes(deferred.clickID));
        assert.equal(await client.claimDeferred({ [trace]: text }), null);
        // Another installation gets nothing: a click is claimed once.
        const other = await makeClient().claimDeferred({ [trace]: text });
        assert.equal(other, null);
        await client.flush();
        assert.equal((await service.totals(smartlink)).installs, 1);
    });
}

test("opens the deferred link unless the app was started with another", async () => {
    const client = makeClient();
    const clipboard = await service.clipboard(await client.createSmartlink(draft));
    const deeplinking = new Deeplinking({ client, schemes: ["shop"], openingTimeLimit: 600_000 });
    const opened = [];
    deeplinking.map("products/:product_id", ({ routeParameters, isDeferred }) =>
        opened.push([routeParameters.product_id, isDeferred]),
    );
    assert.equal((await deeplinking.openDeferred({ clipboard })).status, "opened");
    assert.deepEqual(opened, [["42", true]]);

    const started = makeClient();
    const other = new Deeplinking({ client: started, schemes: ["shop"] });
    other.map("products/:product_id", () => {});
    await other.open("shop://products/1");
    assert.equal(await other.openDeferred({ clipboard }), null);
    assert.equal(await started.claimDeferred({ clipboard }), null);
});

test("keeps coupon and link of a first launch that ends before the sign-in", async () => {
    const client = makeClient({ platform: "android" });
    const smartlink = await client.createSmartlink(draft);
    const referrer = await service.referrer(smartlink);
    const state = join(await temporaryFolder(), "state");
    const launch = async (...more) => {
        const program = fileURLToPath(new URL("support/first-launch.js", import.meta.url));
        const child = spawn(process.execPath, [
            program,
            service.url,
            key,
            state,
            referrer,
            ...more,
        ]);
        let output = "";
        child.stdout.on("data", (text) => {
            output += text;
        });
        child.stderr.on("data", (text) => {
            output += text;
        });
        const [, signal] = await once(child, "close");
        return { signal, lines: output.split("\n").filter((line) => line !== "") };
    };
    assert.deepEqual(await launch(), { signal: "SIGKILL", lines: [] });
    assert.deepEqual(await launch(), { signal: "SIGKILL", lines: [] });
    const { lines } = await launch("signed-in");
    assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [
            { routeParameters: { product_id: "42" }, metadata: { coupon: "20" }, isDeferred: true },
            { waiting: 2, dropped: 0, refused: 0 },
        ],
    );
    assert.equal((await launch("signed-in")).lines.length, 1);
    assert.equal((await client.resolve(smartlink, { redeem: false })).redeem.used, 1);
});

test("delivers every event once though app and service are killed", async () => {
    const folder = await temporaryFolder();
    const client = makeClient();
    const smartlink = await client.createSmartlink({
        ...draft,
        metadata: undefined,
        redeemLimit: undefined,
    });
    const clicks = [];
    for (let count = 0; count < 3; count++) {
        clicks.push(new URL(await service.clipboard(smartlink)).searchParams.get("_hk_cid"));
    }
    await service.kill();
    const app = spawn(
        process.execPath,
        [
            fileURLToPath(new URL("support/recorder.js", import.meta.url)),
            service.url,
            key,
            folder,
            ...clicks,
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(app.stdout, "data");
    app.kill("SIGKILL");
    await once(app, "close");
    assert.equal(JSON.parse(await readFile(join(folder, "events.json"), "utf8")).events.length, 3);

    await service.run();
    const restarted = makeClient({ storage: new FileStorage(folder) });
    assert.equal((await restarted.eventCounts()).waiting, 3);
    await restarted.flush();
    await restarted.flush();
    assert.equal((await service.totals(smartlink)).opens, 3);
    assert.equal((await restarted.eventCounts()).waiting, 0);
});

// A proxy that passes requests on and loses the first responses.
async function losingProxy(losses) {
    let left = losses;
    const proxy = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const { host, connection, "content-length": _, ...headers } = request.headers;
        const answer = await fetch(service.url + request.url, {
            method: request.method,
            headers,
            body: Buffer.concat(chunks),
        });
        const body = await answer.text();
        if (left-- > 0) return request.socket.destroy();
        response
            .writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") })
            .end(body);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    return { url: `http://127.0.0.1:${proxy.address().port}`, close: () => proxy.close() };
}

test("takes one redeem and creates one link though answers are lost", async () => {
    const folder = await temporaryFolder();
    const proxy = await losingProxy(4);
    const retry = { attempts: 2, firstWait: 1, longestWait: 1 };
    const lossy = () => makeClient({ service: proxy.url, retry, storage: new FileStorage(folder) });
    await assert.rejects(lossy().createSmartlink(draft), { code: "unreachable" });
    const { total } = await service.call("GET", "/api/v1/links?count=true");
    await assert.rejects(lossy().createSmartlink(draft), { code: "unreachable" });
    const smartlink = await lossy().createSmartlink(draft);
    assert.equal((await service.call("GET", "/api/v1/links?count=true")).total, total);

    const again = await losingProxy(2);
    const other = () => makeClient({ service: again.url, retry, storage: new FileStorage(folder) });
    await assert.rejects(other().resolve(smartlink), { code: "unreachable" });
    const answer = await other().resolve(smartlink);
    assert.deepEqual(answer.metadata, { coupon: "20" });
    assert.equal(answer.redeem.status, "redeemed");
    assert.equal((await other().resolve(smartlink)).redeem.status, "exhausted");
    proxy.close();
    again.close();
});

test("counts conversions once", async () => {
    const client = makeClient();
    const smartlink = await client.createSmartlink({ urls: { web: "https://shop.example.com/" } });
    const conversion = {
        id: "order-1",
        name: "purchase",
        of: { smartlink },
        value: { amount: "12.50", currency: "EUR" },
    };
    assert.equal(await client.reportConversion(conversion), true);
    assert.equal(await client.reportConversion(conversion), false);
});
