import { DeeplinkingError } from "./deeplinking-error.js";
import { DeepLinkURL } from "../url/deep-link-url.js";
import { linkHosts } from "../url/link-hosts.js";
import { dialectOf } from "./dialect.js";
import { explain } from "./explanation.js";
import { openInitial } from "./initial-link.js";
import { KeptLinks } from "./kept-links.js";
import { LinkCandidates } from "./link-candidates.js";
import {
    failed,
    isTransient,
    LinkOpener,
    notOpened,
    noService,
    records,
    timedOut,
} from "./link-opener.js";
import { isForApp, LinkSource } from "./link-source.js";
import { withinLimit } from "./opening-limit.js";
import { RouteFormat } from "./route-format.js";
import { RouteTable } from "./route-table.js";

/** @typedef {import("../../routing.js").DeeplinkingOptions} DeeplinkingOptions */
/** @typedef {import("../../routing.js").DeeplinkTarget} DeeplinkTarget */
/** @typedef {import("../../routing.js").DeeplinkHandler} DeeplinkHandler */
/** @typedef {import("../../routing.js").DeeplinkFilter} DeeplinkFilter */
/** @typedef {import("../../routing.js").Opening} Opening */
/** @typedef {import("../../waymark.js").DeferredDeeplink} DeferredDeeplink */
/** @typedef {import("../../waymark.js").DeferredTraces} DeferredTraces */
/** @typedef {import("../../waymark.js").RequestOptions} RequestOptions */
/** @typedef {import("../../routing.js").Linking} Linking */
/** @typedef {import("./deeplink.js").Deeplink} Deeplink */

/** The app's router: maps routes to code and opens deep links. */
export class Deeplinking {
    /** @param {DeeplinkingOptions} [options] */
    constructor(options = {}) {
        const { client = null, clock = { now: () => Date.now() }, domains, schemes = [] } = options;
        const { openingTimeLimit = 5_000 } = options;
        this.client = client;
        this.creator = options.creator || client;
        this.dialect = dialectOf(options.dialect);
        /** @readonly */
        this.schemes = schemes;
        /** @readonly @type {readonly string[]} */
        this.domains = domains || (client ? client.domains : []);
        this.source = new LinkSource(schemes, linkHosts(this.domains));
        /** @type {RouteTable<DeeplinkTarget>} */
        this.routes = new RouteTable(this.dialect);
        this.kept = new KeptLinks(client, clock, openingTimeLimit);
        this.candidates = new LinkCandidates(this.routes, this.source, this.kept);
        this.opener = new LinkOpener(options, clock, this.candidates, this.kept);
        // Node and React Native have no such event.
        if (typeof document === "object" && typeof addEventListener === "function") {
            addEventListener("online", () => void this.networkIsBack());
        }
    }

    /** The most recent link, whether or not it has opened. */
    get currentDeeplink() {
        return this.opener.currentDeeplink;
    }

    set currentDeeplink(deeplink) {
        this.opener.currentDeeplink = deeplink;
    }

    // Routes

    /**
     * @param {string} route
     * @param {DeeplinkTarget} target
     */
    map(route, target) {
        const format = new RouteFormat(route);
        if (format.text === "") return this.mapDefault(target);
        if (!this.routes.map(format, target)) {
            throw new DeeplinkingError(
                "duplicateRoute",
                `the route '${format.text}' is mapped already`,
                [format.text],
            );
        }
    }

    /** @param {DeeplinkTarget} target */
    mapDefault(target) {
        if (
            this.candidates.defaultTarget !== null &&
            this.dialect.duplicateDefaultRoute === "first"
        ) {
            throw new DeeplinkingError(
                "duplicateDefaultRoute",
                "the default route is mapped already",
            );
        }
        this.candidates.defaultTarget = target;
    }

    /** @param {string} route */
    isMapped(route) {
        return this.routes.has(new RouteFormat(route));
    }

