/** @typedef {import("../../waymark.js").Problem} Problem */
/** @typedef {import("../../waymark.js").WaymarkErrorCode} WaymarkErrorCode */

/** Why a request to the service failed. It never contains the key, and has no `cause`, which might. */
export class WaymarkClientError extends Error {
    /**
     * @param {WaymarkErrorCode} code
     * @param {{ reason?: string, problem?: Problem, status?: number, retryAfter?: number | null }} [details]
     */
    constructor(code, details = {}) {
        // Crash reports and logs have limits.
        super(message(code, details).slice(0, 1_000));
        /** @readonly */
        this.code = code;
        /** @readonly @type {Problem | null} */
        this.problem = details.problem ?? null;
        /** @readonly @type {number | null} */
        this.status = details.problem?.status ?? details.status ?? null;
        /** @readonly @type {number | null} */
        this.retryAfter = details.retryAfter ?? null;
    }

    /** Whether the same request may succeed later. */
    get isTransient() {
        return ["offline", "timedOut", "unreachable", "cancelled"].includes(this.code)
            || [408, 429, 500, 502, 503, 504].includes(this.status ?? 0);
    }
}

// Known when the stack is captured, which begins with it.
WaymarkClientError.prototype.name = "WaymarkClientError";

/**
 * Whether the service has answered the request for good. With another key or by another caller it may
 * succeed, so 401 and 403 are not final.
 *
 * @param {unknown} error
 */
export function isFinal(error) {
    const { code, isTransient, status } = asClientError(error);
    return code === "refused" && !isTransient && status !== 401 && status !== 403;
}

/** @param {unknown} error */
export function asClientError(error) {
    return error instanceof WaymarkClientError ? error
        : new WaymarkClientError("unreachable", { reason: String(error) });
}

/**
 * Reads a problem document (RFC 9457); null if the text is not one. The status of the HTTP answer takes
 * precedence.
 *
 * @param {any} json
 * @param {number} status
 * @returns {Problem | null}
 */
export function readProblem(json, status) {
    if (typeof json?.type !== "string" || !Number.isInteger(json.status)) return null;
    const errors = Array.isArray(json.errors) ? json.errors : [];
    return {
        type: json.type, status, title: textOrNull(json.title) || "", detail: textOrNull(json.detail) || "",
        errors: errors
            .filter((/** @type {any} */ error) => typeof error?.field === "string")
            .map((/** @type {any} */ { field, problem }) => ({ field, problem: textOrNull(problem) || "" })),
    };
}

/**
 * Texts only: hostile JSON may have values that can't be converted.
 *
 * @param {unknown} value
 */
export function textOrNull(value) {
    return typeof value === "string" ? value : null;
}

/**
 * @param {WaymarkErrorCode} code
 * @param {{ reason?: string, problem?: Problem, status?: number }} details
 */
function message(code, { reason, problem, status }) {
    if (!problem) {
        // `timedOut` as "timed out".
        const plain = code.replace(/[A-Z]/g, (capital) => " " + capital.toLowerCase());
        return plain + (reason ? ": " + reason : "") + (status === undefined ? "" : ` (${status})`);
    }
    const { title, detail, type } = problem;
    const fields = problem.errors.slice(0, 3).map(({ field, problem }) => `${field} ${problem}`.trim());
    const parts = new Set([title, detail, ...fields].filter((part) => part !== ""));
    return `the service refused: ${[...parts].join("; ")} (${problem.status}, ${type})`;
}
