import { hostIn } from "../url/link-hosts.js";
import { byteLength, decodeWhole } from "../url/percent-encoding.js";
import { joinURL } from "../url/url-parts.js";
import { DeepLinkURL } from "../url/deep-link-url.js";
import { queryText } from "./deeplink.js";
import { RouteFormat } from "./route-format.js";

/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/**
 * @typedef {"foreignScheme" | "tooLong" | "smartlink" | "lazyLink" | "otherHost" | "appLink"}
 *     SourceKind
 */

/** In bytes. Longer texts come from nobody who shares a link. */
const lengthLimit = 16_384;

/**
 * Whether the app handles such URLs at all.
 *
 * @param {SourceKind} kind
 */
export function isForApp(kind) {
    return kind !== "foreignScheme" && kind !== "tooLong";
}

/** What URLs are to an app: its links, smart links, or none of its business. */
export class LinkSource {
    /**
     * @param {readonly string[]} schemes
     * @param {Set<string>} hosts of smart links
     */
    constructor(schemes, hosts) {
        /** Apps without schemes have HOKO's; matching ignores it. */
        this.scheme = schemes.length > 0 ? schemes[0] : "app";
        this.schemes = schemes.map((scheme) => scheme.toLowerCase());
        this.hosts = hosts;
    }

    /**
     * @param {DeepLinkURL} url
     * @returns {{ kind: SourceKind, url: DeepLinkURL }} the URL whose route opens; of a smart link
     *     as it is
     */
    read(url) {
        // Bytes are not counted in texts that are too long anyway.
        const isTooLong = url.text.length > lengthLimit || byteLength(url.text) > lengthLimit;
        if (isTooLong) return { kind: "tooLong", url };
        if (this.isForeign(url)) return { kind: "foreignScheme", url };
        const isSmartlink = hostIn(this.hosts, url);
        const lazy = isSmartlink ? lazyDestination(url) : null;
        // Anybody can make a lazy link: `javascript:` must not reach a target that shows pages.
        if (isSmartlink && (lazy === null || !this.isOfApp(lazy))) {
            return { kind: "smartlink", url };
        }
        // A lazy link may contain a bare route: `uri=products/42`.
        const target =
            lazy === null ? url : lazy.scheme === null ? lazy.asAppLink(this.scheme) : lazy;
        const isPage = target.isWeb && target.host;
        return {
            kind: lazy !== null ? "lazyLink" : isPage ? "otherHost" : "appLink",
            url: isPage ? target.asAppLink(this.scheme) : target,
        };
    }

    /**
     * Sign-ins, documents and other apps' links reach the app as its own do.
     *
     * @param {DeepLinkURL} url
     */
    isForeign({ scheme, isWeb }) {
        return (
            this.schemes.length > 0 &&
            scheme !== null &&
            !isWeb &&
            !this.schemes.includes(scheme.toLowerCase())
        );
    }

    /**
     * Whether the destination of a lazy link is a web link, a link of the app, or a bare route.
     *
     * @param {DeepLinkURL} destination
     */
    isOfApp({ scheme, isWeb }) {
        return scheme === null || isWeb || this.schemes.includes(scheme.toLowerCase());
    }

    /**
     * The destination in a response: a web page as the app's route with the same path, or the
     * link's route if there is no URL for this platform.
     *
     * @param {ResolveAnswer} answer
     */
    destination(answer) {
        if (answer.deeplink !== null) {
            const url = new DeepLinkURL(answer.deeplink);
            return url.isWeb ? url.asAppLink(this.scheme) : url;
        }
        const path =
            answer.route === null
                ? null
                : new RouteFormat(answer.route).filled(answer.routeParameters);
        const query = queryText(answer.queryParameters) || null;
        return new DeepLinkURL(
            joinURL({
                scheme: this.scheme,
                authority: "",
                path: "/" + (path || ""),
                query,
                fragment: null,
            }),
        );
    }
}

/**
 * The decoded destination of a lazy link (`/lazy?uri=shop%3A%2F%2Fproducts%2F42`); null for any
 * other URL.
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
