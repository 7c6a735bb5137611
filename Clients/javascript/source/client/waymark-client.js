import { storageOf } from "../storage/storage.js";
import { linkHosts } from "../url/link-hosts.js";
import { byteLength } from "../url/percent-encoding.js";
import { readClaim, readCounted, readLink, readResolve } from "./answers.js";
import { isoTime, limited, makeUUID, systemClock, wholeSeconds } from "./clock.js";
import { lengthLimit, readTraces } from "./deferred-traces.js";
import { asClientError, WaymarkClientError } from "./errors.js";
import { eventQueue } from "./events.js";
import { idempotentPost } from "./idempotent-requests.js";
import { makePost, readAddress } from "./request-sender.js";
import { storedValue } from "./stored-value.js";

/** @typedef {import("../../waymark.js").WaymarkClient} DeclaredClient */
/** @typedef {import("../../waymark.js").ClientOptions} ClientOptions */
/** @typedef {import("../../waymark.js").LinkRequest} LinkRequest */
/**
 * @typedef {{ id: string | null, claimed: boolean, recorded: boolean, attributed: boolean }}
 *     Installation
 */

/** The problems of a link that stays as it is. */
const ended = /^urn:waymark:problem:link-(unknown|expired|exhausted|disabled)$/;

/**
 * The storages whose installation is being claimed.
 *
 * @type {WeakSet<object>}
 */
const claiming = new WeakSet();

/** @type {import("./stored-value.js").StoredForm<Installation>} */
const installationForm = {
    name: "installation",
    empty: "{}",
    read: ({ id = null, claimed, recorded, attributed = recorded }) =>
        id === null || (typeof id === "string" && id !== "")
            ? {
                  id,
                  claimed: claimed === true,
                  recorded: recorded === true,
                  attributed: attributed === true,
              }
            : null,
    merge: (/** @type {any} */ stored, /** @type {any} */ later) => {
        for (const name in later) stored[name] = stored[name] || later[name];
        return stored;
    },
};

/**
 * The app's client of the smart link service. Its functions belong to the object, not to the class:
 * they can be passed on, and proxies of the client (as those of Vue) have them. Logs of a client
 * show nothing of them.
 *
 * @type {typeof import("../../waymark.js").WaymarkClient}
 */
export const WaymarkClient = /** @type {any} */ (
    class {
        /** @param {ClientOptions} options */
        constructor(options) {
            const { values, calls } = makeClient(options);
            Object.assign(this, values);
            for (const [name, value] of Object.entries(calls)) {
                // A subclass may have its own.
                if (!(name in this)) Object.defineProperty(this, name, { value, writable: true });
            }
        }
    }
);

/**
 * @param {ClientOptions} options
 * @returns {{
 *     values: Pick<DeclaredClient, "service" | "domains" | "app" | "platform">,
 *     calls: Omit<DeclaredClient, "service" | "domains" | "app" | "platform">
 * }}
 */
