import { hostIn } from "../url/link-hosts.js";
import { makeOpened } from "./deeplink.js";
import { queryParametersOf } from "./dialect.js";
import { RouteFormat } from "./route-format.js";

/** @typedef {import("../../routing.js").DeeplinkTarget} DeeplinkTarget */
/** @typedef {import("../../routing.js").RoutingDialect} RoutingDialect */
/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/** @typedef {import("../url/deep-link-url.js").DeepLinkURL} DeepLinkURL */
/** @typedef {import("./deeplink.js").Deeplink} Deeplink */
/** @typedef {import("./kept-links.js").LinkRecord} LinkRecord */
/**
 * @typedef {{
 *     isDeferred?: boolean, smartlink?: string, clickID?: string | null, record?: LinkRecord
 * }} Origin
 */
/**
 * @typedef {{
 *     deeplink: Deeplink, target: DeeplinkTarget | null, record: LinkRecord, isByAnswer: boolean
 * }} Candidate a link with what would open it; `isByAnswer`: the service's answer has named the
 * route
 */

/**
 * Links with `_hk_sid`, which services older than Waymark set.
 *
 * @type {WeakSet<Deeplink>}
 */
export const fromOlderService = new WeakSet();

/** Finds the route of URLs and of the service's answers. */
export class LinkCandidates {
    /**
     * @param {import("./route-table.js").RouteTable<DeeplinkTarget>} routes
     * @param {import("./link-source.js").LinkSource} source
     * @param {import("./kept-links.js").KeptLinks} kept
     */
    constructor(routes, source, kept) {
        this.routes = routes;
        this.source = source;
        this.kept = kept;
        /** @type {DeeplinkTarget | null} */
        this.defaultTarget = null;
    }

    /**
     * A link whose URL decides.
     *
     * @param {DeepLinkURL} url
     * @param {Origin} [origin]
     * @returns {Candidate}
     */
    candidate(url, origin = {}) {
        const { url: plain, service } = url.separatingServiceParameters();
        const match = this.routes.match(plain);
        const deeplink = makeOpened({
            route: match ? match.format.text : null,
            routeParameters: match ? match.parameters : {},
            queryParameters: queryParametersOf(plain, this.routes.dialect),
            metadata: null,
            update: null,
            isDeferred: origin.isDeferred || false,
            openedURL: url,
            clickID: service.clickID || origin.clickID || null,
            needsMetadata: service.needsMetadata,
            smartlink: origin.smartlink || null,
            error: null,
        });
        if (service.smartlinkID !== null) fromOlderService.add(deeplink);
        const record = origin.record || this.kept.record({ url: url.text });
        return {
            deeplink,
            target: match ? match.target : this.defaultTarget,
            record,
            isByAnswer: false,
        };
    }

    /**
     * A link that the service has answered: its route decides if it is mapped, else its URL.
     *
     * @param {ResolveAnswer} answer
     * @param {Origin} origin
     * @returns {Candidate}
     */
    answered(answer, origin) {
        const candidate = this.candidate(this.source.destination(answer), origin);
        const { deeplink } = candidate;
        // Assigning to an object would change its prototype for the name `__proto__`.
        deeplink.queryParameters = Object.fromEntries(
            Object.entries(deeplink.queryParameters).concat(Object.entries(answer.queryParameters)),
        );
        this.add(answer, deeplink);
        const format = new RouteFormat(answer.route || "");
        const target =
            format.text === "" || format.filled(answer.routeParameters) === null
                ? null
                : this.routes.target(format.text);
        if (target === null) return candidate;
        deeplink.route = format.text;
        deeplink.routeParameters = answer.routeParameters;
        return Object.assign(candidate, { target, isByAnswer: true });
    }

    /**
     * A link that was opened or made before. One that the app has made opens no default route.
     *
     * @param {Deeplink} deeplink
     * @param {LinkRecord} [record]
     * @returns {Candidate}
     */
    again(deeplink, record = this.kept.record({ url: deeplink.openedURL || undefined })) {
        const target =
            deeplink.route !== null
                ? this.routes.target(deeplink.route)
                : deeplink.openedURL === null
                  ? null
                  : this.defaultTarget;
        return { deeplink, target, record, isByAnswer: false };
    }

    /**
     * @param {ResolveAnswer} answer
     * @param {Deeplink} deeplink
     */
    add(answer, deeplink) {
        deeplink.metadata = answer.metadata;
        deeplink.update = answer.update;
        deeplink.needsMetadata = deeplink.needsMetadata && answer.metadata === null;
    }

    /**
     * A web link of the app's own domain that is no smart link, as a route of the app; null if
     * there is none.
     *
     * @param {DeepLinkURL} url
     * @param {any} error
     * @returns {Candidate | null}
     */
    unknownAsRoute(url, error) {
        if (!error.problem || error.problem.type !== "urn:waymark:problem:link-unknown") {
            return null;
        }
        if (!hostIn(this.source.hosts, url)) return null;
        const { url: plain } = url.separatingServiceParameters();
        const { deeplink, target } = this.candidate(plain.asAppLink(this.source.scheme));
        if (deeplink.route === null) return null;
        deeplink.openedURL = url.asAppLink(this.source.scheme).text;
        return {
            deeplink,
            target,
            record: this.kept.record({ url: deeplink.openedURL }),
            isByAnswer: false,
        };
    }

    /**
     * A smart link that the service could not resolve.
     *
     * @param {DeepLinkURL} url
     * @param {Error} error
     */
    unresolved(url, error) {
        const { url: plain } = url.separatingServiceParameters();
        return makeOpened({
            route: null,
            routeParameters: {},
            queryParameters: queryParametersOf(plain, this.routes.dialect),
            metadata: null,
            update: null,
            isDeferred: false,
            openedURL: url,
            clickID: null,
            needsMetadata: false,
            smartlink: null,
            error,
        });
    }
}
