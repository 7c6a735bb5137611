import { encode } from "./percent-encoding.js";
import { hostOf, isWeb, joinURL, queryItems, separatingService, splitURL } from "./url-parts.js";

/**
 * A URL as its raw text, split at the delimiters of RFC 3986, appendix B, and nowhere else. Any
 * text is valid.
 */
export class DeepLinkURL {
    /** @param {string | { toString(): string }} url */
    constructor(url) {
        const text = String(url);
        const { scheme, authority, path, query, fragment } = splitURL(text);
        /** @readonly */
        this.text = text;
        /** @readonly */
        this.scheme = scheme;
        /** @readonly */
        this.authority = authority;
        /** @readonly */
        this.path = path;
        /** @readonly */
        this.query = query;
        /** @readonly */
        this.fragment = fragment;
    }

    get host() {
        return hostOf(this);
    }

    get segments() {
        return this.path === "" ? [] : this.path.replace(/^\//, "").split("/");
    }

    get queryItems() {
        return queryItems(this);
    }

    get isWeb() {
        return isWeb(this);
    }

    /** @param {string} scheme */
    asAppLink(scheme) {
        let rest = this.path.replace(/^\/+/, "");
        if (this.query === null && this.fragment === null) rest = rest.replace(/\/$/, "");
        // The first segment becomes the authority: what would make it more than a host is escaped.
        const [first] = rest.split("/", 1);
        const path = first.replace(/[@:[\]]/g, encode) + rest.slice(first.length);
        return new DeepLinkURL(
            joinURL({ scheme, authority: "", path, query: this.query, fragment: this.fragment }),
        );
    }

    separatingServiceParameters() {
        const { parts, service } = separatingService(this);
        return { url: parts === this ? this : new DeepLinkURL(joinURL(parts)), service };
    }

    toString() {
        return this.text;
    }
}