    get hasDefaultRoute() {
        return this.candidates.defaultTarget !== null;
    }

    get mappedRoutes() {
        return this.routes.formats;
    }

    // Filters and handlers

    /** @param {DeeplinkFilter} filter */
    addFilter(filter) {
        const { opener } = this;
        opener.filters = opener.filters.concat(filter);
        return once(() => {
            opener.filters = without(opener.filters, filter);
        });
    }

    /** @param {DeeplinkHandler} handler */
    addHandler(handler) {
        const { opener } = this;
        opener.handlers = opener.handlers.concat(handler);
        return once(() => {
            opener.handlers = without(opener.handlers, handler);
        });
    }

    // Opening

    /**
     * @param {string | { toString(): string }} url
     * @param {{ isDeferred?: boolean }} options
     * @returns {Promise<Opening>}
     */
    async open(url, { isDeferred = false } = {}) {
        const { kind, url: target } = this.source.read(new DeepLinkURL(url));
        if (!isForApp(kind)) return this.opener.notHandled();
        return kind === "smartlink"
            ? this.opener.resolveAndOpen(target, true, true)
            : this.opener.openCandidate(this.candidates.candidate(target, { isDeferred }));
    }

    /**
     * @param {string | { toString(): string }} smartlink
     * @returns {Promise<Opening>}
     */
    async openSmartlink(smartlink) {
        const url = new DeepLinkURL(smartlink);
        const { kind } = this.source.read(url);
        if (!isForApp(kind)) return this.opener.notHandled();
        return this.opener.resolveAndOpen(url, false, false);
    }

    /**
     * @param {Deeplink} deeplink
     * @returns {Promise<Opening>}
     */
    async openDeeplink(deeplink) {
        const candidate = this.candidates.again(deeplink, records.get(deeplink));
        return candidate.target === null ? notOpened(deeplink) : this.opener.perform(candidate);
    }

    /** @returns {Promise<Opening | null>} */
    async openCurrentDeeplink() {
        const { opener, currentDeeplink: deeplink } = this;
        // Another link is newer.
        if (opener.isWaiting) return null;
        const record = deeplink ? records.get(deeplink) : undefined;
        const isUnresolved = record && record.isUnresolved;
        const candidate = deeplink && this.candidates.again(deeplink, record);
        if (
            !candidate ||
            (isUnresolved ? !isTransient(candidate.deeplink.error) : candidate.target === null)
        ) {
            for (const slot of /** @type {const} */ (["current", "installation"])) {
                const link = await this.kept.pending(slot);
                if (this.currentDeeplink !== deeplink || opener.isWaiting) return null;
                if (link !== null) return opener.openKept(this.kept.record(link, slot, true));
            }
        }
        if (!deeplink || !candidate) return null;
        if (record && isUnresolved) {
            return opener.resolveAndOpen(
                new DeepLinkURL(deeplink.openedURL || ""),
                false,
                record.triesRoute,
            );
        }
        // Without its metadata it is asked for again.
        return deeplink.error !== null && opener.needsAnswer(candidate)
            ? opener.openCandidate(candidate)
            : this.openDeeplink(deeplink);
    }

