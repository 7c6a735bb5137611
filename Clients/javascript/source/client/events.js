import { readCounted } from "./answers.js";
import { isoTime, makeUUID, wholeSeconds } from "./clock.js";
import { asClientError } from "./errors.js";
import { attempt, failed, storedValue } from "./stored-value.js";
import { parse } from "./request-sender.js";
import { waitAfter } from "./retry.js";

/** @typedef {import("../../waymark.js").ClientStorage} ClientStorage */
/** @typedef {import("../../waymark.js").ClientClock} ClientClock */
/** @typedef {import("./errors.js").WaymarkClientError} WaymarkClientError */
/** @typedef {import("./request-sender.js").Post} Post */
/**
 * @typedef {{
 *     id: string, type: "open" | "install", clickID?: string, smartlink?: string, platform: string,
 *     at: number
 * }} LinkEvent `at` is Unix time in seconds
 */
/** @typedef {{ events: LinkEvent[], dropped: number, refused: number }} WaitingEvents */

const batchLimit = 100;
/** Of the names of single events. */
const prefix = "event.";
/** The pauses after failed rounds. */
const pauses = { attempts: Infinity, firstWait: 10_000, longestWait: 600_000 };

/** @type {import("./stored-value.js").StoredForm<WaitingEvents>} */
const form = {
    name: "events",
    empty: '{"events":[]}',
    read: ({ events, dropped, refused }) =>
        Array.isArray(events) && events.every(isEvent)
            ? { events, dropped: count(dropped), refused: count(refused) }
            : null,
    merge: (stored, later) => ({
        events: merged(stored.events, later.events),
        dropped: Math.max(stored.dropped, later.dropped),
        refused: Math.max(stored.refused, later.refused),
    }),
};

/**
 * Stores events until the service has confirmed them, and sends them in batches, one batch at a
 * time.
 *
 * @param {{ storage: ClientStorage, post: Post, clock: ClientClock, random: () => number, platform:
 *     string, eventLimit: number, eventAge: number, sendsEvents: boolean
 * }} settings
 */