function makeClient({
    service,
    key,
    app,
    platform = "web",
    appVersion,
    domains = [],
    storage,
    retry = {},
    timeLimit = 15_000,
    answerLimit = 262_144,
    eventLimit = 500,
    eventAge = 6 * 86_400_000,
    sendsEvents = true,
    onDiagnostic,
    // Looked up at each request: a polyfill may come later.
    fetch = (url, init) => globalThis.fetch(url, init),
    clock = systemClock,
    random = Math.random,
}) {
    const { base, host } = readAddress(service);
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
        throw new WaymarkClientError("invalidKey");
    }
    const { attempts = 4, firstWait = 500, longestWait = 20_000 } = retry;
    checkNumbers({ attempts, timeLimit, answerLimit }, 1);
    checkNumbers({ firstWait, longestWait, eventLimit, eventAge }, 0);
    if (!/^(web|ios|iphone|ipad|android|macos|windows|linux)$/.test(platform)) {
        throw new TypeError("platform is invalid");
    }
    const names = domains.length === 0 ? [host] : domains.map((domain) => domain.toLowerCase());
    const hosts = linkHosts(names);
    const store = storageOf(storage);
    const owner = storage || store;
    const post = makePost({
        base,
        host,
        key,
        platform,
        fetch,
        clock,
        random,
        timeLimit,
        answerLimit,
        onDiagnostic,
        retry: { attempts, firstWait, longestWait },
    });
    const send = idempotentPost(post, store, clock, timeLimit);
    const events = eventQueue({
        storage: store,
        post,
        clock,
        random,
        platform,
        eventLimit,
        eventAge,
        sendsEvents,
    });
    const update = storedValue(store, installationForm);
    /**
     * The installation gets its ID when its state is first stored. While it can't be read, nothing
     * changes and the result is null: another ID would be another installation.
     *
     * @template Result
     * @param {(state: Installation & { id: string }) => Result} change
     * @param {AbortSignal | null} [signal]
     * @returns {Promise<Result | null>}
     */
    const updateInstallation = (change, signal) =>
        limited(
            () =>
                update((state, isLoaded) => {
                    if (!isLoaded) return null;
                    state.id = state.id || makeUUID();
                    return change(/** @type {Installation & { id: string }} */ (state));
                }),
            timeLimit,
            signal,
        );
    const endClaim = () =>
        updateInstallation((state) => {
            state.claimed = true;
        });

    /** @type {DeclaredClient["recordInstallation"]} */
    const recordInstallation = async (clickID) => {
        const state = await updateInstallation((state) => ({ ...state }));
        if (!state || (clickID ? state.attributed : state.recorded)) return;
        // Stored before the state and under an ID that stays: after a crash in between it is
        // recorded again and counted once. Without a click the ID is another, or the service would
        // drop the event with the click.
        const id = clickID
            ? state.id
            : state.id.replace(/.$/, (/** @type {string} */ digit) => (digit === "0" ? "1" : "0"));
        await limited(() => events.record("install", clickID, null, id), timeLimit);
        await updateInstallation((state) => {
            state.recorded = true;
            state.attributed = state.attributed || Boolean(clickID);
        });
    };

    /** @type {DeclaredClient["createLink"]} */
    const createLink = async (link, { signal } = {}) => {
        const request = /** @type {LinkRequest} */ (link.linkRequest || link);
        return send(
            "/api/v1/links",
            { ...request, app: request.app ?? app },
            false,
            signal,
            readLink,
        );
    };

    return {
        values: { service: base, domains: names, app, platform },
        calls: {
            createLink,
            recordInstallation,
            createSmartlink: async (link, options) => (await createLink(link, options)).smartlink,
            resolve: async (link, { redeem = true, keep, signal } = {}) => {
                // Members that are undefined are not sent.
                const body = {
                    ...subjectOf(link),
                    platform,
                    redeem: redeem ? undefined : false,
                    appVersion,
                };
                return send("/api/v1/resolve", body, true, signal, async (json) => {
                    const answer = readResolve(json);
                    await keep?.(answer);
                    return answer;
                });
            },
            claimDeferred: async (traces, { keep, signal } = {}) => {
                const { referrer, clipboard, clickID } = readTraces(traces || {}, hosts);
                await limited(() => recordInstallation(clickID), Infinity, signal);
                if (!clickID || claiming.has(owner)) return null;
                claiming.add(owner);
                const claim = async () => {
                    const state = await updateInstallation((state) => ({ ...state }), signal);
                    if (!state || state.claimed) return null;
                    const body = {
                        app: app || "",
                        platform,
                        installID: state.id,
                        referrer,
                        clipboard,
                        appVersion,
                    };
                    return send("/api/v1/deferred/claim", body, true, signal, async (json) => {
                        const deferred = readClaim(json, clickID);
                        if (deferred) await keep?.(deferred);
                        await endClaim();
                        return deferred;
                    });
                };
                try {
                    // Another tab waits, and then finds that the claim is over.
                    return await (store.lock ? store.lock("claim", claim) : claim());
                } catch (error) {
                    // An expired link stays expired. Other refusals come from a mistake that an
                    // update fixes.
                    const { problem } = asClientError(error);
                    if (problem && ended.test(problem.type)) await endClaim();
                    throw error;
                } finally {
                    claiming.delete(owner);
                }
            },
            skipDeferred: async () => {
                await recordInstallation();
                await endClaim();
            },
            recordOpen: async (click) => {
                const { clickID, smartlink } =
                    typeof click === "string" ? { clickID: "", smartlink: click } : click;
                // Any app or page can open a link of any length, and the service would refuse the
                // event.
                const isTooLong =
                    byteLength(clickID || "") > 1_024 || byteLength(smartlink || "") > lengthLimit;
                if ((clickID || smartlink) && !isTooLong) {
                    await events.record("open", clickID, smartlink);
                }
            },
            reportConversion: async ({ id, name, of, value }, { signal } = {}) => {
                const { clickID, smartlink } = of || {};
                const installID =
                    clickID || smartlink
                        ? undefined
                        : await updateInstallation((state) => state.id, signal);
                // An installation that nobody knows has no click.
                if (installID === null) {
                    throw new WaymarkClientError("unreachable", {
                        reason: "the storage can't be read",
                    });
                }
                const at = isoTime(wholeSeconds(clock));
                const conversion = {
                    id,
                    name,
                    clickID: clickID ?? undefined,
                    smartlink: smartlink ?? undefined,
                    installID,
                    at,
                    value,
                };
                return (
                    readCounted(
                        await post(
                            "/api/v1/conversions",
                            JSON.stringify({ conversions: [conversion] }),
                            null,
                            signal,
                        ),
                    ) > 0
                );
            },
            flush: async () => {
                const failure = await events.flush();
                if (failure) throw failure;
            },
            eventCounts: events.counts,
            close: events.stop,
            get: async (path) => (await post(path, null)).json,
            stored: (form) => storedValue(store, form),
        },
    };
}

/**
 * @param {Record<string, unknown>} numbers
 * @param {number} minimum
 */
function checkNumbers(numbers, minimum) {
    for (const [name, value] of Object.entries(numbers)) {
        // NaN is not at least anything.
        if (typeof value === "number" && value >= minimum) continue;
        throw new TypeError(name + " is invalid");
    }
}

/**
 * @param {string | { toString(): string } | import("../../waymark.js").ClickReference} link
 * @returns {Record<string, unknown>}
 */
function subjectOf(link) {
    const { clickID, smartlink } = /** @type {import("../../waymark.js").ClickReference} */ (link);
    if (clickID) return { clickID };
    const text = smartlink || String(link);
    if (text === "[object Object]") throw new TypeError("a smart link or a click ID is needed");
    return { smartlink: text };
}
