import { decodeWhole } from "./percent-encoding.js";

/** @typedef {import("../../routing.js").ServiceParameters} ServiceParameters */
/** @typedef {import("../../routing.js").QueryItem} QueryItem */
/**
 * @typedef {{
 *     scheme: string | null, authority: string | null, path: string, query: string | null,
 *     fragment: string | null
 * }} URLParts
 */

/**
 * Splits a text at the delimiters of RFC 3986, appendix B, and nowhere else. Nothing is decoded or
 * normalised. (React Native's own `URL` is incomplete, and browsers' changes custom schemes.)
 *
 * @param {string} text
 * @returns {URLParts}
 */
export function splitURL(text) {
    const [, scheme = null, authority = null, path, query = null, fragment = null] =
        /** @type {RegExpExecArray} */ (
            /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/.exec(text)
        );
    return { scheme, authority, path, query, fragment };
}

/** @param {URLParts} parts */
export function joinURL({ scheme, authority, path, query, fragment }) {
    return (
        (scheme === null ? "" : scheme + ":") +
        (authority === null ? "" : "//" + authority) +
        path +
        (query === null ? "" : "?" + query) +
        (fragment === null ? "" : "#" + fragment)
    );
}

/**
 * The authority without user, port and the brackets of an IP literal; null without an authority.
 *
 * @param {URLParts} parts
 */
export function hostOf({ authority }) {
    if (authority === null) return null;
    const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:[0-9]*$/, "");
    return /^\[.*\]$/s.test(host) && host.includes(":") ? host.slice(1, -1) : host;
}

/**
 * Whether the scheme is `http` or `https`, ignoring case.
 *
 * @param {URLParts} parts
 */
export function isWeb({ scheme }) {
    return /^https?$/i.test(scheme || "");
}

/**
 * The items of the query between `&`, as written.
 *
 * @param {Pick<URLParts, "query">} parts
 * @returns {QueryItem[]}
 */
export function queryItems({ query }) {
    return query
        ? query.split("&").map((text) => {
              const equals = text.indexOf("=");
              return equals < 0
                  ? { name: text, value: null }
                  : { name: text.slice(0, equals), value: text.slice(equals + 1) };
          })
        : [];
}

/** @param {QueryItem} item */
export function itemText({ name, value }) {
    return value === null ? name : name + "=" + value;
}

/**
 * The value of `_hk_cid`, the last of several; null if it is missing or empty.
 *
 * @param {URLParts} parts
 */
export function clickIDOf(parts) {
    const items = queryItems(parts).filter(({ name }) => decodeWhole(name, true) === "_hk_cid");
    return decodeWhole(items.pop()?.value || "", true) || null;
}

/**
 * Removes the query items whose decoded names begin with `_hk_`, and returns them. The last of
 * several wins.
 *
 * @param {URLParts} parts
 * @returns {{ parts: URLParts, service: ServiceParameters }}
 */
export function separatingService(parts) {
    /** @type {ServiceParameters} */
    const service = { clickID: clickIDOf(parts), smartlinkID: null, needsMetadata: false };
    const items = queryItems(parts);
    const kept = items.filter((item) => {
        const name = decodeWhole(item.name, true);
        const value = decodeWhole(item.value || "", true) || null;
        if (name === "_hk_sid") service.smartlinkID = value;
        if (name === "_hk_md") service.needsMetadata = true;
        return !name.startsWith("_hk_");
    });
    if (kept.length === items.length) return { parts, service };
    const query = kept.length === 0 ? null : kept.map(itemText).join("&");
    return { parts: { ...parts, query }, service };
}
