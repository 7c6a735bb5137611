import { isFinal } from "./errors.js";
import { limited, makeUUID, wholeSeconds } from "./clock.js";
import { storedValue } from "./stored-value.js";

/** @typedef {import("../../waymark.js").ClientStorage} ClientStorage */
/** @typedef {import("../../waymark.js").ClientClock} ClientClock */
/** @typedef {import("./request-sender.js").Post} Post */
/**
 * @typedef {{ request: string, key: string, at: number }} Pending a hash of the request, its key,
 *     Unix time
 */
/** @typedef {{ requests: Pending[] }} PendingRequests */
/**
 * @typedef {<Result>(
 *     path: string, body: object, isShared: boolean, signal: AbortSignal | null | undefined,
 *     read: (answer: { status: number, json: any }) => Result | Promise<Result>
 * ) => Promise<Result>} IdempotentPost
 */

const limit = 200;
/**
 * In seconds. The service stores keys for 24 hours; one hour is left for retries and differences
 * between clocks.
 */
const age = 23 * 3_600;

/** @type {import("./stored-value.js").StoredForm<PendingRequests>} */
const form = {
    name: "requests",
    empty: '{"requests":[]}',
    read: (json) => (Array.isArray(json.requests) && json.requests.every(isPending) ? json : null),
    merge: (stored, later) => {
        const known = stored.requests.map((pending) => pending.key);
        return {
            requests: stored.requests
                .concat(later.requests.filter(({ key }) => !known.includes(key)))
                .slice(-limit),
        };
    },
};

/**
 * Sends requests that must take effect once, no matter how often they are sent: the idempotency key
 * is stored before the first attempt and removed when the service has responded and `read` has
 * read, and stored, what must not be lost of the response. With `isShared`, equal requests at the
 * same time share a key (a link that was tapped twice), which is removed when all of them have a
 * response; otherwise they have a key each (two links to create).
 *
 * @param {Post} post
 * @param {ClientStorage} storage
 * @param {ClientClock} clock
 * @param {number} timeLimit for the storage, in milliseconds
 * @returns {IdempotentPost}
 */
export function idempotentPost(post, storage, clock, timeLimit) {
    const update = storedValue(storage, form);
    /**
     * This client's unanswered requests, how many calls of each are in flight, and whether one of
     * them got no response. Another tab may replace the stored
     * ones without having seen the newest; they are added again then.
     *
     * @type {Map<string, { pending: Pending, calls: number, isLost: boolean }>}
     */
    const unanswered = new Map();

    return async (path, body, isShared, signal, read) => {
        const text = JSON.stringify(body);
        const request = fingerprint(path + "\0" + text);
        let key = "";
        let isWaiting = true;
        let isAnswered = false;
        try {
            await limited(
                () =>
                    update((value) => {
                        if (!isWaiting) return;
                        const now = wholeSeconds(clock);
                        // An entry from the future, after the clock was set back, counts as
                        // expired.
                        const requests = form
                            .merge(value, {
                                requests: Array.from(unanswered.values(), ({ pending }) => pending),
                            })
                            .requests.filter(({ at }) => now >= at && now - at < age);
                        const known = requests.find(
                            (pending) =>
                                pending.request === request &&
                                (isShared || !unanswered.get(pending.key)?.calls),
                        );
                        const pending = known || { request, key: makeUUID(), at: now };
                        key = pending.key;
                        value.requests = (known ? requests : requests.concat(pending)).slice(
                            -limit,
                        );
                        const { calls = 0, isLost = false } = unanswered.get(key) || {};
                        unanswered.set(key, { pending, calls: calls + 1, isLost });
                    }),
                timeLimit,
                signal,
            );
            const result = await read(await post(path, text, key, signal));
            isAnswered = true;
            return result;
        } catch (error) {
            isAnswered = isFinal(error);
            throw error;
        } finally {
            isWaiting = false;
            const entry = unanswered.get(key);
            if (entry) {
                entry.calls -= 1;
                entry.isLost = entry.isLost || !isAnswered;
                isAnswered = !entry.calls && !entry.isLost;
                if (!entry.calls) entry.isLost = false;
            }
            if (isAnswered || !(storage.isShared || entry?.calls)) unanswered.delete(key);
            if (isAnswered) {
                await limited(
                    () =>
                        update((value) => {
                            value.requests = value.requests.filter(
                                (pending) => pending.key !== key,
                            );
                        }),
                    timeLimit,
                ).catch(() => {});
            }
        }
    };
}

/** @param {any} json */
function isPending(json) {
    return (
        typeof json.request === "string" &&
        /^[\x21-\x7e]+$/.test(json.key) &&
        Number.isInteger(json.at)
    );
}

/**
 * A polynomial hash modulo the largest prime below 2^40, which a number holds exactly. It
 * identifies at most 200 requests without storing them, and need not resist attacks: the app itself
 * makes the requests, and the service compares the bodies.
 *
 * @param {string} text
 */
function fingerprint(text) {
    let hash = text.length;
    for (const character of text) {
        hash =
            (hash * 8_191 + /** @type {number} */ (character.codePointAt(0))) % 1_099_511_627_689;
    }
    return String(hash);
}
