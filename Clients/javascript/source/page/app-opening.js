import { decodeWhole, encode } from "../url/percent-encoding.js";
import {
    clickIDOf,
    hostOf,
    isWeb,
    itemText,
    joinURL,
    queryItems,
    splitURL,
} from "../url/url-parts.js";

/** @typedef {import("../../waymark.js").OpenInAppOptions} OpenInAppOptions */
/**
 * @typedef {"ios" | "android" | "inApp" | "other"} Device `inApp`: a phone's in-app browser, which
 *     opens no other app
 */
/**
 * @typedef {{ open: string, fallback: string | null, copy: string | null }} AppOpening what to
 *     open, and where to go if the app does not appear; null if the browser itself goes on
 */

/**
 * Schemes that a page must not navigate to, or that no app has. An intent could name any app and
 * page.
 */
const forbidden =
    /^(about|blob|data|file(system)?|ftp|intent|javascript|vbscript|view-source|wss?)$/;

/**
 * Browsers inside other apps show an error for an app's URL: the tokens of in-app-browsers.json.
 */
const inApp = new RegExp(
    "; ?wv\\)|\\b(FBA[NV]|Line/|We(Chat|ibo)|trill_|aweme|TikTok|Telegram|Reddit/|Slack/|Discord/" +
        "|NAVER|Zalo|Viber)|MetaIAB|Instagram|Barcelona|MicroMess|musical_|Byte[dl]|TTWeb" +
        "|Snapchat|LinkedInApp|Pinterest|Twitter( f|A)|KAKAOTALK|DaumApps" +
        "|baidubox| QQ/|AlipayC|WhatsApp",
    "i",
);

/** Names of the page's query that tell where the visitor came from. */
const campaign = /^(utm_.+|[a-z]*clid|[gw]braid|msclkid)$/;

/** The limits of the service for parameters of a click. */
const parameterLimit = 50;
const byteLimit = 2_048;

/**
 * Which kind of device this is. An iPad calls itself a Mac, which has no touch screen.
 *
 * @param {{ userAgent: string, platform?: string, maxTouchPoints?: number }} navigator
 * @returns {Device}
 */
export function deviceOf({ userAgent, platform, maxTouchPoints = 0 }) {
    const isIOS =
        /iP(hone|[ao]d)/.test(userAgent) || (platform === "MacIntel" && maxTouchPoints > 1);
    if (!isIOS && !/Android/.test(userAgent)) return "other";
    // A web view on iOS calls itself no Safari.
    return inApp.test(userAgent) || (isIOS && /Kit(?!.*Safari)/.test(userAgent))
        ? "inApp"
        : isIOS
          ? "ios"
          : "android";
}

/**
 * Decides what to open, as the service's own page does. Throws `TypeError` for URLs that are never
 * opened.
 *
 * @param {OpenInAppOptions} options
 * @param {Device} device
 * @param {string} page the page's URL
 * @returns {AppOpening}
 */
export function appOpening(options, device, page) {
    const { deeplink, androidPackage, store = {}, copy, keepsParameters = true } = options;
    const items = keepsParameters ? queryItems(splitURL(page)) : [];
    const smartlink = adding(items, checked("url", options.url, true));
    const [ios, android] = [store.ios, store.android].map((url) =>
        url === undefined ? null : checked("store", url, true),
    );
    if (androidPackage !== undefined && !/^[\w.]+$/.test(androidPackage)) {
        throw new TypeError("androidPackage is no package");
    }
    if (copy !== undefined && !clickIDOf(splitURL(checked("copy", copy, true)))) {
        throw new TypeError("copy must be a link with _hk_cid");
    }
    const ofPage = { open: smartlink, fallback: null, copy: null };
    if (deeplink === undefined) return ofPage;
    // Built again from its URL: another package, a part of an app, extras and fallbacks are
    // dropped.
    const appURL = `${deeplink}`.replace(/^intent:(.*)#Intent(;.*)?;scheme=(.*?);.*/i, "$3:$1");
    const app = adding(items, checked("deeplink", appURL, false), /^_hk_(cid|md)$/);
    const url = splitURL(app);
    if (device === "other" || device === "inApp" || (appURL !== deeplink && device === "ios")) {
        return ofPage;
    }
    // A universal link that does not open the app is a page, which goes on itself.
    if (isWeb(url) && (device === "ios" || androidPackage === undefined)) {
        return { ...ofPage, open: app };
    }
    if (device === "ios") {
        return { open: app, fallback: ios || smartlink, copy: ios && copy ? copy : null };
    }
    return { ...ofPage, open: intent(app, androidPackage, android || smartlink) };
}

/**
 * Android's browsers open the fallback themselves, and Android compares schemes with case. The
 * scheme moves to the fragment, whose fields end with semicolons.
 *
 * @param {string} app
 * @param {string | undefined} androidPackage
 * @param {string} fallback
 */
function intent(app, androidPackage, fallback) {
    const colon = app.indexOf(":");
    return (
        `intent${app.slice(colon)}#Intent;scheme=${app.slice(0, colon).toLowerCase()};` +
        (androidPackage === undefined ? "" : `package=${androidPackage};`) +
        `S.browser_fallback_url=${encode(fallback)};end`
    );
}

/**
 * Throws `TypeError` for URLs that are not to be opened. Browsers remove white space and control
 * characters, which could hide a scheme, and read a backslash as a slash.
 *
 * @param {string} name
 * @param {unknown} text
 * @param {boolean} isPage whether it must be an http(s) URL
 */
function checked(name, text, isPage) {
    const url = splitURL(typeof text === "string" ? text : "");
    const scheme = (url.scheme || "").toLowerCase();
    const isAllowed = isWeb(url)
        ? hostOf(url) && !url.authority?.includes("@")
        : !isPage && /^[a-z][a-z0-9+.-]*$/.test(scheme) && !forbidden.test(scheme);
    if (!isAllowed || /[\0- \x7f-\x9f\\\u2028\u2029]/.test(String(text))) {
        throw new TypeError(`${name} must be ${isPage ? "an http(s) URL" : "a URL of the app"}`);
    }
    return String(text);
}

/**
 * Adds the campaign parameters among the page's query items, ahead of a fragment. Names that the
 * URL has are not overridden.
 *
 * @param {import("../../routing.js").QueryItem[]} items
 * @param {string} text
 * @param {RegExp} [others] further names: an app also gets the click
 */
function adding(items, text, others = campaign) {
    const url = splitURL(text);
    const given = queryItems(url).map((item) => decodeWhole(item.name, true));
    let length = 0;
    const added = items
        .filter((item) => {
            const name = decodeWhole(item.name, true);
            const text = itemText(item);
            const isKept = campaign.test(name) || others.test(name);
            if (!isKept || given.includes(name) || !/^[!-~]*$/.test(text)) return false;
            length += text.length + 1;
            return length <= byteLimit;
        })
        .slice(0, parameterLimit)
        .map(itemText);
    if (added.length === 0) return text;
    const query = (url.query ? [url.query] : []).concat(added).join("&");
    return joinURL({ ...url, query });
}