export function eventQueue({
    storage,
    post,
    clock,
    random,
    platform,
    eventLimit,
    eventAge,
    sendsEvents,
}) {
    const updateStored = storedValue(storage, form);
    /** @type {Promise<WaymarkClientError | null> | null} */
    let sending = null;
    let isDelivering = false;
    let isWanted = false;
    const stopping = new AbortController();
    /**
     * Events that have left the queue, by ID: if the storage takes no writes, it returns them
     * again.
     *
     * @type {Set<string>}
     */
    const finished = new Set();
    /** Milliseconds, increased by one for events at the same time. */
    let lastRecorded = 0;

    /**
     * Even with locks, a browser may show a tab an older value than another tab has written: a tab
     * may replace the queue without the newest event of another. So each event is also stored by
     * itself until it has left the queue. One that two tabs have sent is counted once. The names
     * sort by time, as the browser's order is arbitrary.
     *
     * @type {import("./stored-value.js").Update<WaitingEvents>}
     */
    const update = (change) =>
        updateStored((value, isLoaded) => {
            const names = /** @type {any} */ (
                attempt(() =>
                    storage
                        .keys?.()
                        .filter((name) => name.startsWith(prefix))
                        .sort(),
                )
            );
            const texts = Array.isArray(names)
                ? names.map((name) => attempt(() => storage.get(name)))
                : [];
            const single = texts.map(parse);
            if (single.length > 0) {
                value.events = merged(
                    single.filter((event) => event && isEvent(event)),
                    value.events,
                ).sort((first, second) => first.at - second.at);
            }
            value.events = value.events.filter((event) => !finished.has(event.id));
            const result = change(value, isLoaded);
            const kept = new Set(value.events.map((event) => event.id));
            single.forEach((event, index) => {
                if (texts[index] !== failed && !kept.has(event?.id)) {
                    attempt(() => storage.remove?.(names[index]));
                }
            });
            return result;
        });

    /**
     * Gives up expired events, and the oldest ones above the limit.
     *
     * @param {WaitingEvents} value
     */
    const trim = (value) => {
        const oldest = wholeSeconds(clock) - eventAge / 1_000;
        const kept = value.events
            .filter((event) => event.at >= oldest)
            .slice(-Math.max(1, eventLimit));
        value.dropped += value.events.length - kept.length;
        value.events = kept;
    };

    /**
     * @param {LinkEvent[]} events
     * @param {boolean} isRefused
     */
    const remove = (events, isRefused) =>
        update((value) => {
            const ids = events.map((event) => event.id);
            // Others are not read again.
            if (storage.isShared) ids.forEach((id) => finished.add(id));
            const kept = value.events.filter((event) => !ids.includes(event.id));
            if (isRefused) value.refused += value.events.length - kept.length;
            value.events = kept;
        });

    /** @returns {Promise<WaymarkClientError | null>} */
    const sendBatches = async () => {
        for (let size = batchLimit; ; ) {
            const batch = await update((value) => {
                trim(value);
                return value.events.slice(0, size);
            });
            if (batch.length === 0) return null;
            try {
                const events = batch.map((event) => ({ ...event, at: isoTime(event.at) }));
                readCounted(await post("/api/v1/events", JSON.stringify({ events })));
                await remove(batch, false);
                size = Math.min(batchLimit, size * 2);
            } catch (error) {
                const failure = asClientError(error);
                if (!failure.problem || ![400, 413, 422].includes(failure.problem.status)) {
                    return failure;
                }
                // A refused event must not hold up the others.
                const named = failure.problem.errors.map(({ field }) =>
                    parseInt(field.replace(/^events\[/, ""), 10),
                );
                const refused =
                    batch.length === 1 ? batch : batch.filter((_, index) => named.includes(index));
                if (refused.length > 0) await remove(refused, true);
                else size = Math.floor(batch.length / 2);
            }
        }
    };

    /**
     * Sends all queued events. Returns null if all were confirmed or given up, otherwise the error.
     *
     * @returns {Promise<WaymarkClientError | null>}
     */
    const flush = async () => {
        // A round under way may have missed an event that was queued later.
        while (sending) {
            const failure = await sending;
            if (failure) return failure;
        }
        sending = sendBatches()
            .catch(asClientError)
            .then((failure) => {
                sending = null;
                return failure;
            });
        return sending;
    };

    /**
     * Sends the queued events and those added meanwhile, with increasing pauses after transient
     * failures.
     */
    const deliver = async () => {
        isWanted = sendsEvents;
        if (isDelivering) return;
        isDelivering = true;
        // Nothing is awaited between the last look at `isWanted` and the end, so no event is left
        // without a delivery.
        for (let failures = 0; isWanted && !stopping.signal.aborted; ) {
            isWanted = false;
            const failure = await flush();
            if (!failure || !failure.isTransient) {
                failures = 0;
                continue;
            }
            isWanted = true;
            failures += 1;
            const wait = waitAfter(pauses, failures, failure.retryAfter, random());
            // A longer `Retry-After` is honoured too.
            const pause = /** @type {number} */ (wait ?? failure.retryAfter);
            await clock
                .sleep(pause, { signal: stopping.signal, isBackground: true })
                .catch(() => {});
        }
        isDelivering = false;
    };

    void deliver();
    return {
        flush,
        stop: () => stopping.abort(),
        counts: () =>
            update(({ events, dropped, refused }) => ({
                waiting: events.length,
                dropped,
                refused,
            })),
        /**
         * @param {"open" | "install"} type
         * @param {string | null | undefined} clickID
         * @param {string | null | undefined} smartlink
         * @param {string} [id]
         */
        record: async (type, clickID, smartlink, id = makeUUID()) => {
            /** @type {LinkEvent} */
            const event = { id, type, platform, at: wholeSeconds(clock) };
            if (clickID) event.clickID = clickID;
            if (smartlink) event.smartlink = smartlink;
            lastRecorded = Math.max(lastRecorded + 1, clock.now());
            const name = `${prefix}${1e15 + lastRecorded}.${id}`;
            const isStored =
                storage.keys && attempt(() => storage.set(name, JSON.stringify(event))) !== failed;
            await update((value) => {
                // Otherwise it is in the queue, or was there: an earlier update may have dropped
                // it.
                if (!isStored) value.events = merged(value.events, [event]);
                trim(value);
            });
            void deliver();
        },
    };
}

/**
 * @param {LinkEvent[]} events
 * @param {LinkEvent[]} others
 */
function merged(events, others) {
    const known = new Set(events.map((event) => event.id));
    return events.concat(others.filter((event) => !known.has(event.id)));
}

/** @param {any} json */
function isEvent({ id, type, platform, at, clickID = "", smartlink = "" }) {
    return (
        [id, platform, clickID, smartlink].every((text) => typeof text === "string") &&
        // The latest time that a date has.
        /^(open|install)$/.test(type) &&
        Number.isInteger(at) &&
        Math.abs(at) <= 8.64e12
    );
}

/** @param {unknown} value */
function count(value) {
    return Number.isSafeInteger(value) ? Math.max(0, /** @type {number} */ (value)) : 0;
}
