import { WaymarkClientError } from "./errors.js";

/** @typedef {import("../../waymark.js").ClientClock} ClientClock */

/**
 * Waits for work that may never end: fails with `timedOut` after the limit in milliseconds, or with
 * `cancelled`.
 *
 * @template Result
 * @param {() => Promise<Result>} work
 * @param {number} timeLimit
 * @param {AbortSignal | null} [signal]
 * @param {boolean} [isBackground] whether the process may end meanwhile
 * @returns {Promise<Result>}
 */
export async function limited(work, timeLimit, signal, isBackground) {
    /** @type {any} */
    let timer;
    let cancel = () => {};
    try {
        return await new Promise((resolve, reject) => {
            const fail = (/** @type {"cancelled" | "timedOut"} */ code) =>
                reject(new WaymarkClientError(code));
            cancel = () => fail("cancelled");
            if (signal?.aborted) return cancel();
            signal?.addEventListener("abort", cancel);
            // A delay beyond 2^31 would end immediately.
            timer = setTimeout(() => fail("timedOut"), Math.min(timeLimit, 2e9));
            if (isBackground) timer.unref?.();
            work().then(resolve, reject);
        });
    } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
    }
}

/**
 * The system's clock.
 *
 * @type {ClientClock}
 */
export const systemClock = {
    now: () => Date.now(),
    sleep: (milliseconds, { signal, isBackground }) =>
        limited(() => new Promise(() => {}), milliseconds, signal, isBackground).catch((error) => {
            if (error.code === "cancelled") throw error;
        }),
};

/**
 * Unix time in whole seconds.
 *
 * @param {ClientClock} clock
 */
export function wholeSeconds(clock) {
    return Math.floor(clock.now() / 1_000);
}

/** @param {number} seconds Unix time */
export function isoTime(seconds) {
    return new Date(seconds * 1_000).toISOString().replace(/\.[0-9]+Z$/, "Z");
}

/**
 * A random UUID (RFC 9562, section 5.4). React Native has no `crypto` without a polyfill; these IDs
 * must be unique, not secret, so `Math.random` is enough there.
 */
export function makeUUID() {
    return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (place) => {
        const byte =
            globalThis.crypto?.getRandomValues?.(new Uint8Array(1))[0] ?? Math.random() * 256;
        const digit = Math.floor(byte / 16);
        // The variant: 8, 9, a or b.
        return (place === "x" ? digit : 8 + (digit % 4)).toString(16);
    });
}
