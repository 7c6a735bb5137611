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

/** @typedef {import("../../waymark.js").ClientOptions} ClientOptions */
/** @typedef {import("../../waymark.js").RequestOptions} RequestOptions */
/** @typedef {import("../../waymark.js").LinkRequest} LinkRequest */
/** @typedef {import("../../waymark.js").LinkAnswer} LinkAnswer */
/** @typedef {import("../../routing.js").Deeplink} Deeplink */
/** @typedef {import("../../waymark.js").ClickReference} ClickReference */
/** @typedef {import("../../waymark.js").Conversion} Conversion */
/** @typedef {import("../../waymark.js").DeferredTraces} DeferredTraces */
/** @typedef {{ id: string | null, claimed: boolean, recorded: boolean, attributed: boolean }} Installation */
/** @typedef {ReturnType<typeof makeParts>} Parts */

/** Outside the objects, so that logs of a client show nothing of it. @type {WeakMap<WaymarkClient, Parts>} */
const partsOfClients = new WeakMap();

/** The storages whose installation is being claimed. @type {WeakSet<object>} */
const claiming = new WeakSet();

/** The app's client of the smart link service. */
export class WaymarkClient {
    /** @param {ClientOptions} options */
    constructor(options) {
        const parts = makeParts(options);
        /** @readonly */
        this.service = parts.base;
        /** @readonly @type {readonly string[]} */
        this.domains = parts.domains;
        partsOfClients.set(this, parts);
        // Bound, for proxies of the client (as those of Vue) and for methods that are passed on.
        for (const name of Object.getOwnPropertyNames(WaymarkClient.prototype)) {
            const value = /** @type {any} */ (this)[name];
            if (name !== "constructor") {
                Object.defineProperty(this, name, { value: value.bind(this), writable: true });
            }
        }
    }

    /**
     * @param {string | { toString(): string } | ClickReference} link
     * @param {RequestOptions & { redeem?: boolean }} options
     */
    async resolve(link, { redeem = true, signal } = {}) {
        const { send, platform, appVersion } = partsOf(this);
        // Members that are undefined are not sent.
        const body = { ...subjectOf(link), platform, redeem: redeem ? undefined : false, appVersion };
        return send("/api/v1/resolve", body, true, signal, readResolve);
    }

    /**
     * @param {LinkRequest | Deeplink} link
     * @param {RequestOptions} [options]
     */
    async createSmartlink(link, options) {
        return (await this.createLink(link, options)).smartlink;
    }

    /**
     * @param {LinkRequest | Deeplink} link
     * @param {RequestOptions} options
     * @returns {Promise<LinkAnswer>}
     */
    async createLink(link, { signal } = {}) {
        const { send, app } = partsOf(this);
        const request = /** @type {LinkRequest} */ (link.linkRequest || link);
        const body = { ...request, app: request.app ?? app };
        return send("/api/v1/links", body, false, signal, readLink);
    }

    /**
     * @param {DeferredTraces | null} [traces]
     * @param {RequestOptions} options
     */
    async claimDeferred(traces, { signal } = {}) {
        const parts = partsOf(this);
        const { updateInstallation, send, storage, owner, app = "", platform, appVersion } = parts;
        const { referrer, clipboard, clickID } = readTraces(traces || {}, parts.hosts);
        await limited(() => this.recordInstallation(clickID), Infinity, signal);
        if (!clickID || claiming.has(owner)) return null;
        claiming.add(owner);
        const claim = async () => {
            const state = await updateInstallation((state) => ({ ...state }), signal);
            if (!state || state.claimed) return null;
            const body = { app, platform, installID: state.id, referrer, clipboard, appVersion };
            const deferred = await send(
                "/api/v1/deferred/claim", body, true, signal, (answer) => readClaim(answer, clickID));
            await endClaim(parts);
            return deferred;
        };
        try {
            // Another tab waits, and then finds that the claim is over.
            return await (storage.lock ? storage.lock("claim", claim) : claim());
        } catch (error) {
            // An expired link stays expired. Other refusals come from a mistake that an update may fix.
            const { problem } = asClientError(error);
            if (problem
                && /^urn:waymark:problem:link-(unknown|expired|exhausted|disabled)$/.test(problem.type)) {
                await endClaim(parts);
            }
            throw error;
        } finally {
            claiming.delete(owner);
        }
    }

    async skipDeferred() {
        await this.recordInstallation();
        await endClaim(partsOf(this));
    }

    /** @param {string | ClickReference} click */
    async recordOpen(click) {
        const { clickID, smartlink } = typeof click === "string" ? { clickID: "", smartlink: click } : click;
        // Any app or page can open a link of any length, and the service would refuse the event.
        const isTooLong = byteLength(clickID || "") > 1_024 || byteLength(smartlink || "") > lengthLimit;
        if ((clickID || smartlink) && !isTooLong) await partsOf(this).events.record(
            "open", clickID, smartlink);
    }

