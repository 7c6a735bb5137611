// Runs one file of the shared cases: node cases.js FILE. Clients/README.md, section 13, has the
// format.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import {
    Deeplink,
    Deeplinking,
    DeeplinkingError,
    DeepLinkTemplate,
    DeepLinkURL,
    matchTemplates,
    memoryStorage,
    WaymarkClient,
    WaymarkClientError,
} from "./support/modules.js";

const start = Date.parse("2026-11-21T10:00:00Z");

// A client whose network is the case's answers. `requests` and `waits` (in seconds) are what
// happened.
function scripted(input, options = {}, before = null) {
    const storage = before ? before.storage : memoryStorage();
    const log = before || {
        requests: [],
        keys: [],
        waits: [],
        now: start,
        storage,
        late: [],
        answers: (input.answers || []).slice(),
    };
    const { answers } = log;
    const client = new WaymarkClient({
        service: "https://go.example.com",
        key: "wm_cases",
        app: input.app || "shop",
        platform: input.platform || "android",
        appVersion: input.appVersion,
        domains: input.domains,
        storage,
        sendsEvents: false,
        clock: {
            now: () => log.now,
            sleep: async (wait) => {
                log.waits.push(wait / 1_000);
                log.now += wait;
            },
        },
        fetch: async (url, init) => {
            log.requests.push({ path: new URL(url).pathname, json: JSON.parse(init.body) });
            log.keys.push(init.headers["Idempotency-Key"] || null);
            const { meanwhile } = log;
            log.meanwhile = null;
            if (meanwhile) await meanwhile();
            const answer = answers.shift() || { failure: "unreachable" };
            if (answer.late) await new Promise((resolve) => log.late.push(resolve));
            return respond(answer);
        },
        ...options,
    });
    return { client, log };
}

function respond({ failure, status, headers = {}, json, text, length }) {
    if (failure) throw new WaymarkClientError(failure);
    const type = status >= 400 ? "application/problem+json" : "application/json";
    const body =
        json !== undefined
            ? JSON.stringify(json)
            : length !== undefined
              ? " ".repeat(length)
              : text;
    const fields = json !== undefined ? { "Content-Type": type, ...headers } : headers;
    return new Response([204, 304].includes(status) ? null : (body ?? ""), {
        status,
        headers: fields,
    });
}

// Without the members that differ each time.
function plain(value) {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
        Object.entries(value)
            .filter(([name]) => !["id", "at", "installID"].includes(name))
            .map(([name, member]) => [name, plain(member)]),
    );
}

async function outcomeOf(call) {
    try {
        return { outcome: "ok", value: await call() };
    } catch (error) {
        if (!(error instanceof WaymarkClientError)) throw error;
        const problem = error.problem
            ? error.problem.type.replace("urn:waymark:problem:", "")
            : undefined;
        return { outcome: error.code, status: error.status, problem };
    }
}

async function waitingEvents({ client, log }) {
    await client.eventCounts();
    const text = await log.storage.get("events");
    return text ? plain(JSON.parse(text).events) : [];
}

function refused(map) {
    try {
        map();
        return false;
    } catch (error) {
        if (!(error instanceof DeeplinkingError)) throw error;
        return true;
    }
}

// The current link; `code` is the error's.
function described(deeplink) {
    return (
        deeplink && {
            url: deeplink.openedURL,
            route: deeplink.route,
            routeParameters: deeplink.routeParameters,
            queryParameters: deeplink.queryParameters,
            metadata: deeplink.metadata,
            clickID: deeplink.clickID,
            smartlink: deeplink.smartlink,
            isDeferred: deeplink.isDeferred,
            wasOpened: deeplink.wasOpened,
            error: deeplink.error && deeplink.error.code,
        }
    );
}

// One process of the app; `world` is what outlives it.
function makeProcess(input, world, before) {
    const made = scripted(input, {}, before);
    const hasLate = input.answers.some((answer) => answer.late);
    const deeplinking = new Deeplinking({
        client: made.client,
        schemes: input.schemes || ["shop"],
        dialect: input.dialect,
        clock: { now: () => made.log.now },
        openingTimeLimit: hasLate ? 20 : 5_000,
        onDiagnostic: ({ step }) => world.diagnostics.push(step),
    });
    for (const route of input.routes) {
        deeplinking.map(route, () => {
            world.targets.push(route);
        });
    }
    if (input.defaultRoute) {
        deeplinking.mapDefault(() => {
            world.targets.push("");
        });
    }
    deeplinking.addFilter(async () => {
        const url = world.replaces;
        world.replaces = null;
        if (url) await deeplinking.open(url);
        return world.passes;
    });
    return { ...made, deeplinking };
}

