import { DeeplinkingError } from "./deeplinking-error.js";
import { DeepLinkURL } from "../url/deep-link-url.js";
import { hostIn, linkHosts } from "../url/link-hosts.js";
import { decodeWhole } from "../url/percent-encoding.js";
import { joinURL } from "../url/url-parts.js";
import { makeOpened, queryText, takeRecording } from "./deeplink.js";
import { dialectOf, queryParametersOf } from "./dialect.js";
import { OpeningOrder } from "./opening-order.js";
import { RouteFormat } from "./route-format.js";
import { RouteTable } from "./route-table.js";

/** @typedef {import("../../routing.js").DeeplinkingOptions} DeeplinkingOptions */
/** @typedef {import("../../routing.js").DeeplinkTarget} DeeplinkTarget */
/** @typedef {import("../../routing.js").DeeplinkFilter} DeeplinkFilter */
/** @typedef {import("../../routing.js").Opening} Opening */
/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/** @typedef {import("../../waymark.js").DeferredTraces} DeferredTraces */
/** @typedef {import("../../waymark.js").RequestOptions} RequestOptions */
/** @typedef {import("../../routing.js").Linking} Linking */
/** @typedef {import("./deeplink.js").Deeplink} Deeplink */
/** @typedef {{ isDeferred: boolean, smartlink?: string, clickID?: string | null }} Origin */
/** @typedef {{ deeplink: Deeplink, target: DeeplinkTarget | null }} Candidate */
/** @typedef {Pick<ResolveAnswer, "metadata" | "update">} Fetched */