    /** @param {string | null} [clickID] */
    async recordInstallation(clickID) {
        const { updateInstallation, events, timeLimit } = partsOf(this);
        const state = await updateInstallation((state) => ({ ...state }));
        if (!state || (clickID ? state.attributed : state.recorded)) return;
        // Stored before the state and under an ID that stays: after a crash in between it is recorded again
        // and counted once. Without a click the ID is another, or the service would drop the event with the
        // click.
        const id = clickID ? state.id
            : state.id.replace(/.$/, (/** @type {string} */ digit) => digit === "0" ? "1" : "0");
        await limited(() => events.record("install", clickID, null, id), timeLimit);
        await updateInstallation((state) => {
            state.recorded = true;
            state.attributed = state.attributed || !!clickID;
        });
    }

    /**
     * @param {Conversion} conversion
     * @param {RequestOptions} options
     */
    async reportConversion({ id, name, of, value }, { signal } = {}) {
        const { post, updateInstallation, clock } = partsOf(this);
        const { clickID, smartlink } = of || {};
        const installID = clickID || smartlink ? undefined
            : await updateInstallation((state) => state.id, signal);
        // An installation that nobody knows has no click.
        if (installID === null) throw new WaymarkClientError(
            "unreachable", { reason: "the storage can't be read" });
        const at = isoTime(wholeSeconds(clock));
        const conversion = {
            id, name, clickID: clickID ?? undefined, smartlink: smartlink ?? undefined, installID, at, value,
        };
        return readCounted(await post(
            "/api/v1/conversions", JSON.stringify({ conversions: [conversion] }), null, signal)) > 0;
    }

    async flush() {
        const failure = await partsOf(this).events.flush();
        if (failure) throw failure;
    }

    eventCounts() {
        return partsOf(this).events.counts();
    }

    close() {
        partsOf(this).events.stop();
    }
}

/** @type {import("./stored-value.js").StoredForm<Installation>} */
const installationForm = {
    name: "installation",
    empty: "{}",
    read: ({ id = null, claimed, recorded, attributed = recorded }) =>
        id === null || (typeof id === "string" && id !== "")
            ? { id, claimed: claimed === true, recorded: recorded === true, attributed: attributed === true }
            : null,
    merge: (/** @type {any} */ stored, /** @type {any} */ later) => {
        for (const name in later) stored[name] = stored[name] || later[name];
        return stored;
    },
};

/** @param {ClientOptions} options */
function makeParts({
    service, key, app, platform = "web", appVersion, domains = [], storage, retry = {}, timeLimit = 15_000,
    answerLimit = 262_144, eventLimit = 500, eventAge = 6 * 86_400_000, sendsEvents = true,
    // Looked up at each request: a polyfill may come later.
    fetch = (url, init) => globalThis.fetch(url, init), clock = systemClock, random = Math.random,
}) {
    const { base, host } = readAddress(service);
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) throw new WaymarkClientError("invalidKey");
    const { attempts = 4, firstWait = 500, longestWait = 20_000 } = retry;
    const numbers = { attempts, timeLimit, answerLimit, firstWait, longestWait, eventLimit, eventAge };
    Object.entries(numbers).forEach(([name, value], index) => {
        if (typeof value !== "number" || !(value >= +(index < 3))) throw new TypeError(name + " is invalid");
    });
    if (!/^(web|ios|iphone|ipad|android|macos|windows|linux)$/.test(platform)) throw new TypeError(
        "platform is invalid");
    const hosts = domains.length === 0 ? [host] : domains.map((domain) => domain.toLowerCase());
    const store = storageOf(storage);
    const settings = {
        base, fetch, clock, random, timeLimit, answerLimit, retry: { attempts, firstWait, longestWait },
        storage: store, platform, eventLimit, eventAge, sendsEvents,
    };
    const post = makePost({ ...settings, key });
    const update = storedValue(store, installationForm);
    return {
        ...settings, post, app, appVersion, domains: hosts, hosts: linkHosts(hosts), owner: storage || store,
        send: idempotentPost(post, store, clock, timeLimit),
        events: eventQueue({ ...settings, post }),
        /**
         * The installation gets its ID when its state is first stored. While it can't be read, nothing
         * changes and the result is null: another ID would be another installation.
         *
         * @template Result
         * @param {(state: Installation & { id: string }) => Result} change
         * @param {AbortSignal | null} [signal]
         * @returns {Promise<Result | null>}
         */
        updateInstallation: (change, signal) => limited(() => update((state, isLoaded) => {
            if (!isLoaded) return null;
            state.id = state.id || makeUUID();
            return change(/** @type {Installation & { id: string }} */ (state));
        }), timeLimit, signal),
    };
}

/** @param {WaymarkClient} client */
function partsOf(client) {
    return /** @type {Parts} */ (partsOfClients.get(client));
}

/**
 * @param {string | { toString(): string } | ClickReference} link
 * @returns {Record<string, unknown>}
 */
function subjectOf(link) {
    const { clickID, smartlink } = /** @type {ClickReference} */ (link);
    if (clickID) return { clickID };
    const text = smartlink || String(link);
    if (text === "[object Object]") throw new TypeError("a smart link or a click ID is needed");
    return { smartlink: text };
}

/** @param {Parts} parts */
function endClaim({ updateInstallation }) {
    return updateInstallation((state) => { state.claimed = true; });
}
