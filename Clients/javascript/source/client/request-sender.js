import { isLoopback } from "../url/link-hosts.js";
import { asClientError, readProblem, WaymarkClientError } from "./errors.js";
import { readRetryAfter, waitAfter } from "./retry.js";
import { send } from "./transport.js";

/** @typedef {import("../../waymark.js").ClientClock} ClientClock */
/** @typedef {import("../../waymark.js").RetryPolicy} RetryPolicy */
/** @typedef {import("../../waymark.js").FetchFunction} FetchFunction */
/**
 * @typedef {(path: string, body: string, idempotencyKey?: string | null, signal?: AbortSignal | null)
 *     => Promise<{ status: number, json: any }>} Post
 */

/**
 * Returns the function that sends one request with retries and returns the JSON of a 2xx answer (undefined if
 * it is not JSON). Every attempt has the same body and idempotency key. The key is known to this function
 * only, so that no object shows it.
 *
 * @param {{
 *     base: string, key: string, fetch: FetchFunction, clock: ClientClock, random: () => number,
 *     retry: RetryPolicy, timeLimit: number, answerLimit: number
 * }} settings
 * @returns {Post}
 */
export function makePost({ base, key, fetch, clock, random, retry, timeLimit, answerLimit }) {
    return async (path, body, idempotencyKey, signal) => {
        const headers = {
            Authorization: `Bearer ${key}`, "Content-Type": "application/json",
            Accept: "application/json, application/problem+json",
            ...(idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {}),
        };
        const request = { url: base + path, key, headers, body, timeLimit, answerLimit, signal };
        for (let attempt = 1; ; attempt++) {
            /** @type {WaymarkClientError} */
            let failure;
            try {
                const answer = await send(fetch, request);
                if (answer.isSuccess) return { status: answer.status, json: parse(answer.text) };
                const retryAfter = readRetryAfter(answer.retryAfter, clock.now());
                const problem = answer.isProblem ? readProblem(parse(answer.text), answer.status) : null;
                // A proxy may repeat the request in its error.
                const showsKey = (answer.text + JSON.stringify(problem))
                    .includes(JSON.stringify(key).slice(1, -1));
                failure = problem && !showsKey
                    ? new WaymarkClientError("refused", { problem, retryAfter })
                    : new WaymarkClientError("unexpectedAnswer", { status: answer.status, retryAfter });
            } catch (error) {
                failure = asClientError(error);
            }
            if (!failure.isTransient || /offline|cancelled/.test(failure.code)) throw failure;
            const wait = waitAfter(retry, attempt, failure.retryAfter, random());
            if (wait === null) throw failure;
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
 * Scheme, host, port and path, of characters that no browser changes: the URL of a response is compared with
 * it. Dot segments are not among them.
 */
const plainURL =
    /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::([1-9][0-9]*))?((?:\/(?!\.\.?(?:\/|$))[a-z0-9._~!$&'()*+,;=:@%-]*)*)$/i;

/**
 * Checks the service's URL. Throws `invalidAddress`.
 *
 * @param {unknown} service
 * @returns {{ base: string, host: string }} without slashes at the end; the host in lower case
 */
export function readAddress(service) {
    const [base, scheme = "", name = "", port = 0] = plainURL.exec(String(service ?? "")) || [""];
    const host = name.toLowerCase().replace(/[[\]]/g, "");
    if (!host || port > 65_535 || !(scheme.length > 4 || isLoopback(host))) {
        throw new WaymarkClientError("invalidAddress", {
            reason: "service must be an https URL with a host, without user, query and fragment",
        });
    }
    return { base: base.replace(/\/+$/, ""), host };
}
