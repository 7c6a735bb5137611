// Where a tap on a web page leads, on each kind of device. The browser's part is in browser.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { appOpening, deviceOf } from "../source/page/app-opening.js";

const url = "https://go.example.com/Ab3dE9x";
const page =
    "https://shop.example.com/42?utm_source=mail&utm_id=7&gclid=g&session=secret&_hk_cid=c1#top";
const plain = "https://shop.example.com/42";
const app = {
    url,
    deeplink: "shop://products/42?a=b#c",
    store: { ios: "https://apps.apple.com/app/id1" },
};

const cases = [
    ["a computer gets the smart link", app, "other", plain, { open: url, fallback: null }],
    [
        "without a deep link everyone gets the smart link",
        { url },
        "ios",
        plain,
        { open: url, fallback: null },
    ],
    [
        "an iPhone tries the app, then the store",
        app,
        "ios",
        plain,
        { open: app.deeplink, fallback: app.store.ios },
    ],
    [
        "an iPhone tries the app, then the smart link",
        { ...app, store: {} },
        "ios",
        plain,
        { open: app.deeplink, fallback: url },
    ],
    [
        "a universal link is a page",
        { url, deeplink: "https://open.example.com/42" },
        "ios",
        plain,
        { open: "https://open.example.com/42", fallback: null },
    ],
    [
        "Android gets an intent",
        { ...app, androidPackage: "com.example.shop" },
        "android",
        plain,
        {
            open:
                "intent://products/42?a=b#c#Intent;scheme=shop;package=com.example.shop;" +
                "S.browser_fallback_url=https%3A%2F%2Fgo.example.com%2FAb3dE9x;end",
            fallback: null,
        },
    ],
    [
        "Android's fallback may be the store",
        {
            url,
            deeplink: "shop://a",
            store: { android: "https://play.google.com/store/apps/details?id=x" },
        },
        "android",
        plain,
        {
            open:
                "intent://a#Intent;scheme=shop;" +
                "S.browser_fallback_url=https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dx;end",
            fallback: null,
        },
    ],
    [
        "Android compares schemes with case",
        { url, deeplink: "SHOP://a" },
        "android",
        plain,
        {
            open: "intent://a#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fgo.example.com%2FAb3dE9x;end",
            fallback: null,
        },
    ],
    ["an in-app browser gets the smart link", app, "inApp", plain, { open: url, fallback: null }],
    [
        "an app link with a package is an intent",
        { url, deeplink: "https://open.example.com/42", androidPackage: "a.b" },
        "android",
        plain,
        {
            open:
                "intent://open.example.com/42#Intent;scheme=https;package=a.b;" +
                "S.browser_fallback_url=https%3A%2F%2Fgo.example.com%2FAb3dE9x;end",
            fallback: null,
        },
    ],
    [
        "an app link without a package is a page",
        { url, deeplink: "https://open.example.com/42" },
        "android",
        plain,
        { open: "https://open.example.com/42", fallback: null },
    ],
    [
        "an intent is for Android",
        { url, deeplink: "intent://a#Intent;scheme=shop;end" },
        "ios",
        plain,
        { open: url, fallback: null },
    ],
    [
        "an intent is built again",
        { url, deeplink: "intent://a?b=c#d#Intent;scheme=shop;end" },
        "android",
        page,
        {
            open:
                "intent://a?b=c&utm_source=mail&utm_id=7&gclid=g&_hk_cid=c1#d#Intent;scheme=shop;S.browser_fallback_url=" +
                "https%3A%2F%2Fgo.example.com%2FAb3dE9x%3Futm_source%3Dmail%26utm_id%3D7%26gclid%3Dg;end",
            fallback: null,
        },
    ],
    [
        "the click's parameters are kept, ahead of a fragment",
        app,
        "ios",
        page,
        {
            open: "shop://products/42?a=b&utm_source=mail&utm_id=7&gclid=g&_hk_cid=c1#c",
            fallback: app.store.ios,
        },
    ],
    [
        "the smart link's own click is not replaced",
        app,
        "other",
        page,
        { open: url + "?utm_source=mail&utm_id=7&gclid=g", fallback: null },
    ],
    [
        "given names are not overridden",
        { url: url + "?utm_source=own" },
        "other",
        page,
        { open: url + "?utm_source=own&utm_id=7&gclid=g", fallback: null },
    ],
    [
        "parameters may be left out",
        { ...app, keepsParameters: false },
        "other",
        page,
        { open: url, fallback: null },
    ],
];
for (const [name, options, device, from, expected] of cases) {
    test(name, () => {
        const { copy, ...opening } = appOpening(options, device, from);
        assert.deepEqual(opening, expected);
        assert.equal(copy, null);
    });
}

test("copies a smart link with a click ahead of the App Store only", () => {
    const copy = url + "?_hk_cid=c1";
    assert.equal(appOpening({ ...app, copy }, "ios", plain).copy, copy);
    assert.equal(appOpening({ ...app, copy, store: {} }, "ios", plain).copy, null);
    assert.equal(appOpening({ ...app, copy }, "android", plain).copy, null);
    assert.throws(() => appOpening({ ...app, copy: url }, "ios", plain), TypeError);
});

