import { DeeplinkingError } from "./deeplinking-error.js";
import { encode, wellFormed } from "../url/percent-encoding.js";
import { RouteFormat } from "./route-format.js";

/** @typedef {import("../../routing.js").DeeplinkDraft} DeeplinkDraft */
/** @typedef {import("../../waymark.js").LinkRequest} LinkRequest */
/** @typedef {import("../../waymark.js").AppUpdate} AppUpdate */
/** @typedef {import("../../waymark.js").JSONObject} JSONObject */
/** @typedef {import("../url/deep-link-url.js").DeepLinkURL} DeepLinkURL */
/**
 * @typedef {{ route: string | null, routeParameters: Record<string, string>, queryParameters:
 *     Record<string, string | null>, metadata: JSONObject | null, update: AppUpdate | null,
 *     isDeferred: boolean, openedURL: DeepLinkURL, clickID: string | null, needsMetadata: boolean,
 *     smartlink: string | null, error: Error | null
 * }} OpenedLink
 */

/**
 * A destination in the app: a route with its parameters, read from a URL that the app was opened
 * with, or made by the app to create a smart link.
 */
export class Deeplink {
    /** @param {DeeplinkDraft} [draft] */
    constructor(draft = {}) {
        const format = new RouteFormat(
            draft.route === undefined || draft.route === null ? "" : draft.route,
        );
        /** @type {string | null} */
        this.route = format.text === "" ? null : format.text;
        this.routeParameters = texts(draft.routeParameters);
        /** @type {Record<string, string | null>} */
        this.queryParameters = texts(draft.queryParameters);
        const missing = format.variables.filter((name) => !has(this.routeParameters, name));
        if (missing.length > 0) {
            throw new DeeplinkingError(
                "missingRouteParameters",
                `the route's parameters ${missing.join(", ")} are missing`,
                missing,
            );
        }
        const refused = format.variables.filter((name) =>
            /^\.\.?$/.test(this.routeParameters[name]),
        );
        if (refused.length > 0) {
            throw new DeeplinkingError(
                "invalidRouteParameters",
                `the route's parameters ${refused.join(", ")} are '.' or '..', ` +
                    "which no URL has as a segment",
                refused,
            );
        }
        /** @type {JSONObject | null} */
        this.metadata = null;
        if (draft.metadata !== undefined && draft.metadata !== null) {
            const invalid = invalidMember(draft.metadata);
            if (invalid !== null) {
                throw new DeeplinkingError(
                    "invalidMetadata",
                    `the metadata's member '${invalid}' is not JSON`,
                    [invalid],
                );
            }
            this.metadata = draft.metadata;
        }
        this.redeemLimit = Math.max(0, draft.redeemLimit || 0);
        this.isUnique = draft.isUnique === true;
        this.urls = Object.assign({}, draft.urls);
        this.isDeferred = false;
        /** @type {string | null} */
        this.openedURL = null;
        /** @type {string | null} */
        this.clickID = null;
        /** @type {string | null} */
        this.smartlink = null;
        /** @type {AppUpdate | null} */
        this.update = null;
        this.needsMetadata = false;
        /** @type {Error | null} */
        this.error = null;
        this.wasOpened = false;
    }

    /**
     * The route with its parameters and the query, without a scheme: `products/42?referrer=bob`;
     * null without a route.
     */
    get url() {
        const path =
            this.route === null ? null : new RouteFormat(this.route).filled(this.routeParameters);
        if (path === null) return null;
        const query = queryText(this.queryParameters);
        return query === "" ? path : `${path}?${query}`;
    }

    /** The body that creates the smart link. Only the route's own parameters are part of it. */
    get linkRequest() {
        /** @type {LinkRequest} */
        const body = {};
        if (this.route !== null) {
            body.route = this.route;
            const { variables } = new RouteFormat(this.route);
            if (variables.length > 0) {
                body.routeParameters = Object.fromEntries(
                    variables.map((name) => [name, this.routeParameters[name]]),
                );
            }
        }
        const query = Object.entries(this.queryParameters);
        if (query.length > 0) {
            body.queryParameters = Object.fromEntries(
                query.map(([name, value]) => [name, value || ""]),
            );
        }
        if (Object.keys(this.urls).length > 0) body.urls = this.urls;
        if (this.metadata !== null) body.metadata = this.metadata;
        if (this.redeemLimit > 0) body.redeemLimit = this.redeemLimit;
        if (this.isUnique) body.unique = true;
        return body;
    }
}

/**
 * A link that the router opens.
 *
 * @param {OpenedLink} opened
 */
export function makeOpened(opened) {
    const deeplink = new Deeplink();
    deeplink.route = opened.route;
    deeplink.routeParameters = opened.routeParameters;
    deeplink.queryParameters = opened.queryParameters;
    deeplink.metadata = opened.metadata;
    deeplink.update = opened.update;
    deeplink.isDeferred = opened.isDeferred;
    deeplink.openedURL = opened.openedURL.text;
    deeplink.clickID = opened.clickID;
    deeplink.smartlink = opened.smartlink;
    deeplink.needsMetadata = opened.needsMetadata && opened.metadata === null;
    deeplink.error = opened.error;
    return deeplink;
}

/**
 * The escaped query, sorted by name; a name without a value has no `=`.
 *
 * @param {Record<string, string | null>} parameters
 */
export function queryText(parameters) {
    return Object.keys(parameters)
        .sort()
        .map((name) => {
            const value = parameters[name];
            return (
                encode(wellFormed(name)) + (value === null ? "" : "=" + encode(wellFormed(value)))
            );
        })
        .join("&");
}

/**
 * @param {object} object
 * @param {string} name
 */
export function has(object, name) {
    return Object.prototype.hasOwnProperty.call(object, name);
}

/**
 * @param {Record<string, string | number | boolean> | null | undefined} parameters
 * @returns {Record<string, string>}
 */
function texts(parameters) {
    return Object.fromEntries(
        Object.entries(parameters || {})
            .filter(([, value]) => value !== undefined && value !== null)
            .map(([name, value]) => [name, String(value)]),
    );
}

/** The service's limit of nested values. */
const depthLimit = 32;

/**
 * The first member that is not JSON; empty if the whole is not an object; null if all are JSON.
 * `JSON.stringify` would drop functions and turn dates, maps and infinite numbers into something
 * else.
 *
 * @param {unknown} metadata
 */
function invalidMember(metadata) {
    if (!isPlainObject(metadata)) return "";
    for (const [name, value] of Object.entries(metadata)) if (!isJSON(value, 1)) return name;
    return null;
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isJSON(value, depth) {
    if (depth > depthLimit) return false;
    if (value === null || typeof value === "string" || typeof value === "boolean") return true;
    if (typeof value === "number") return isFinite(value);
    if (Array.isArray(value)) return value.every((element) => isJSON(element, depth + 1));
    return (
        isPlainObject(value) && Object.values(value).every((member) => isJSON(member, depth + 1))
    );
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isPlainObject(value) {
    if (typeof value !== "object" || value === null) return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}
