import { byteLength } from "../url/percent-encoding.js";
import { limited } from "./clock.js";
import { WaymarkClientError } from "./errors.js";

/** @typedef {import("../../waymark.js").FetchFunction} FetchFunction */
/** @typedef {{ status: number, retryAfter: string | null, isProblem: boolean, isSuccess: boolean,
 *     text: string | null }} Answer */
/**
 * @typedef {{ url: string, key: string, headers: Record<string, string>, body: string | null,
 *     timeLimit: number, answerLimit: number, signal?: AbortSignal | null
 * }} Request
 */

/**
 * Sends a request once and returns the response, whatever its status. The body is read for a 2xx
 * and for a problem only; `text` is null if it was not read, is too large for a problem, or is not
 * UTF-8.
 *
 * @param {FetchFunction} fetch
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export async function send(fetch, request) {
    const controller = new AbortController();
    try {
        // Not left to `fetch` alone: an injected one may ignore the signal.
        const answer = await limited(
            () => exchange(fetch, request, controller.signal),
            request.timeLimit,
            request.signal,
        );
        // Ends the transfer of a body that was not read.
        if (answer.text === null) controller.abort();
        return answer;
    } catch (error) {
        controller.abort();
        throw failure(error, request);
    }
}

/**
 * @param {FetchFunction} fetch
 * @param {Request} request
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
async function exchange(fetch, request, signal) {
    const response = await fetch(request.url, {
        method: request.body === null ? "GET" : "POST",
        headers: request.headers,
        body: request.body,
        signal,
        // The key must not reach another address. Browsers hide a redirect's status.
        redirect: "manual",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
    });
    // React Native follows redirects whatever it is told; its response is then not the service's.
    const isElsewhere =
        response.redirected || (response.url && normal(response.url) !== normal(request.url));
    const status = isElsewhere ? 0 : response.status;
    const mediaType = (response.headers.get("Content-Type") || "").toLowerCase();
    const isProblem = status >= 400 && mediaType.startsWith("application/problem+json");
    const isSuccess = status >= 200 && status < 300;
    return {
        status,
        isProblem,
        isSuccess,
        retryAfter: isElsewhere ? null : response.headers.get("Retry-After"),
        text:
            isSuccess || isProblem
                ? await readText(response, request.answerLimit, isSuccess)
                : null,
    };
}

/**
 * @param {Response} response
 * @param {number} limit in bytes
 * @param {boolean} isSuccess whether a larger body is an error of its own
 */
async function readText(response, limit, isSuccess) {
    const tooLarge = () => {
        if (isSuccess) throw new WaymarkClientError("answerTooLarge");
        return null;
    };
    if (Number(response.headers.get("Content-Length")) > limit) return tooLarge();
    // React Native and some polyfills have no streams: there the whole body is in memory before it
    // can be measured.
    if (!response.body?.getReader || typeof TextDecoder !== "function") {
        const text = await response.text();
        return byteLength(text) > limit ? tooLarge() : text;
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let length = 0; ; ) {
        const { value } = await reader.read();
        length += value?.byteLength ?? 0;
        if (length > limit) return tooLarge();
        try {
            text += decoder.decode(value, { stream: Boolean(value) });
        } catch {
            return null;
        }
        if (!value) return text;
    }
}

/**
 * @param {any} error
 * @param {Request} request
 */
function failure(error, request) {
    if (error instanceof WaymarkClientError) return error;
    if (globalThis.navigator?.onLine === false) return new WaymarkClientError("offline");
    const code = String(error?.cause?.code ?? error?.code ?? "");
    const reason = `${error?.message} ${code}`.trim();
    // An injected `fetch` may put the request into its errors.
    const safe = reason.split(request.key).join("…");
    return new WaymarkClientError(
        /CERT|SIGNATURE|SELF_SIGNED/.test(code) ? "notTrusted" : "unreachable",
        { reason: safe },
    );
}

/**
 * The URL in the form in which it is compared: browsers normalise that of a response.
 *
 * @param {string} text
 */
function normal(text) {
    return text.toLowerCase().replace(/^(https:\/\/[^/]+):443\/|^(http:\/\/[^/]+):80\//, "$1$2/");
}