const scripts = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\tscript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "blob:https://a/b",
    "file:///etc/passwd",
    "view-source:https://a",
    "about:blank",
    "filesystem:x",
    "",
    "//evil.example",
    "/path",
    "evil.example",
    "https:",
    "https://",
    "https:\\\\evil.example",
    "intent:",
    "intent://a",
    "intent:shop://a#Intent;end",
    "https://shop.example.com@evil.example/",
    "https://evil.example/ x",
    5,
    null,
];
for (const text of scripts) {
    test(`never opens ${JSON.stringify(text)}`, () => {
        assert.throws(() => appOpening({ url: text }, "ios", plain), TypeError);
        assert.throws(() => appOpening({ url, deeplink: text }, "ios", plain), TypeError);
        assert.throws(() => appOpening({ url, store: { ios: text } }, "ios", plain), TypeError);
    });
}

const opened =
    "intent://a#Intent;scheme=shop;package=a.b;S.browser_fallback_url=https%3A%2F%2Fgo.example.com%2FAb3dE9x;end";
const intents = [
    ["package=com.evil;scheme=shop;", opened],
    ["scheme=shop;package=com.evil;", opened],
    ["scheme=shop;component=a.b/.Secret;", opened],
    ["scheme=shop;S.token=x;SEL;launchFlags=0x8;", opened],
    ["scheme=shop;S.browser_fallback_url=https%3A%2F%2Fevil.example%2F;", opened],
    ["scheme=shop;action=android.intent.action.DELETE;", opened],
    ["SCHEME=shop;", opened],
    ["scheme=javascript;", null],
    ["scheme=intent;", null],
    ["", null],
    ["package=a.b;", null],
    ["scheme=;", null],
    ["scheme=shop;end#Intent;package=com.evil;", opened],
];
for (const [fields, expected] of intents) {
    test(`builds an intent with ${fields || "nothing"} again`, () => {
        const opening = () =>
            appOpening(
                { url, deeplink: `intent://a#Intent;${fields}end`, androidPackage: "a.b" },
                "android",
                plain,
            );
        if (expected) assert.equal(opening().open, expected);
        else assert.throws(opening, TypeError);
    });
}

test("does not let a page's query choose where to go", () => {
    const hostile =
        plain +
        "?url=https://evil.example&deeplink=javascript:x&utm_source=%0d%0a&utm_medium=a%26b%3Dc&utm_x=" +
        "x".repeat(5_000);
    const { open } = appOpening({ url }, "other", hostile);
    assert.equal(open, url + "?utm_source=%0d%0a&utm_medium=a%26b%3Dc");
    const many =
        plain + "?" + Array.from({ length: 200 }, (_, number) => `utm_${number}=1`).join("&");
    assert.equal(appOpening({ url }, "other", many).open.split("&").length, 50);
});

test("tells devices apart", () => {
    const mac = {
        userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
        platform: "MacIntel",
    };
    assert.equal(deviceOf({ ...mac, maxTouchPoints: 0 }), "other");
    assert.equal(deviceOf({ ...mac, maxTouchPoints: 5 }), "ios");
    assert.equal(
        deviceOf({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" }),
        "ios",
    );
    assert.equal(deviceOf({ userAgent: "Mozilla/5.0 (Linux; Android 15; Pixel 9)" }), "android");
    const android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0";
    assert.equal(deviceOf({ userAgent: android + " Mobile Safari/537.36" }), "inApp");
    for (const app of [
        "Instagram 350.0",
        "[FBAN/FBIOS;FBAV/450.0]",
        "MicroMessenger/8.0",
        "Line/14.0",
    ]) {
        assert.equal(
            deviceOf({
                userAgent:
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 " + app,
            }),
            "inApp",
        );
        assert.equal(deviceOf({ userAgent: "Mozilla/5.0 (X11; Linux x86_64) " + app }), "other");
    }
    assert.equal(
        deviceOf({ userAgent: "Mozilla/5.0 (X11; Linux x86_64)", maxTouchPoints: 10 }),
        "other",
    );
});

test("knows the browsers inside apps that the service knows", () => {
    const { tokens, passesURLs, cases } = JSON.parse(
        readFileSync(new URL("../../in-app-browsers.json", import.meta.url), "utf8"),
    );
    for (const { userAgent, device } of cases) {
        assert.equal(deviceOf({ userAgent }), device, userAgent);
    }
    const phone =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36 ";
    for (const app of Object.keys(tokens)) {
        for (const token of tokens[app]) {
            const userAgent = phone + token.replace(/[|^]/g, "").replace(/␣/g, " ");
            assert.equal(
                deviceOf({ userAgent }),
                passesURLs.includes(app) ? "android" : "inApp",
                userAgent,
            );
        }
    }
});
