import { hostOf, isWeb, splitURL } from "./url-parts.js";

/** @typedef {import("./url-parts.js").URLParts} URLParts */

/**
 * The hosts of an app's smart links in the form in which they are compared: without port, in lower
 * case.
 *
 * @param {Iterable<string>} names
 * @returns {Set<string>}
 */
export function linkHosts(names) {
    return new Set(
        Array.from(names, (name) => {
            // An IPv6 address may lack its brackets.
            const isBareAddress = /^[^[]*:.*:/.test(name);
            return comparable(isBareAddress ? name : hostOf(splitURL("//" + name)) || "");
        }).filter((name) => name !== ""),
    );
}

/**
 * Whether the URL is a web link on one of the hosts. They are compared as a whole.
 *
 * @param {Set<string>} hosts
 * @param {URLParts} url
 */
export function hostIn(hosts, url) {
    return isWeb(url) && hosts.has(comparable(hostOf(url) || ""));
}

/**
 * Whether a host is the device itself: `localhost`, `::1` and 127.0.0.0/8 (RFC 1122, section
 * 3.2.1.3).
 *
 * @param {string} host in lower case
 */
export function isLoopback(host) {
    return (
        host === "localhost" ||
        host === "::1" ||
        (/^127(\.[0-9]{1,3}){3}$/.test(host) && host.split(".").every((part) => Number(part) < 256))
    );
}

/** @param {string} host */
function comparable(host) {
    const lower = host.toLowerCase();
    return isLoopback(lower) ? "localhost" : lower;
}
