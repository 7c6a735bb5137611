import { hostIn } from "../url/link-hosts.js";
import { clickIDOf, queryItems, splitURL } from "../url/url-parts.js";
import { byteLength, decodeWhole } from "../url/percent-encoding.js";

/** In bytes. Play's referrers and smart links are shorter. */
export const lengthLimit = 4_096;

/**
 * Keeps only what comes from the service: a referrer with a click ID, and text that is a link to
 * one of the hosts and has a click ID and no user. A link without one can't match and would use up
 * the installation's only claim; anything else on the clipboard is private.
 *
 * @param {import("../../waymark.js").DeferredTraces} traces
 * @param {Set<string>} hosts
 * @returns {{ referrer?: string, clipboard?: string, clickID: string | null }}
 */
export function readTraces({ referrer, clipboard }, hosts) {
    const fromReferrer = clickIDInReferrer(referrer || "");
    const link = (clipboard || "").trim();
    let fromClipboard = null;
    if (/^[\x21-\x7e]+$/.test(link) && link.length <= lengthLimit) {
        const url = splitURL(link);
        if (hostIn(hosts, url) && !url.authority?.includes("@")) fromClipboard = clickIDOf(url);
    }
    return {
        referrer: fromReferrer === null ? undefined : /** @type {string} */ (referrer),
        clipboard: fromClipboard === null ? undefined : link,
        clickID: fromReferrer || fromClipboard,
    };
}

/**
 * The item `waymark` of Play's referrer. Some callers pass the referrer still percent-encoded.
 *
 * @param {string} referrer
 */
function clickIDInReferrer(referrer) {
    if (byteLength(referrer) > lengthLimit) return null;
    for (const text of [referrer, decodeWhole(referrer)]) {
        for (const { name, value } of queryItems({ query: text })) {
            if (name === "waymark" && value) return decodeWhole(value, true);
        }
    }
    return null;
}
