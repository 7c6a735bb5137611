// A round trip through a client that OpenAPI Generator has made of the API document: an application with its key, a link from its
// creation to its deletion, the app's calls, statistics, and a webhook. Usage: node check-clients.js URL KEY
import {
    ApplicationsApi, AppsApi, AssociationApi, Configuration, CreateLinkRequest, KeysApi, LinksApi, OperationApi, ResponseError, VisitsApi, WebhooksApi,
} from "./client";

// Node's own, whose types Debian does not have.
declare const process: { argv: string[]; exitCode: number };
declare function require(name: string): any;

const [url, key] = process.argv.slice(2);
const administrator = new Configuration({ basePath: url, accessToken: key });
let calls = 0;

function check(isTrue: boolean, sentence: string): void {
    if (!isTrue) throw new Error(sentence);
}

async function call<Value>(promise: Promise<Value>): Promise<Value> {
    calls += 1;
    try {
        return await promise;
    } catch (error) {
        if (error instanceof Error && error.cause) throw new Error(`${error.message}: ${error.cause}`);
        if (!(error instanceof ResponseError)) throw error;
        throw new Error(`${error.response.url}: ${error.response.status} ${await error.response.text()}`);
    }
}

async function isRefused(promise: Promise<unknown>, status: number): Promise<void> {
    calls += 1;
    const error = await promise.then(() => null, (error: unknown) => error);
    check(error instanceof ResponseError && error.response.status === status, `not refused with ${status}: ${error}`);
}

