/** @typedef {import("../../waymark.js").Problem} Problem */
/** @typedef {import("../../waymark.js").WaymarkErrorCode} WaymarkErrorCode */

/**
 * Why a request to the service failed. It never contains the key, and has no `cause`, which might.
 */
export class WaymarkClientError extends Error {
    /**
     * @param {WaymarkErrorCode} code
     * @param {{ reason?: string, problem?: Problem | null, status?: number | null, retryAfter?:
     *     number | null
     * }} details
     */
    constructor(
        code,
        { reason, problem = null, status = problem && problem.status, retryAfter = null } = {},
    ) {
        // Crash reports and logs have limits.
        super(message(code, reason, problem, status).slice(0, 1_000));
        /** @readonly */
        this.code = code;
        /** @readonly @type {Problem | null} */
        this.problem = problem;
        /** @readonly @type {number | null} */
        this.status = status;
        /** @readonly @type {number | null} */
        this.retryAfter = retryAfter;
    }

    /** Whether the same request may succeed later. */
    get isTransient() {
        return (
            /^(offline|timedOut|unreachable|cancelled)$/.test(this.code) ||
            /^(408|429|50[0234])$/.test(String(this.status))
        );
    }
}

// Known when the stack is captured, which begins with it.
WaymarkClientError.prototype.name = "WaymarkClientError";

/**
 * Whether the service has answered the request for good. With another key or by another caller it
 * may succeed, so 401 and 403 are not final.
 *
 * @param {unknown} error
 */
export function isFinal(error) {
    const { code, isTransient, status } = asClientError(error);
    return code === "refused" && !isTransient && status !== 401 && status !== 403;
}

/** @param {unknown} error */
export function asClientError(error) {
    return error instanceof WaymarkClientError
        ? error
        : new WaymarkClientError("unreachable", { reason: String(error) });
}

/**
 * Reads a problem document (RFC 9457); null if the text is not one. The status of the HTTP answer
 * takes precedence.
 *
 * @param {any} json
 * @param {number} status
 * @returns {Problem | null}
 */
export function readProblem(json, status) {
    if (typeof json?.type !== "string" || !Number.isInteger(json.status)) return null;
    const errors = Array.isArray(json.errors) ? json.errors : [];
    return {
        type: json.type,
        status,
        title: textOrNull(json.title) || "",
        detail: textOrNull(json.detail) || "",
        errors: errors
            .filter((/** @type {any} */ error) => typeof error?.field === "string")
            .map((/** @type {any} */ { field, problem }) => ({
                field,
                problem: textOrNull(problem) || "",
            })),
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
 * @param {string | undefined} reason
 * @param {Problem | null} problem
 * @param {number | null} status
 */
function message(code, reason, problem, status) {
    if (!problem) {
        // `timedOut` as "timed out".
        const plain = code.replace(/[A-Z]/g, " $&").toLowerCase();
        return plain + (reason ? ": " + reason : "") + (status === null ? "" : ` (${status})`);
    }
    const { title, detail, type } = problem;
    const fields = problem.errors
        .slice(0, 3)
        .map(({ field, problem }) => `${field} ${problem}`.trim());
    const parts = new Set([title, detail, ...fields].filter((part) => part !== ""));
    return `the service refused: ${[...parts].join("; ")} (${status}, ${type})`;
}
