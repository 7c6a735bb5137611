import { encode, wellFormed } from "../url/percent-encoding.js";

/**
 * The format of a route: `static/path/:variable`. A segment that begins with `:` is a variable, any
 * other a literal.
 */
export class RouteFormat {
    /** @param {string} text */
    constructor(text) {
        /** Without slashes at both ends and runs of slashes, except after a colon. */
        this.text = sanitized(text);
        /** @type {{ isVariable: boolean, text: string }[]} */
        this.segments =
            this.text === ""
                ? []
                : this.text
                      .split("/")
                      .map((segment) =>
                          segment.startsWith(":")
                              ? { isVariable: true, text: segment.slice(1) }
                              : { isVariable: false, text: segment },
                      );
    }

    /** The names of the variables, in order. */
    get variables() {
        return this.segments.filter((segment) => segment.isVariable).map((segment) => segment.text);
    }

    /**
     * The path with all variables replaced, percent-encoded per segment; null if a value is
     * missing.
     *
     * @param {Record<string, string>} values
     */
    filled(values) {
        const parts = [];
        for (const { isVariable, text } of this.segments) {
            if (isVariable && !Object.prototype.hasOwnProperty.call(values, text)) return null;
            parts.push(isVariable ? encode(wellFormed(values[text])) : text);
        }
        return parts.join("/");
    }
}

/** @param {string} text */
function sanitized(text) {
    let start = 0;
    let end = text.length;
    while (start < end && text[start] === "/") start++;
    while (end > start && text[end - 1] === "/") end--;
    // A run after a colon keeps two slashes.
    return text
        .slice(start, end)
        .replace(/(:?)(\/+)/g, (_, colon, run) => colon + (colon && run.length > 1 ? "//" : "/"));
}
