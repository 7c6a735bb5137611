/** @typedef {import("../../routing.js").DeeplinkingErrorCode} DeeplinkingErrorCode */

/** An error of deep links in the app, without a request. */
export class DeeplinkingError extends Error {
    /**
     * @param {DeeplinkingErrorCode} code
     * @param {string} reason
     * @param {string[]} [names]
     */
    constructor(code, reason, names = []) {
        super(reason);
        /** @readonly */
        this.code = code;
        /** The routes, members or parameters that the error is about. @readonly */
        this.names = names;
    }

    /** Whether the same call may succeed later. */
    get isTransient() {
        return this.code === "timedOut";
    }
}

// Known when the stack is captured, which begins with it.
DeeplinkingError.prototype.name = "DeeplinkingError";
