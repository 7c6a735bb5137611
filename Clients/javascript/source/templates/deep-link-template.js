import { DeepLinkURL } from "../url/deep-link-url.js";
import { decodeWhole, encode, wellFormed } from "../url/percent-encoding.js";
import { joinURL } from "../url/url-parts.js";
import { has } from "../routing/deeplink.js";

/** @typedef {import("../../routing.js").ValueType} ValueType */
/** @typedef {import("../../routing.js").TemplateParameter} TemplateParameter */
/** @typedef {import("../../routing.js").TemplateValues} TemplateValues */
/** @typedef {import("../../routing.js").TemplateOptions} TemplateOptions */
/** @typedef {string | number | boolean} Value */
/** @typedef {{ term: string } | { type: ValueType, name: string }} Part */

/**
 * The URLs of a deep link: terms and typed values of the path in order, and typed parameters of the
 * query.
 */
export class DeepLinkTemplate {
    /**
     * @param {readonly Part[]} [parts]
     * @param {readonly TemplateParameter[]} [parameters]
     */
    constructor(parts = [], parameters = []) {
        /** @readonly */
        this.parts = parts;
        /** @readonly */
        this.parameters = parameters;
    }

    /** @param {string} text */
    term(text) {
        return this.adding({ term: text });
    }

    /** @param {string} name */
    string(name) {
        return this.adding({ type: "string", name });
    }

    /** @param {string} name */
    int(name) {
        return this.adding({ type: "int", name });
    }

    /** @param {string} name */
    double(name) {
        return this.adding({ type: "double", name });
    }

    /** @param {string} name */
    bool(name) {
        return this.adding({ type: "bool", name });
    }

    /**
     * @param {readonly TemplateParameter[]} parameters of several with the same name, the first
     *     counts
     */
    query(parameters) {
        const names = new Set();
        const kept = parameters.filter(({ name }) => !names.has(name) && names.add(name));
        return new DeepLinkTemplate(this.parts, kept);
    }

    /** @param {Part} part */
    adding(part) {
        return new DeepLinkTemplate(this.parts.concat(part), this.parameters);
    }

    /**
     * @param {string | { toString(): string }} url
     * @param {TemplateOptions} [options]
     * @returns {TemplateValues | null}
     */
    values(url, options = {}) {
        const { url: plain } = new DeepLinkURL(url).separatingServiceParameters();
        const path = this.pathValues(plain, options.webHost || "isFirstPart");
        const query = path && this.queryValues(plain, options.toleratesUndeclaredQuery === true);
        return path && query ? { path, query, fragment: plain.fragment } : null;
    }

    /**
     * @param {{
     *     path?: Record<string, Value>, query?: Record<string, Value>, fragment?: string | null
     * }} values
     * @param {{ scheme: string, host?: string }} target
     * @returns {string | null}
     */
    url({ path = {}, query = {}, fragment = null }, { scheme, host }) {
        const parts = this.parts.map((part) =>
            "term" in part ? encode(wellFormed(part.term)) : written(path, part.name, part.type),
        );
        if (parts.some((text) => text === null || text === "" || text === "." || text === "..")) {
            return null;
        }
        const items = [];
        for (const { name, type, required } of this.parameters
            .slice()
            .sort((first, second) => (first.name < second.name ? -1 : 1))) {
            if (!has(query, name) && !required) continue;
            const text = written(query, name, type);
            if (text === null || !isQueryName(name)) return null;
            items.push(`${name}=${text}`);
        }
        if (
            !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme) ||
            (fragment !== null && !isEscaped(fragment))
        ) {
            return null;
        }
        if (host !== undefined && !/^[A-Za-z0-9._~-]+$/.test(host)) return null;
        const authority = host === undefined ? parts[0] || "" : host;
        const rest = (host === undefined ? parts.slice(1) : parts)
            .map((part) => "/" + part)
            .join("");
        return joinURL({ scheme, authority, path: rest, query: items.join("&") || null, fragment });
    }

    /**
     * @param {DeepLinkURL} url
     * @param {NonNullable<TemplateOptions["webHost"]>} webHost
     */
    pathValues(url, webHost) {
        const texts = url.segments.filter((segment) => segment !== "");
        const host = url.host || "";
        if (url.isWeb && Array.isArray(webHost)) {
            if (!webHost.some((name) => name.toLowerCase() === host.toLowerCase())) return null;
        } else if (host !== "" && !(url.isWeb && webHost === "isLeftOut")) {
            texts.unshift(host);
        }
        if (texts.length !== this.parts.length) return null;
        /** @type {[string, Value][]} */
        const values = [];
        for (const [index, part] of this.parts.entries()) {
            const text = decodeWhole(texts[index]);
            if ("term" in part) {
                if (text !== part.term) return null;
                continue;
            }
            const value = read(text, part.type);
            if (value === null) return null;
            values.push([part.name, value]);
        }
        return Object.fromEntries(values);
    }

    /**
     * @param {DeepLinkURL} url
     * @param {boolean} toleratesUndeclared
     */
    queryValues(url, toleratesUndeclared) {
        if (this.parameters.length === 0) {
            return url.query === null || toleratesUndeclared ? {} : null;
        }
        /** @type {Map<string, string>} */
        const texts = new Map();
        for (const { name, value } of url.queryItems) {
            if (value !== null && !value.includes("=")) texts.set(name, value);
        }
        /** @type {[string, Value][]} */
        const values = [];
        for (const { name, type, required } of this.parameters) {
            const text = texts.get(name);
            const value =
                text === undefined
                    ? null
                    : type === "string"
                      ? decodeWhole(text)
                      : read(text, type);
            if (value !== null) values.push([name, value]);
            else if (required) return null;
        }
        return Object.fromEntries(values);
    }
}

/**
 * The first template that matches the URL.
 *
 * @param {readonly import("../../routing.js").DeepLinkTemplate[]} templates
 * @param {string | { toString(): string }} url
 * @param {TemplateOptions} [options]
 */
export function matchTemplates(templates, url, options) {
    for (const [index, template] of templates.entries()) {
        const values = template.values(url, options);
        if (values) return { index, values };
    }
    return null;
}

/**
 * @param {string} text
 * @param {ValueType} type
 * @returns {Value | null}
 */
function read(text, type) {
    switch (type) {
        case "string":
            return text;
        case "bool":
            return text === "true" ? true : text === "false" ? false : null;
        case "int": {
            const number = /^[+-]?[0-9]+$/.test(text) ? Number(text) : NaN;
            // `-0` is 0.
            return Number.isSafeInteger(number) ? number + 0 : null;
        }
        case "double": {
            const number = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text)
                ? Number(text)
                : NaN;
            return Number.isFinite(number) ? number : null;
        }
    }
}

/**
 * @param {Record<string, Value>} values
 * @param {string} name
 * @param {ValueType} type
 */
function written(values, name, type) {
    const value = has(values, name) ? values[name] : null;
    const isOfType =
        type === "int"
            ? Number.isSafeInteger(value)
            : type === "double"
              ? Number.isFinite(value)
              : typeof value === (type === "bool" ? "boolean" : "string");
    return isOfType ? encode(wellFormed(String(value))) : null;
}

/**
 * Names are compared as written, so a name that needs escaping can't be printed.
 *
 * @param {string} name
 */
function isQueryName(name) {
    return isEscaped(name) && !/[&=+]/.test(name) && !decodeWhole(name).startsWith("_hk_");
}

/**
 * Whether the text can stand in a query or a fragment as it is (RFC 3986, sections 3.4 and 3.5).
 *
 * @param {string} text
 */
function isEscaped(text) {
    return /^([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/.test(text);
}
