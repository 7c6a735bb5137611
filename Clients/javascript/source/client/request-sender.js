import { isLoopback } from "../url/link-hosts.js";
import { asClientError, readProblem, WaymarkClientError } from "./errors.js";
import { readRetryAfter, waitAfter } from "./retry.js";
import { attempt } from "./stored-value.js";
import { send } from "./transport.js";
import { version } from "./version.js";

/** @typedef {import("../../waymark.js").ClientClock} ClientClock */
/** @typedef {import("../../waymark.js").RetryPolicy} RetryPolicy */
/** @typedef {import("../../waymark.js").FetchFunction} FetchFunction */
/** @typedef {import("../../waymark.js").LinkDiagnostic} LinkDiagnostic */
/**
 * @typedef {(path: string, body: string | null, idempotencyKey?: string | null, signal?:
 *     AbortSignal | null) => Promise<{ status: number, json: any }>} Post
 */

/**
 * Returns the function that sends one request with retries, a GET without a body, and returns the
 * JSON of a 2xx answer (undefined if it is not JSON). Every attempt has the same body and
 * idempotency key. The key is known to this function only, so that no object shows it.
 *
 * @param {{ base: string, host: string, key: string, platform: string, fetch: FetchFunction, clock:
 *     ClientClock, random: () => number, retry: RetryPolicy, timeLimit: number, answerLimit:
 *     number, onDiagnostic?: (diagnostic: LinkDiagnostic) => unknown
 * }} settings
 * @returns {Post}
 */
export function makePost({
    base,
    host,
    key,
    platform,
    fetch,
    clock,
    random,
    retry,
    timeLimit,
    answerLimit,
    onDiagnostic,
}) {
    const node = globalThis.process?.versions?.node;
    const userAgent = `WaymarkJavaScript/${version} (${node ? "Node " + node : platform})`;
    const common = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, application/problem+json",
        // Pages and workers have a location, and may not set it: browsers would ask other origins
        // for leave.
        ...(globalThis.location ? {} : { "User-Agent": userAgent }),
    };
    /**
     * @param {LinkDiagnostic["step"]} step
     * @param {Partial<LinkDiagnostic>} [details]
     */
    const report = (step, details) => attempt(() => onDiagnostic?.({ step, host, ...details }));
    return async (path, body, idempotencyKey, signal) => {
        const headers = idempotencyKey ? { ...common, "Idempotency-Key": idempotencyKey } : common;
        const request = { url: base + path, key, headers, body, timeLimit, answerLimit, signal };
        for (let count = 1; ; count++) {
            /** @type {WaymarkClientError} */
            let failure;
            try {
                report("request");
                const answer = await send(fetch, request);
                const { status, text } = answer;
                report("response", { status });
                const json = parse(text);
                if (answer.isSuccess) return { status, json };
                let problem = answer.isProblem ? readProblem(json, status) : null;
                // A proxy may repeat the request in its error.
                const shown = text + JSON.stringify(problem);
                if (shown.includes(JSON.stringify(key).slice(1, -1))) problem = null;
                failure = new WaymarkClientError(problem ? "refused" : "unexpectedAnswer", {
                    problem,
                    status,
                    retryAfter: readRetryAfter(answer.retryAfter, clock.now()),
                });
            } catch (error) {
                failure = asClientError(error);
            }
            if (!failure.isTransient || /offline|cancelled/.test(failure.code)) throw failure;
            const wait = waitAfter(retry, count, failure.retryAfter, random());
            if (wait === null) throw failure;
            report("retry", { error: failure.code });
            try {
                await clock.sleep(wait, { signal });
            } catch {
                throw new WaymarkClientError("cancelled");
            }
        }
    };
}

/**
 * Undefined if the text is not JSON.
 *
 * @param {unknown} text
 */
export function parse(text) {
    try {
        return JSON.parse(/** @type {string} */ (text));
    } catch {
        return undefined;
    }
}

/**
 * Scheme, host, port and path, of characters that no browser changes: the URL of a response is
 * compared with it. Dot segments are not among them.
 */
const plainURL = new RegExp(
    "^(https?)://(\\[[0-9a-f:.]+\\]|[a-z0-9._~-]+)(?::([1-9][0-9]*))?" +
        "((?:/(?!\\.\\.?(?:/|$))[a-z0-9._~!$&'()*+,;=:@%-]*)*)$",
    "i",
);

/**
 * Checks the service's URL. Throws `invalidAddress`.
 *
 * @param {unknown} service
 * @returns {{ base: string, host: string }} without slashes at the end; the host in lower case
 */
export function readAddress(service) {
    const [base, scheme = "", name = "", port = ""] = plainURL.exec(String(service ?? "")) || [""];
    const host = name.toLowerCase().replace(/[[\]]/g, "");
    const isSecure = scheme.toLowerCase() === "https";
    if (!host || Number(port) > 65_535 || !(isSecure || isLoopback(host))) {
        throw new WaymarkClientError("invalidAddress", {
            reason: "service must be an https URL with a host, without user, query and fragment",
        });
    }
    return { base: base.replace(/\/+$/, ""), host };
}
