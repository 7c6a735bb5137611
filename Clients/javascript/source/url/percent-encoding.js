// Percent-encoding of URLs (RFC 3986, section 2.1) and of form values.

/**
 * Decodes all escapes, or none if one is malformed or the result is not UTF-8: nothing is guessed.
 *
 * @param {string} text
 * @param {boolean} [plusIsSpace] whether `+` stands for a space, as in queries
 */
export function decodeWhole(text, plusIsSpace = false) {
    const spaced = plusIsSpace ? text.replace(/\+/g, " ") : text;
    if (!spaced.includes("%")) return spaced;
    try {
        return decodeURIComponent(spaced);
    } catch {
        return spaced;
    }
}

/**
 * Encodes everything except unreserved characters, so that the result never ends the part of the
 * URL it is in. Throws for unpaired surrogates; see `wellFormed`.
 *
 * @param {string} text
 */
export function encode(text) {
    return encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => "%" + character.charCodeAt(0).toString(16).toUpperCase(),
    );
}

/**
 * Unpaired surrogates have no UTF-8 form; like every encoder of UTF-8, this replaces them with
 * U+FFFD.
 *
 * @param {string} text
 */
export function wellFormed(text) {
    return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}

/**
 * The number of bytes in UTF-8. (React Native has no `TextEncoder`.)
 *
 * @param {string} text
 */
export function byteLength(text) {
    return encodeURIComponent(wellFormed(text)).replace(/%../g, " ").length;
}