async function roundTrip(receiver: string, received: string[]): Promise<void> {
    const applications = new ApplicationsApi(administrator);
    const shop = await call(applications.putApplication({
        id: "shop",
        application: {
            id: "shop", name: "Shop",
            ios: { appIDs: ["ABCDE12345.com.example.shop"], urlScheme: "shop" },
            android: { _package: "com.example.shop", sha256CertFingerprints: [Array(32).fill("AB").join(":")] },
            web: { baseURL: "https://example.com" },
        },
    }));
    check(shop.android?._package === "com.example.shop", "the application is not as it was sent");
    check((await call(applications.getApplication({ id: "shop" }))).name === "Shop", "the application has another name");
    check((await call(applications.listApplications())).apps.length === 1, "not one application");

    const keys = new KeysApi(administrator);
    const own = await call(keys.createKey({ keyBody: { name: "back end", app: "shop", scopes: ["links", "read", "resolve"] } }));
    check((await call(keys.listKeys())).keys.some((other) => other.id === own.id), "the key is not listed");
    const application = new Configuration({ basePath: url, accessToken: own.key });

    const webhooks = new WebhooksApi(administrator);
    const webhook = await call(webhooks.createWebhook({ webhookBody: { url: receiver, events: ["link.*"], app: "shop" } }));
    check(webhook.secret?.startsWith("whsec_") ?? false, "the webhook has no secret");

    const links = new LinksApi(application);
    const creation: CreateLinkRequest = {
        idempotencyKey: "once",
        linkBody: {
            slug: "sale", urls: { web: "https://example.com/sale" }, tags: ["spring"], metadata: { coupon: "20" },
            redeemLimit: 1, _queryParameters: { n: 42, on: true },
            rules: [{ when: { query: { m: ["a", 1, true], n: true } }, to: { web: "https://example.com/m" } }],
        },
    };
    const link = await call(links.createLink(creation));
    check(link._queryParameters["n"] === "42", "a number in the query is lost");
    check((await call(links.createLink(creation))).smartlink === link.smartlink, "the second creation is not the first");
    const sale = { domain: link.domain, slug: "sale" };
    const batch = await call(links.createLinks({ linkBody: [{ slug: "b1", urls: { web: "https://example.com/" } }, { slug: "sale" }] }));
    check(batch.results.map((result) => result.status).join() === "201,422", "the batch is not answered line by line");
    check((await call(links.getLink(sale))).createdAt instanceof Date, "a time is not a date");
    const changed = await call(links.patchLink({ ...sale, linkPatch: { tags: ["summer"], maxClicks: null } }));
    check(changed.version === 2, "the change has no version of its own");
    await isRefused(links.patchLink({ ...sale, ifMatch: '"1"', linkPatch: { title: "late" } }), 412);
    check(JSON.stringify(await call(new LinksApi(administrator).getMetadata(sale))) === '{"coupon":"20"}', "other metadata");
    const list = await call(links.listLinks({ tag: ["summer"] as any, limit: 10, count: true }));
    check(list.links.length === 1, "the list does not have the link");

    const apps = new AppsApi(application);
    const first = await call(apps.resolve({ resolveBody: { smartlink: link.smartlink, platform: "ios" } }));
    check(JSON.stringify(first.metadata) === '{"coupon":"20"}', "the first resolve gets no metadata");
    const second = await call(apps.resolve({ resolveBody: { smartlink: link.smartlink, platform: "ios" } }));
    check(second.metadata === null, "the second resolve gets metadata");
    const events = await call(apps.reportEvents({
        eventsBody: { events: [{ id: "e1", type: "open", smartlink: link.smartlink, platform: "ios", at: new Date() }] },
    }));
    check(events.counted === 1, "the event is not counted");
    await call(apps.reportConversions({
        conversionsBody: {
            conversions: [{
                id: "c1", name: "purchase", smartlink: link.smartlink, at: new Date(), value: { amount: "12.50", currency: "EUR" },
            }],
        },
    }));
    await call(apps.claimDeferredLink({ claimBody: { app: "shop", platform: "ios", installID: "i1" } }));

    const visit = await fetch(`${url}/${link.slug}`, { redirect: "manual" });
    check(visit.headers.get("location")?.startsWith("https://example.com/sale") ?? false, "the link leads elsewhere");
    const png = await call(new VisitsApi(application).qrCodePNG({ slug: "sale" }));
    check((await (png as unknown as Blob).arrayBuffer()).byteLength > 100, "the QR code is empty");
    const sums = await call(links.sumConversions({ by: "name" }));
    check(sums.groups[0]?.sums["EUR"] === "12.50", "the sum is not exact");
    const clicks = await call(links.countClicks({ ...sale, interval: "day" }));
    check(clicks.series.length > 0, "no days");
    const report = await call(links.reportClicks({ app: ["shop"], by: "platform", top: "links" }));
    check(report.by === "platform" && report.total.people >= 0, "the report is of something else");
    await call(links.countEvents(sale));
    await call(links.linkHistory(sale));
    const explained = await call(links.explain({ explainBody: { url: link.smartlink } }));
    check(explained !== null, "no explanation");

    check((await call(webhooks.getWebhook({ id: webhook.id }))).url === receiver, "the webhook has another URL");
    check((await call(webhooks.patchWebhook({ id: webhook.id, webhookPatch: { name: "receiver" } }))).name === "receiver", "no name");
    check((await call(webhooks.listWebhooks())).webhooks.length === 1, "not one webhook");
    await call(webhooks.testWebhook({ id: webhook.id }));
    await arrives("webhook.test", received);
    const deliveries = await call(webhooks.listDeliveries({ id: webhook.id, state: "delivered" }));
    check(deliveries.deliveries.some((delivery) => delivery.type === "link.created"), "the creation was not delivered");
    await call(webhooks.replayDeliveries({ id: webhook.id, replayBody: { ids: [deliveries.deliveries[0].id] } }));
    await call(webhooks.rotateWebhookSecret({ id: webhook.id }));

    const document = '{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "components": [{"/": "/*"}]}]}}';
    const linted = await call(new AssociationApi(administrator).lintAssociation({ associationSubject: { document } }));
    check(Array.isArray(linted.findings), "no findings");
    check(typeof await call(new OperationApi(administrator).metrics()) === "string", "no metrics");

    await call(links.renameLink({ domain: link.domain, slug: "b1", linkRenameBody: { slug: "b2" } }));
    await call(links.deleteLinks({ bulkDeleteBody: { select: { links: [`${link.domain}/b2`] } } }));
    await call(links.deleteLink(sale));
    await isRefused(links.getLink(sale), 404);
    await arrives("link.deleted", received);
    await call(webhooks.deleteWebhook({ id: webhook.id }));
    await call(keys.deleteKey({ id: own.id }));
    await isRefused(links.listLinks(), 401);
    await call(applications.deleteApplication({ id: "shop" }));
}

async function arrives(type: string, received: string[]): Promise<void> {
    for (let attempt = 0; attempt < 400 && !received.includes(type); attempt += 1) {
        await new Promise((resume) => setTimeout(resume, 50));
    }
    check(received.includes(type), `no webhook of ${type} has arrived`);
}

const received: string[] = [];
const receiver = require("node:http").createServer(async (request: any, response: any) => {
    let body = "";
    for await (const piece of request) body += piece;
    received.push(JSON.parse(body).type);
    response.writeHead(204).end();
});
receiver.listen(0, "127.0.0.1", async () => {
    try {
        await roundTrip(`http://127.0.0.1:${receiver.address().port}/`, received);
        console.log(`${calls} calls of the generated TypeScript client were answered as the document says.`);
    } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        process.exitCode = 1;
    } finally {
        receiver.close();
        receiver.closeAllConnections();
    }
});
