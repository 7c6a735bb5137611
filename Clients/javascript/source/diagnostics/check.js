/** @typedef {import("../../diagnostics.js").LinkFinding} LinkFinding */
/** @typedef {import("../../waymark.js").WaymarkClient} WaymarkClient */
/** @typedef {import("../../routing.js").Deeplinking} Deeplinking */

/** A slug that no link has. */
const slug = "waymark-check";

/** In milliseconds. Certificates and links with times are judged by the device's clock. */
const clockLimit = 300_000;

/**
 * @param {WaymarkClient} client
 * @param {Deeplinking} deeplinking
 * @param {import("../../diagnostics.js").CheckOptions} [options]
 * @returns {Promise<LinkFinding[]>}
 */
export async function check(client, deeplinking, options = {}) {
    const { print = console.log, fetch = (url, init) => globalThis.fetch(url, init) } = options;
    const service = await checkService(client);
    const findings = [
        ...service,
        await checkClock(client, fetch),
        ...(await checkApplication(client, deeplinking)),
        deeplinking.mappedRoutes.length > 0 || deeplinking.hasDefaultRoute
            ? ok("routes", `${deeplinking.mappedRoutes.length} mapped`)
            : finding(
                  "routes",
                  "no route and no default route is mapped",
                  "call map and mapDefault first",
              ),
    ];
    for (const { check, state, detail, fix } of findings) {
        print(`  ${state.padEnd(8)} ${check.padEnd(8)} ${detail}${fix === null ? "" : "; " + fix}`);
    }
    return findings;
}

/** @param {WaymarkClient} client */
async function checkService(client) {
    try {
        await client.resolve(`${client.service}/${slug}`, { redeem: false });
    } catch (error) {
        const { code, status, problem, message } = /** @type {any} */ (error);
        if (status === 401) {
            return [
                ok("service", client.service),
                finding(
                    "key",
                    "the service does not know the key, or it has ended",
                    "make one by waymark keys create",
                ),
            ];
        }
        if (status === 403) {
            return [
                ok("service", client.service),
                finding("key", "the key may not resolve links", "give it the scope resolve"),
            ];
        }
        if (!problem || problem.type !== "urn:waymark:problem:link-unknown") {
            return [
                finding(
                    "service",
                    `${client.service} does not answer as Waymark: ${message || code}`,
                    "check the address and the network",
                ),
                skipped("key", "the service does not answer"),
            ];
        }
    }
    return [ok("service", client.service), ok("key", "it may resolve links")];
}

/**
 * Pages of other origins may not read the field.
 *
 * @param {WaymarkClient} client
 * @param {(url: string, init?: RequestInit) => Promise<Response>} fetch
 */
async function checkClock(client, fetch) {
    const date = await fetch(client.service + "/readyz", { redirect: "manual" }).then(
        (response) => response.headers.get("Date"),
        () => null,
    );
    const time = Date.parse(date || "");
    if (isNaN(time)) return skipped("clock", "the service's clock can't be read");
    const seconds = Math.round(Math.abs(Date.now() - time) / 1_000);
    return seconds * 1_000 <= clockLimit
        ? ok("clock", "within 5 minutes of the service's")
        : finding(
              "clock",
              `it differs from the service's by ${seconds} s`,
              "set the device's clock",
          );
}

/**
 * @param {WaymarkClient} client
 * @param {Deeplinking} deeplinking
 */
async function checkApplication(client, deeplinking) {
    const { app } = client;
    const skip = (/** @type {string} */ why) => [
        skipped("app", why),
        skipped("domains", why),
        skipped("scheme", why),
    ];
    if (!app) return skip("the client has no app");
    let document;
    try {
        document =
            /** @type {any} */ (await client.get("/api/v1/apps/" + encodeURIComponent(app))) || {};
    } catch (error) {
        const { status, message } = /** @type {any} */ (error);
        if (status !== 404) {
            return skip(status === 403 ? "the key may not read the application" : message);
        }
        const why = "the service has no such application";
        return [
            finding("app", `the service has no application '${app}'`, "correct app"),
            skipped("domains", why),
            skipped("scheme", why),
        ];
    }
    return [
        ok("app", app),
        checkDomains(document, deeplinking),
        checkScheme(document, client, deeplinking),
    ];
}

/**
 * @param {any} document
 * @param {Deeplinking} deeplinking
 */
function checkDomains(document, deeplinking) {
    const [ours, theirs] = [deeplinking.domains, texts(document.domains)].map((names) =>
        names.map((name) => name.toLowerCase()),
    );
    if (theirs.length === 0) {
        return ok("domains", "the application has all hosts that no other one has");
    }
    const foreign = ours.filter((name) => !theirs.includes(name));
    const missing = theirs.filter((name) => !ours.includes(name));
    if (foreign.length > 0) {
        const detail = `${foreign.join(", ")}: not of the application`;
        return finding("domains", detail, "add it there, or remove it here");
    }
    return missing.length === 0
        ? ok("domains", ours.join(", "))
        : finding(
              "domains",
              `${missing.join(", ")}: not in the router`,
              "add it to domains of the client",
          );
}

/**
 * @param {any} document
 * @param {WaymarkClient} client
 * @param {Deeplinking} deeplinking
 */
function checkScheme(document, client, deeplinking) {
    const { urlSchemes } = document;
    const name = /^(ios|iphone|ipad)$/.test(client.platform) ? "ios" : client.platform;
    // Keys with the scope `admin` read the whole document.
    const scheme = urlSchemes ? urlSchemes[name] : document[name] && document[name].urlScheme;
    if (typeof scheme !== "string") {
        return skipped("scheme", `the application has none for ${client.platform}`);
    }
    const isKnown = deeplinking.schemes.some(
        (known) => known.toLowerCase() === scheme.toLowerCase(),
    );
    return isKnown
        ? ok("scheme", scheme)
        : finding(
              "scheme",
              `the router lacks the application's scheme '${scheme}'`,
              "add it to schemes",
          );
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function texts(value) {
    return Array.isArray(value) ? value.filter((element) => typeof element === "string") : [];
}

/**
 * @param {LinkFinding["check"]} check
 * @param {string} detail
 * @returns {LinkFinding}
 */
function ok(check, detail) {
    return { check, state: "ok", detail, fix: null };
}

/**
 * @param {LinkFinding["check"]} check
 * @param {string} detail
 * @returns {LinkFinding}
 */
function skipped(check, detail) {
    return { check, state: "skipped", detail, fix: null };
}

/**
 * @param {LinkFinding["check"]} check
 * @param {string} detail
 * @param {string} fix
 * @returns {LinkFinding}
 */
function finding(check, detail, fix) {
    return { check, state: "finding", detail, fix };
}
