import { decodeWhole } from "../url/percent-encoding.js";

/** @typedef {import("../../routing.js").RoutingDialect} RoutingDialect */
/** @typedef {import("../url/deep-link-url.js").DeepLinkURL} DeepLinkURL */

/**
 * The rules of RFC 3986: `%2F` is data. The default.
 *
 * @type {RoutingDialect}
 */
export const standard = Object.freeze({
    isCaseSensitive: true,
    keepsEmptySegments: true,
    escapedSlashSeparates: false,
    duplicateQueryItem: "last",
    flagIsEmptyString: false,
    duplicateDefaultRoute: "last",
    keepsUnroutedDeeplink: true,
});

/**
 * The rules of the HOKO SDK for iOS.
 *
 * @type {RoutingDialect}
 */
export const ios = Object.freeze(Object.assign({}, standard, { escapedSlashSeparates: true }));

/**
 * The rules of the HOKO SDK for Android.
 *
 * @type {RoutingDialect}
 */
export const android = Object.freeze({
    isCaseSensitive: false,
    keepsEmptySegments: false,
    escapedSlashSeparates: false,
    duplicateQueryItem: "first",
    flagIsEmptyString: true,
    duplicateDefaultRoute: "first",
    keepsUnroutedDeeplink: false,
});

/**
 * @param {"standard" | "ios" | "android" | Partial<RoutingDialect>} [dialect]
 * @returns {RoutingDialect}
 */
export function dialectOf(dialect = "standard") {
    if (dialect === "standard") return standard;
    if (dialect === "ios") return ios;
    if (dialect === "android") return android;
    if (typeof dialect !== "object" || dialect === null) {
        throw new TypeError("dialect must be standard, ios, android or an object");
    }
    return Object.assign({}, standard, dialect);
}

/**
 * The decoded segments that are matched with routes: the host first, then the path. Null if the URL
 * has no scheme, or only slashes after it.
 *
 * @param {DeepLinkURL} url
 * @param {RoutingDialect} dialect
 */
export function segmentsOf(url, dialect) {
    if (url.scheme === null) return null;
    const path = (url.host || "") + url.path;
    const rest = path.replace(/^\/+/, "").replace(/\/$/, "");
    if (rest === "") return null;
    let segments = rest.split("/").map((segment) => decodeWhole(segment));
    if (dialect.escapedSlashSeparates && path.includes("%")) {
        segments = segments.reduce(
            (all, segment) => {
                for (const part of segment.split("/")) all.push(part);
                return all;
            },
            /** @type {string[]} */ ([]),
        );
    }
    if (!dialect.keepsEmptySegments) segments = segments.filter((segment) => segment !== "");
    return segments.length === 0 ? null : segments;
}

/**
 * The query as decoded names and values. A name without a value has null.
 *
 * @param {DeepLinkURL} url
 * @param {RoutingDialect} dialect
 * @returns {Record<string, string | null>}
 */
export function queryParametersOf(url, dialect) {
    /** @type {Map<string, string | null>} */
    const parameters = new Map();
    for (const item of url.queryItems) {
        const name = decodeWhole(item.name, true);
        if (dialect.duplicateQueryItem === "first" && parameters.has(name)) continue;
        const missing = dialect.flagIsEmptyString ? "" : null;
        parameters.set(name, item.value === null ? missing : decodeWhole(item.value, true));
    }
    // Assigning to an object would change its prototype for the name `__proto__`.
    return Object.fromEntries(parameters);
}

/**
 * The form in which segments and formats are compared.
 *
 * @param {string} text
 * @param {RoutingDialect} dialect
 */
export function comparable(text, dialect) {
    return dialect.isCaseSensitive ? text : folded(text);
}

/**
 * Simple case mapping (Unicode, section 4.2), character by character like Java's
 * `compareToIgnoreCase`: `ß` is not `ss`.
 *
 * @param {string} text
 */
function folded(text) {
    let result = "";
    for (const character of text) {
        const upper = single(character.toUpperCase()) || character;
        result += single(upper.toLowerCase()) || upper;
    }
    return result;
}

/** @param {string} mapping */
function single(mapping) {
    const point = mapping.codePointAt(0);
    return point !== undefined && mapping.length === (point > 0xffff ? 2 : 1) ? mapping : null;
}