/** The app's router: maps routes to code and opens deep links. */
export class Deeplinking {
    /** @param {DeeplinkingOptions} [options] */
    constructor(options = {}) {
        const { client = null } = options;
        this.client = client;
        this.dialect = dialectOf(options.dialect);
        /** Apps without schemes have HOKO's; matching ignores it. */
        this.scheme = options.schemes && options.schemes.length > 0 ? options.schemes[0] : "app";
        this.schemes = (options.schemes || []).map((scheme) => scheme.toLowerCase());
        this.hosts = linkHosts(options.domains || (client ? client.domains : []));
        this.resolver = options.resolver || client || null;
        this.creator = options.creator || client || null;
        this.recorder = options.recorder || client || null;
        /** @type {RouteTable<DeeplinkTarget>} */
        this.routes = new RouteTable(this.dialect);
        /** @type {DeeplinkTarget | null} */
        this.defaultTarget = null;
        /** @type {DeeplinkFilter[]} */
        this.filters = [];
        /** @type {DeeplinkTarget[]} */
        this.handlers = [];
        this.order = new OpeningOrder();
        /** @type {Deeplink | null} */
        this.currentDeeplink = null;
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
                "duplicateRoute", `the route '${format.text}' is mapped already`, [format.text]);
        }
    }

    /** @param {DeeplinkTarget} target */
    mapDefault(target) {
        if (this.defaultTarget !== null && this.dialect.duplicateDefaultRoute === "first") {
            throw new DeeplinkingError("duplicateDefaultRoute", "the default route is mapped already");
        }
        this.defaultTarget = target;
    }

    /** @param {string} route */
    isMapped(route) {
        return this.routes.has(new RouteFormat(route));
    }

    get mappedRoutes() {
        return this.routes.formats;
    }

    // Filters and handlers

    /** @param {DeeplinkFilter} filter */
    addFilter(filter) {
        this.filters = this.filters.concat(filter);
        return once(() => { this.filters = without(this.filters, filter); });
    }

    /** @param {DeeplinkTarget} handler */
    addHandler(handler) {
        this.handlers = this.handlers.concat(handler);
        return once(() => { this.handlers = without(this.handlers, handler); });
    }

    // Opening

    /**
     * @param {string | { toString(): string }} url
     * @param {{ isDeferred?: boolean }} options
     * @returns {Promise<Opening>}
     */
    open(url, { isDeferred = false } = {}) {
        const plan = this.plan(new DeepLinkURL(url), { isDeferred });
        if ("candidate" in plan && plan.clickID === null) return settled(() => this.result(plan.candidate));
        const number = this.order.begin();
        return "candidate" in plan
            ? this.fetchMetadataAndOpen(plan.candidate, /** @type {string} */ (plan.clickID), number)
            : this.resolveAndOpen(plan.smartlink, { isDeferred }, number, true);
    }

    /**
     * @param {string | { toString(): string }} smartlink
     * @returns {Promise<Opening>}
     */
    openSmartlink(smartlink) {
        return this.resolveAndOpen(String(smartlink), { isDeferred: false }, this.order.begin(), false);
    }

    /**
     * @param {Deeplink} deeplink
     * @returns {boolean}
     */
    openDeeplink(deeplink) {
        const target = deeplink.route !== null
            ? this.routes.target(deeplink.route) : deeplink.openedURL === null ? null : this.defaultTarget;
        return target !== null && this.perform({ deeplink, target });
    }

    openCurrentDeeplink() {
        return this.currentDeeplink !== null && this.openDeeplink(this.currentDeeplink);
    }

    /**
     * @param {DeferredTraces} [traces]
     * @param {RequestOptions} [options]
     * @returns {Promise<Opening | null>}
     */
    async openDeferred(traces, options) {
        if (this.client === null) return { status: "failed", deeplink: null, error: noService() };
        if (this.hasLink) {
            // If the storage does not respond, the next launch skips the claim.
            await this.client.skipDeferred().catch(() => {});
            return null;
        }
        let deferred;
        try {
            deferred = await this.client.claimDeferred(traces, options);
        } catch (error) {
            return { status: "failed", deeplink: null, error: /** @type {Error} */ (error) };
        }
        if (deferred === null) return null;
        const isLate = this.hasLink;
        const candidate = this.candidate(
            this.destination(deferred), { isDeferred: true, clickID: deferred.clickID }, deferred);
        return isLate ? notOpened(candidate.deeplink) : this.result(candidate);
    }

    /** @param {string | { toString(): string }} url */
    canOpen(url) {
        const plan = this.plan(new DeepLinkURL(url), { isDeferred: false });
        return "candidate" in plan ? plan.candidate.target !== null : true;
    }

    /** Whether a link was opened or is waiting for the service. */
    get hasLink() {
        return this.currentDeeplink !== null || this.order.isWaiting;
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
        // A link that was opened while the first URL was read is newer. The error of its target is reported
        // like those of later links, and ends nothing.
        if (url && !this.hasLink) await this.open(url).catch((error) => { void Promise.reject(error); });
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
            throw new DeeplinkingError("routeNotMapped", `the route '${route}' is not mapped`, [route]);
        }
        if (this.creator === null) throw noService();
        const smartlink = await this.creator.createSmartlink(deeplink.linkRequest);
        if (!smartlink) throw new DeeplinkingError(
            "generationFailed", "the service answered without a smart link");
        return smartlink;
    }

    // Inside

    /**
     * What has to be done to open a URL: open it, fetch its metadata first, or resolve it.
     *
     * @param {DeepLinkURL} url
     * @param {Origin} origin
     * @returns {{ candidate: Candidate, clickID: string | null } | { smartlink: string }}
     */
    plan(url, origin) {
        let target = url;
        if (hostIn(this.hosts, url)) {
            const destination = lazyDestination(url);
            // Anybody can make a lazy link: `javascript:` must not reach a target that shows pages.
            if (destination === null || !this.isOfApp(destination)) return { smartlink: url.text };
            // A lazy link may contain a bare route: `uri=products/42`.
            target = destination.scheme === null ? destination.asAppLink(this.scheme) : destination;
        }
        if (target.isWeb && target.host) target = target.asAppLink(this.scheme);
        const candidate = this.candidate(target, origin);
        const { deeplink } = candidate;
        const fetches = deeplink.needsMetadata && this.resolver !== null && deeplink.clickID !== null
            && (candidate.target !== null || this.dialect.keepsUnroutedDeeplink);
        return { candidate, clickID: fetches ? deeplink.clickID : null };
    }

    /**
     * Whether the destination of a lazy link is a web link, a link of the app, or a bare route.
     *
     * @param {DeepLinkURL} destination
     */
    isOfApp(destination) {
        const { scheme, isWeb } = destination;
        return scheme === null || isWeb || this.schemes.includes(scheme.toLowerCase());
    }

    /**
     * @param {DeepLinkURL} url
     * @param {Origin} origin
     * @param {Fetched} [fetched]
     * @returns {Candidate}
     */
    candidate(url, origin, fetched = { metadata: null, update: null }) {
        const { url: plain, service } = url.separatingServiceParameters();
        service.clickID = service.clickID || origin.clickID || null;
        const match = this.routes.match(plain);
        const deeplink = makeOpened({
            route: match ? match.format.text : null, routeParameters: match ? match.parameters : {},
            queryParameters: queryParametersOf(plain, this.dialect),
            metadata: fetched.metadata, update: fetched.update,
            isDeferred: origin.isDeferred, openedURL: url, service, smartlink: origin.smartlink || null,
        });
        if (service.smartlinkID !== null) fromOlderService.add(deeplink);
        return { deeplink, target: match ? match.target : this.defaultTarget };
    }

    /**
     * @param {Candidate} candidate
     * @param {string} clickID
     * @param {number} number
     * @returns {Promise<Opening>}
     */
    async fetchMetadataAndOpen(candidate, clickID, number) {
        const { deeplink } = candidate;
        try {
            const answer = this.resolver ? await this.resolver.resolve({ clickID }) : null;
            if (answer) {
                deeplink.metadata = answer.metadata;
                deeplink.update = answer.update;
                deeplink.needsMetadata = answer.metadata === null;
            }
        } catch {
            // It opens without metadata.
        }
        return this.order.end(number) ? this.result(candidate) : notOpened(deeplink);
    }

    /**
     * @param {string} smartlink
     * @param {Origin} origin
     * @param {number} number
     * @param {boolean} opensDefaultRoute
     * @returns {Promise<Opening>}
     */
    async resolveAndOpen(smartlink, origin, number, opensDefaultRoute) {
        /** @type {ResolveAnswer} */
        let answer;
        try {
            if (this.resolver === null) throw noService();
            answer = await this.resolver.resolve({ smartlink });
        } catch (error) {
            if (this.order.end(number) && opensDefaultRoute) this.perform(
                this.candidate(new DeepLinkURL(""), origin));
            return { status: "failed", deeplink: null, error: /** @type {Error} */ (error) };
        }
        const candidate = this.candidate(
            this.destination(answer), Object.assign({}, origin, { smartlink }), answer);
        return this.order.end(number) ? this.result(candidate) : notOpened(candidate.deeplink);
    }

    /**
     * @param {Candidate} candidate
     * @returns {Opening}
     */
    result(candidate) {
        return this.perform(candidate)
            ? { status: "opened", deeplink: candidate.deeplink, error: null } : notOpened(candidate.deeplink);
    }

    /**
     * Runs filters, handlers and the target.
     *
     * @param {Candidate} candidate
     */
    perform({ deeplink, target }) {
        if (target === null) {
            if (this.dialect.keepsUnroutedDeeplink) this.makeCurrent(deeplink);
            return false;
        }
        this.makeCurrent(deeplink);
        // Filters and handlers may add or remove others; this link uses those registered when it arrived.
        const { filters, handlers, order } = this;
        const { last } = order;
        for (const filter of filters) {
            const passes = /** @type {unknown} */ (filter(deeplink));
            // A promise is truthy: an async filter would hold back nothing.
            if (typeof passes === "object" && passes !== null) throw new TypeError(
                "a filter must return true or false");
            if (!passes) return false;
        }
        for (const handler of handlers) handler(deeplink);
        // A filter or a handler has opened another link.
        if (order.last !== last) return false;
        target(deeplink);
        deeplink.wasOpened = true;
        return true;
    }

    /** @param {Deeplink} deeplink */
    makeCurrent(deeplink) {
        this.order.advance();
        this.currentDeeplink = deeplink;
        const isFromSmartlink = deeplink.clickID !== null
            || deeplink.smartlink !== null
            || fromOlderService.has(deeplink);
        if (isFromSmartlink && this.recorder !== null && takeRecording(deeplink))
            void this.recorder.recordOpen(deeplink);
    }

    /**
     * The destination in a response: a web page as the app's route with the same path, or the link's route if
     * there is no URL for this platform.
     *
     * @param {Pick<ResolveAnswer, "deeplink" | "route" | "routeParameters" | "queryParameters">} answer
     */
    destination(answer) {
        if (answer.deeplink !== null) {
            const url = new DeepLinkURL(answer.deeplink);
            return url.isWeb ? url.asAppLink(this.scheme) : url;
        }
        const path = answer.route === null ? null
            : new RouteFormat(answer.route).filled(answer.routeParameters);
        const query = queryText(answer.queryParameters) || null;
        return new DeepLinkURL(
            joinURL({ scheme: this.scheme, authority: "", path: "/" + (path || ""), query, fragment: null }));
    }
}

/** Links with `_hk_sid`, which services older than Waymark set. @type {WeakSet<Deeplink>} */
const fromOlderService = new WeakSet();

function noService() {
    return new DeeplinkingError("noService", "no connection to the service was given");
}

/** @param {Deeplink} deeplink @returns {Opening} */
function notOpened(deeplink) {
    return { status: "notOpened", deeplink, error: null };
}

/**
 * The decoded destination of a lazy link (`/lazy?uri=shop%3A%2F%2Fproducts%2F42`); null for any other URL.
 *
 * @param {DeepLinkURL} url
 */
function lazyDestination(url) {
    if (url.segments.length !== 1 || url.segments[0] !== "lazy") return null;
    const items = url.queryItems.filter((item) => item.name === "uri");
    const value = items.length === 0 ? null : items[items.length - 1].value;
    const text = decodeWhole(value || "", true);
    return text === "" ? null : new DeepLinkURL(text);
}

/**
 * @template Result
 * @param {() => Result} call
 * @returns {Promise<Result>}
 */
function settled(call) {
    try {
        return Promise.resolve(call());
    } catch (error) {
        return Promise.reject(error);
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