const kinds = {
    url({ url: text, scheme = "shop" }) {
        const url = new DeepLinkURL(text);
        const { url: plainURL, service } = url.separatingServiceParameters();
        return {
            scheme: url.scheme,
            authority: url.authority,
            host: url.host,
            path: url.path,
            segments: url.segments,
            query: url.query,
            queryItems: url.queryItems.map(({ name, value }) => [name, value]),
            fragment: url.fragment,
            plain: plainURL.text,
            service,
            appLink: url.asAppLink(scheme).text,
        };
    },

    async routes({ dialect, routes, defaultRoute, schemes = ["shop"], url }) {
        let opened = false;
        const deeplinking = new Deeplinking({ dialect, schemes });
        const open = () => {
            opened = true;
        };
        const refusedRoutes = routes.filter((route) => refused(() => deeplinking.map(route, open)));
        if (defaultRoute) deeplinking.mapDefault(open);
        const { deeplink } = await deeplinking.open(url);
        return {
            refused: refusedRoutes,
            mapped: deeplinking.mappedRoutes,
            opened,
            isCurrent: deeplinking.currentDeeplink !== null,
            route: deeplink?.route,
            routeParameters: deeplink?.routeParameters,
            queryParameters: deeplink?.queryParameters,
        };
    },

    templates({ templates, options, url }) {
        const made = templates.map(({ path = [], query = [] }) =>
            path
                .reduce((template, part) => {
                    const [[type, name]] = Object.entries(part);
                    return template[type](name);
                }, new DeepLinkTemplate())
                .query(query),
        );
        const match = matchTemplates(made, url, options);
        return match ? { matchedIndex: match.index, ...match.values } : { matchedIndex: null };
    },

    async create(input) {
        let deeplink;
        try {
            deeplink = new Deeplink({ ...input, isUnique: input.unique });
        } catch (error) {
            return {
                [error.code === "invalidRouteParameters" ? "invalid" : "missing"]: error.names,
            };
        }
        const { client, log } = scripted(input);
        const { outcome, value } = await outcomeOf(() =>
            client.createSmartlink(deeplink.linkRequest),
        );
        return { url: deeplink.url, requests: plain(log.requests), smartlink: value, outcome };
    },

    async resolve(input) {
        const made = scripted(input);
        let opened = false;
        const deeplinking = new Deeplinking({
            client: made.client,
            schemes: input.schemes || ["shop"],
            dialect: input.dialect,
        });
        const open = () => {
            opened = true;
        };
        for (const route of input.routes) deeplinking.map(route, open);
        if (input.defaultRoute) deeplinking.mapDefault(open);
        if (input.holdsBack) deeplinking.addFilter(() => false);
        await deeplinking.open(input.open);
        return {
            requests: plain(made.log.requests),
            opened,
            deeplink: described(deeplinking.currentDeeplink),
            events: await waitingEvents(made),
        };
    },

    async openings(input) {
        const world = { passes: true, replaces: null, targets: [], diagnostics: [] };
        let app = makeProcess(input, world, null);
        const results = [];
        for (const {
            open,
            openSmartlink,
            openDeferred,
            openCurrent,
            networkIsBack,
            meanwhile,
            after = 0,
            ...step
        } of input.steps) {
            const { deeplinking, log } = app;
            world.targets = [];
            log.now += after * 1_000;
            Object.assign(world, step);
            if (step.restart) app = makeProcess(input, world, log);
            if (meanwhile) log.meanwhile = () => deeplinking.openCurrentDeeplink();
            const opening = open
                ? await deeplinking.open(open)
                : openSmartlink
                  ? await deeplinking.openSmartlink(openSmartlink)
                  : openDeferred
                    ? await deeplinking.openDeferred(openDeferred)
                    : openCurrent
                      ? await deeplinking.openCurrentDeeplink()
                      : networkIsBack
                        ? await deeplinking.networkIsBack()
                        : null;
            // A late answer arrives now, and what it starts ends before the next turn of the event
            // loop.
            for (const release of log.late.splice(0)) release();
            await new Promise(setImmediate);
            results.push({
                status: opening?.status ?? null,
                targets: world.targets,
                deeplink: described(app.deeplinking.currentDeeplink),
            });
        }
        const found = await app.deeplinking.installationDeeplink();
        return {
            results,
            requests: plain(app.log.requests),
            installation: found && { ...found, match: found.match.method },
            events: await waitingEvents(app),
            diagnostics: world.diagnostics,
        };
    },

    async explain(input) {
        const made = scripted(input);
        const deeplinking = new Deeplinking({
            client: made.client,
            schemes: input.schemes || ["shop"],
            dialect: input.dialect,
        });
        const fail = () => {
            throw new Error("explain has run a target");
        };
        for (const route of input.routes) deeplinking.map(route, fail);
        if (input.defaultRoute) deeplinking.mapDefault(fail);
        const explanation = await deeplinking.explain(input.explain, { asksService: input.asks });
        return {
            requests: plain(made.log.requests),
            explanation,
            events: await waitingEvents(made),
        };
    },

    async retries(input) {
        const { attempts, firstWait, longestWait } = input.retry || {};
        const retry = Object.fromEntries(
            Object.entries({
                attempts,
                firstWait: firstWait && firstWait * 1_000,
                longestWait: longestWait && longestWait * 1_000,
            }).filter(([, value]) => value !== undefined),
        );
        const { client, log } = scripted(input, { retry, random: () => input.random });
        if (input.call === "flush") await client.recordOpen({ clickID: "c1" });
        const calls = {
            resolve: () => client.resolve("https://go.example.com/Ab3dE9x"),
            create: () => client.createSmartlink({ urls: { web: "https://www.example.com/" } }),
            flush: () => client.flush(),
        };
        let result = {};
        for (let call = 0; call < (input.repeats || 1); call++) {
            result = await outcomeOf(calls[input.call]);
        }
        const known = [...new Set(log.keys)].filter((key) => key !== null);
        return {
            attempts: log.requests.length,
            waits: log.waits,
            outcome: result.outcome,
            status: result.status,
            problem: result.problem,
            keys: log.keys.map((key) => (key === null ? null : known.indexOf(key) + 1)),
        };
    },

    async deferred(input) {
        const made = scripted(input);
        let result = {};
        for (let call = 0; call < (input.repeats || 1); call++) {
            result = await outcomeOf(() => made.client.claimDeferred(input));
        }
        const found = result.value;
        return {
            requests: plain(made.log.requests),
            outcome: result.outcome,
            deferred: found
                ? {
                      deeplink: found.deeplink,
                      metadata: found.metadata,
                      match: found.match.method,
                      clickID: found.clickID,
                  }
                : null,
            events: await waitingEvents(made),
        };
    },

    async events(input) {
        const { client, log } = scripted(input, {
            eventLimit: input.eventLimit,
            eventAge: input.eventAge && input.eventAge * 1_000,
        });
        for (const { after = 0, ...click } of input.record) {
            log.now += after * 1_000;
            await client.recordOpen(click);
        }
        const { outcome } = await outcomeOf(() => client.flush());
        const batches = log.requests.map(({ json }) =>
            json.events.map((event) => event.clickID || event.smartlink),
        );
        return { batches, counts: await client.eventCounts(), outcome };
    },
};

