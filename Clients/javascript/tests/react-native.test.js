// The provider and the hooks, in React with its test renderer and a stand-in for React Native.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import Module, { createRequire, register } from "node:module";
import { test } from "node:test";
// The sources, not bundles: React Native has a bundler of its own.
import { memoryStorage, WaymarkClient } from "../waymark.js";

const folder = "/usr/share/nodejs";
const hasReact = ["react", "react-test-renderer"].every((name) => existsSync(`${folder}/${name}`));

if (!hasReact) {
    test("React is not installed (node-react, node-react-test-renderer)", { skip: true }, () => {});
} else {
    await play();
}

async function play() {
    // Debian's packages find each other there.
    process.env.NODE_PATH = folder;
    /** @type {any} */ (Module)._initPaths();
    register("./support/react-hooks.js", import.meta.url);
    const require = createRequire(import.meta.url);
    const React = require("react");
    const { act, create } = require("react-test-renderer");
    /** @type {any} */ (globalThis).IS_REACT_ACT_ENVIRONMENT = true;
    const { AppState, Linking } = await import("./support/react-native.js");
    const { useDeeplink, usePasteLink, useWaymark, WaymarkProvider } = await import(
        "../react-native.js"
    );

    const answer = {
        deeplink: "shop://products/7",
        route: "products/:id",
        routeParameters: { id: "7" },
        queryParameters: {},
        metadata: { coupon: "20" },
        redeem: { limit: 1, used: 1, remaining: 0, status: "redeemed" },
        match: { method: "referrer" },
        counted: 1,
    };

    /** An app with one route whose openings are in `opened`. */
    function makeApp({
        storage = memoryStorage(),
        readReferrer = undefined,
        platform = "android",
    } = {}) {
        const app = {
            /** @type {string[]} */ opened: [],
            /** @type {string[]} */ paths: [],
            /** @type {any} */ link: null,
            /** @type {any} */ waymark: null,
            /** @type {any} */ paste: null,
            /** @type {any} */ renderer: null,
            clipboard: "",
            version: "first",
            render: async (isReady = true, isStrict = false) => {
                const { version } = app;
                const element = React.createElement(
                    WaymarkProvider,
                    {
                        client,
                        schemes: ["shop"],
                        isReady,
                        readReferrer,
                        routes: {
                            "products/:id": ({ routeParameters }) => {
                                app.opened.push(`${version} ${routeParameters.id}`);
                            },
                        },
                    },
                    React.createElement(Screen),
                );
                const whole = isStrict
                    ? React.createElement(React.StrictMode, null, element)
                    : element;
                await act(async () => {
                    if (app.renderer) app.renderer.update(whole);
                    else app.renderer = create(whole);
                    await settle();
                });
            },
            end: () => act(async () => app.renderer.unmount()),
        };
        const client = new WaymarkClient({
            service: "https://go.example.com",
            key: "wm_test",
            app: "shop",
            platform,
            storage,
            sendsEvents: false,
            fetch: async (url) => {
                app.paths.push(new URL(url).pathname);
                return new Response(JSON.stringify(answer), {
                    headers: { "Content-Type": "application/json" },
                });
            },
        });
        function Screen() {
            app.link = useDeeplink();
            app.waymark = useWaymark();
            app.paste = usePasteLink(async () => app.clipboard);
            return null;
        }
        return app;
    }

    /** Lets everything run that waits for nothing outside. */
    async function settle() {
        for (let turn = 0; turn < 20; turn++) {
            await new Promise((resolve) => {
                setImmediate(resolve);
            });
        }
    }

    /** @param {string | null} initial */
    function start(initial) {
        Linking.initial = initial;
    }

    test("the URL that the app was started with opens once", async () => {
        start("shop://products/1");
        const app = makeApp({ readReferrer: async () => "waymark=c1" });
        await app.render();
        assert.deepEqual(app.opened, ["first 1"]);
        assert.deepEqual(app.paths, []);
        assert.equal(app.link.status, "opened");
        assert.equal(app.link.deeplink.route, "products/:id");
        await app.end();
    });

    test("React's strict mode opens it once", async () => {
        start("shop://products/1");
        const app = makeApp();
        await app.render(true, true);
        assert.deepEqual(app.opened, ["first 1"]);
        await app.end();
        assert.equal(Linking.listeners.size, 0);
        assert.equal(AppState.listeners.size, 0);
    });

    test("a later link runs the function of the last render", async () => {
        start(null);
        const app = makeApp();
        await app.render();
        app.version = "second";
        await app.render();
        await act(async () => {
            Linking.emit({ url: "shop://products/2" });
            await settle();
        });
        assert.deepEqual(app.opened, ["second 2"]);
        await app.end();
    });

    test("a foreign URL changes nothing", async () => {
        start("fb123://authorize?code=SECRET");
        const app = makeApp({ readReferrer: async () => "waymark=c1" });
        await app.render();
        assert.deepEqual(app.opened, ["first 7"]);
        assert.equal(app.link.deeplink.isDeferred, true);
        await app.end();
    });

    test("the first launch claims by Play's referrer", async () => {
        start(null);
        const app = makeApp({ readReferrer: async () => "waymark=c1" });
        await app.render();
        assert.deepEqual(app.opened, ["first 7"]);
        assert.deepEqual(app.paths, ["/api/v1/deferred/claim"]);
        assert.deepEqual(app.link.deeplink.metadata, { coupon: "20" });
        await app.end();
    });

    test("a device without Play starts all the same", async () => {
        start(null);
        const app = makeApp({
            readReferrer: async () => {
                throw new Error("no Play");
            },
        });
        await app.render();
        assert.equal(app.link.status, null);
        await app.end();
    });

    test("a link waits until the app is ready", async () => {
        start("https://go.example.com/a");
        const app = makeApp();
        await app.render(false);
        assert.deepEqual(app.opened, []);
        assert.equal(app.link.status, "notOpened");
        await app.render(true);
        assert.deepEqual(app.opened, ["first 7"]);
        assert.deepEqual(app.paths, ["/api/v1/resolve"]);
        // Signed out and in again: it was shown.
        await app.render(false);
        await app.render(true);
        assert.deepEqual(app.opened, ["first 7"]);
        await app.end();
    });

    test("a link that waits survives the end of the process", async () => {
        start("https://go.example.com/a");
        const storage = memoryStorage();
        const first = makeApp({ storage });
        await first.render(false);
        await first.end();
        start(null);
        const second = makeApp({ storage });
        await second.render(true);
        assert.deepEqual(second.opened, ["first 7"]);
        assert.deepEqual(second.link.deeplink.metadata, { coupon: "20" });
        assert.deepEqual(second.paths, []);
        await second.end();
    });

    /** What the process that follows opens and asks. Android gives the URL of the start again. */
    async function restart(url, { isReady = true, platform = "android" } = {}) {
        start(url);
        const storage = memoryStorage();
        const first = makeApp({ storage, platform });
        await first.render(isReady);
        await first.end();
        const second = makeApp({ storage, platform });
        await second.render();
        await second.end();
        return [second.opened, second.paths];
    }

    test("a click opens once though Android gives its URL again", async () => {
        for (const url of [
            "https://go.example.com/a?_hk_cid=c1",
            "shop://products/1?_hk_cid=c1&_hk_md=1",
        ]) {
            assert.deepEqual(await restart(url), [[], []]);
        }
    });

    test("a link that waits is not resolved again by its URL", async () => {
        for (const url of ["https://go.example.com/a", "https://go.example.com/a?_hk_cid=c1"]) {
            assert.deepEqual(await restart(url, { isReady: false }), [["first 7"], []]);
        }
        assert.deepEqual(await restart("shop://products/1?_hk_cid=c1", { isReady: false }), [
            ["first 1"],
            [],
        ]);
    });

    test("a start without a click may be another tap", async () => {
        assert.deepEqual(await restart("https://go.example.com/a"), [
            ["first 7"],
            ["/api/v1/resolve"],
        ]);
        assert.deepEqual(await restart("shop://products/1"), [["first 1"], []]);
    });

    test("only a tap starts an app of iOS with a URL", async () => {
        assert.deepEqual(await restart("shop://products/1?_hk_cid=c1", { platform: "ios" }), [
            ["first 1"],
            [],
        ]);
    });

    test("a start whose storage fails opens its link", async () => {
        start("shop://products/1?_hk_cid=c1");
        const fail = () => {
            throw new Error("full");
        };
        const app = makeApp({ storage: { get: fail, set: fail } });
        await app.render();
        assert.deepEqual(app.opened, ["first 1"]);
        await app.end();
    });

    test("the clipboard is read at the tap only", async () => {
        start(null);
        const app = makeApp();
        await app.render();
        assert.deepEqual(app.paths, []);
        app.clipboard = "https://go.example.com/a?_hk_cid=c1";
        await act(async () => {
            await app.paste.paste();
            await settle();
        });
        assert.deepEqual(app.opened, ["first 7"]);
        assert.equal(app.paste.isPasting, false);
        await app.end();
    });

    test("events are sent when the app comes back", async () => {
        start(null);
        const app = makeApp();
        await app.render();
        await app.waymark.client.recordOpen({ clickID: "c1" });
        await act(async () => {
            AppState.emit("active");
            await settle();
        });
        assert.deepEqual(app.paths, ["/api/v1/events"]);
        await app.end();
    });

    test("a hook without a provider says what it needs", () => {
        const Lost = () => {
            useWaymark();
            return null;
        };
        const { error } = console;
        console.error = () => {};
        try {
            assert.throws(
                () =>
                    act(() => {
                        create(React.createElement(Lost));
                    }),
                /needs a WaymarkProvider/,
            );
        } finally {
            console.error = error;
        }
    });
}