    /**
     * @param {DeferredTraces} [traces]
     * @param {RequestOptions} [options]
     * @returns {Promise<Opening | null>}
     */
    async openDeferred(traces, options) {
        const { client } = this;
        if (client === null) return failed(noService());
        const pending = this.hasLink ? null : await this.kept.pending("installation");
        // Another link may have opened meanwhile.
        if (this.hasLink) {
            // If the storage does not respond, the next launch skips the claim.
            await client.skipDeferred().catch(() => {});
            return null;
        }
        if (pending !== null) {
            return this.opener.openKept(this.kept.record(pending, "installation", true));
        }
        const record = this.kept.record({}, "installation");
        const keep = async (/** @type {DeferredDeeplink} */ deferred) => {
            const { match, clickID, ...answer } = deferred;
            Object.assign(record.link, { answer, match: match.method, clickID });
            record.isStored = true;
            await this.kept.keep("installation", record.link);
        };
        this.opener.report("resolving");
        const { inTime, settled } = await withinLimit(
            client.claimDeferred(traces, Object.assign({}, options, { keep })),
            this.opener.openingTimeLimit,
            this.opener.clock,
        );
        if (inTime === null) {
            this.opener.report("late");
            void settled.then(({ value, error }) => {
                this.opener.reportOutcome(error, value);
                if (value !== null) this.opener.report("kept");
            });
            return failed(timedOut());
        }
        const { value: deferred, error } = inTime;
        this.opener.reportOutcome(error, deferred);
        if (error !== null) return failed(error);
        if (deferred === null) return null;
        const { clickID } = deferred;
        const candidate = this.candidates.answered(deferred, { isDeferred: true, clickID, record });
        if (!this.hasLink) return this.opener.perform(candidate);
        this.opener.report("superseded");
        return notOpened(candidate.deeplink);
    }

    /** @returns {Promise<DeferredDeeplink | null>} */
    async installationDeeplink() {
        const link = await this.kept.change((links) => links.installation);
        if (!link || !link.answer) return null;
        return Object.assign({}, link.answer, {
            match: { method: link.match || "" },
            clickID: link.clickID || null,
        });
    }

    networkIsBack() {
        return this.opener.resolveAgain();
    }

    /** @param {string | { toString(): string }} url */
    canOpen(url) {
        const { kind, url: target } = this.source.read(new DeepLinkURL(url));
        return (
            kind === "smartlink" ||
            (isForApp(kind) && this.candidates.candidate(target).target !== null)
        );
    }

    /**
     * @param {string | { toString(): string }} url
     * @param {{ asksService?: boolean }} options
     */
    explain(url, { asksService = false } = {}) {
        return explain(this, url, asksService);
    }

    /** Whether a link was opened or is waiting for the service. */
    get hasLink() {
        return this.opener.hasLink;
    }

    /**
     * @param {Linking} linking
     * @returns {Promise<() => void>}
     */
    async listen(linking) {
        const subscription = linking.addEventListener("url", ({ url }) => {
            // The error of a target is the app's: it is reported as unhandled, like any other.
            void this.open(url);
        });
        const remove = () => {
            if (subscription && subscription.remove) subscription.remove();
        };
        let url;
        try {
            url = await linking.getInitialURL();
        } catch (error) {
            remove();
            throw error;
        }
        // A link that was opened while the first URL was read is newer. The error of its target is
        // reported like those of later links, and ends nothing.
        if (url) {
            await openInitial(this, url).catch((error) => {
                void Promise.reject(error);
            });
        }
        return remove;
    }

    // Creating

    /**
     * @param {Deeplink} deeplink
     * @returns {Promise<string>}
     */
    async generateSmartlink(deeplink) {
        const hasURLs = Object.keys(deeplink.urls).length > 0;
        if (!hasURLs && (deeplink.route === null || !this.isMapped(deeplink.route))) {
            const route = deeplink.route || "";
            throw new DeeplinkingError("routeNotMapped", `the route '${route}' is not mapped`, [
                route,
            ]);
        }
        if (this.creator === null) throw noService();
        const smartlink = await this.creator.createSmartlink(deeplink.linkRequest);
        if (!smartlink) {
            throw new DeeplinkingError(
                "generationFailed",
                "the service answered without a smart link",
            );
        }
        return smartlink;
    }
}

/** @param {() => void} call */
function once(call) {
    let isDone = false;
    return () => {
        if (!isDone) call();
        isDone = true;
    };
}

/**
 * Without the first such element.
 *
 * @template Element
 * @param {Element[]} list
 * @param {Element} element
 */
function without(list, element) {
    const index = list.indexOf(element);
    return list.filter((_, position) => position !== index);
}