// Compared by the members that are expected.
const partial = ["deeplink", "deferred", "installation", "explanation"];

function isExpected(name, expected, actual) {
    if (name === "results" && actual) {
        return (
            expected.length === actual.length &&
            expected.every((result, index) =>
                Object.entries(result || {}).every(([member, value]) =>
                    isExpected(member, value, actual[index][member]),
                ),
            )
        );
    }
    if (name === "waits") {
        return (
            Array.isArray(actual) &&
            actual.length === expected.length &&
            actual.every((wait, index) => Math.abs(wait - expected[index]) <= 0.001)
        );
    }
    if (partial.includes(name) && expected && actual) {
        return Object.entries(expected).every(([member, value]) =>
            isDeepStrictEqual(actual[member] ?? null, value ?? null),
        );
    }
    return isDeepStrictEqual(actual ?? null, expected ?? null);
}

let cases;
let run;
try {
    const file = JSON.parse(readFileSync(process.argv[2], "utf8"));
    cases = file.cases;
    run = kinds[file.kind];
    if (!Array.isArray(cases) || !run) {
        throw new Error(`there are no cases of the kind ${file.kind}`);
    }
} catch (error) {
    console.error(`${process.argv[2] || "usage: cases FILE"}: ${error.message}`);
    process.exit(2);
}
let passed = 0;
for (const { name, input, expected } of cases) {
    let actual;
    try {
        actual = await run(input);
    } catch (error) {
        actual = { error: error.stack };
    }
    const wrong = Object.keys(expected).filter(
        (member) => !isExpected(member, expected[member], actual[member]),
    );
    if (wrong.length === 0 && !actual.error) {
        passed += 1;
        continue;
    }
    console.error(`${name}`);
    for (const member of actual.error ? ["error"] : wrong) {
        console.error(`  ${member}: expected ${JSON.stringify(expected[member])}`);
        console.error(`  ${member}: actual   ${JSON.stringify(actual[member])}`);
    }
}
console.log(`${passed} cases passed`);
process.exit(passed === cases.length ? 0 : 1);
