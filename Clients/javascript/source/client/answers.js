import { textOrNull, WaymarkClientError } from "./errors.js";

/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/** @typedef {import("../../waymark.js").DeferredDeeplink} DeferredDeeplink */
/** @typedef {{ status: number, json: any }} JSONAnswer */

/** @param {JSONAnswer} answer */
function unexpected({ status }) {
    return new WaymarkClientError("unexpectedAnswer", { status });
}

/**
 * @param {JSONAnswer} answer
 * @returns {ResolveAnswer}
 */
export function readResolve(answer) {
    const json = object(answer.json);
    const redeem = object(json?.redeem);
    if (!Number.isInteger(redeem?.used)) throw unexpected(answer);
    const { used } = redeem;
    const [deeplink, route] = [json.deeplink, json.route].map(textOrNull);
    const [limit, remaining] = [redeem.limit, redeem.remaining].map((count) =>
        Number.isInteger(count) ? count : null,
    );
    const minimumVersion = textOrNull(json.update?.minimumVersion);
    return {
        deeplink,
        route,
        routeParameters: parameters(json.routeParameters),
        queryParameters: parameters(json.queryParameters),
        metadata: object(json.metadata),
        redeem: { limit, used, remaining, status: textOrNull(redeem.status) },
        update:
            minimumVersion === null ? null : { minimumVersion, url: textOrNull(json.update.url) },
    };
}

/**
 * @param {JSONAnswer} answer
 * @returns {import("../../waymark.js").LinkAnswer}
 */
export function readLink(answer) {
    if (typeof answer.json?.smartlink !== "string") throw unexpected(answer);
    return answer.json;
}

/**
 * How many events or conversions were counted.
 *
 * @param {JSONAnswer} answer
 * @returns {number}
 */
export function readCounted(answer) {
    if (!Number.isInteger(answer.json?.counted)) throw unexpected(answer);
    return answer.json.counted;
}

/**
 * The response to a claim; null if no link was found. A response without `match` is no response to
 * a claim and must not end one.
 *
 * @param {JSONAnswer} answer
 * @param {string | null} clickID
 * @returns {DeferredDeeplink | null}
 */
export function readClaim(answer, clickID) {
    const match = answer.json?.match;
    if (match === null) return null;
    const method = textOrNull(match?.method);
    if (method === null) throw unexpected(answer);
    return { ...readResolve(answer), match: { method }, clickID };
}

/**
 * @param {unknown} value
 * @returns {any}
 */
function object(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

/**
 * Numbers and booleans are accepted as their text.
 *
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
function parameters(value) {
    return Object.fromEntries(
        Object.entries(object(value) || {})
            .filter(([, parameter]) => ["string", "number", "boolean"].includes(typeof parameter))
            .map(([name, parameter]) => [name, String(parameter)]),
    );
}
