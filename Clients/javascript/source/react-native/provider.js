import { createElement, useEffect, useMemo, useRef, useState } from "react";
import { AppState, Linking } from "react-native";
import { Deeplinking } from "../routing/deeplinking.js";
import { openInitial } from "../routing/initial-link.js";
import { WaymarkContext } from "./context.js";

/** @typedef {import("../../react-native.js").WaymarkProviderProps} WaymarkProviderProps */
/** @typedef {import("../../routing.js").Deeplink} Deeplink */
/** @typedef {import("../../routing.js").Opening} Opening */

/**
 * Makes the app's router, opens the links that the app is opened with, and gives both to the hooks.
 *
 * @param {WaymarkProviderProps} props
 */
export function WaymarkProvider(props) {
    const { client, isReady = true, children } = props;
    const [opening, setOpening] = useState(/** @type {Opening | null} */ (null));
    // The newest functions: those of an earlier render would navigate with what it knew.
    const latest = useRef(props);
    latest.current = props;
    const router = useState(() => makeRouter(latest))[0];
    const isStarted = useRef(false);

    const actions = useMemo(() => {
        /** @param {Promise<Opening | null>} result */
        const show = async (result) => {
            const shown = await result;
            if (shown !== null && shown.status !== "notHandled") setOpening(shown);
            return shown;
        };
        return {
            /** @param {string} url */
            open: (url) => show(router.open(url)),
            /** @param {string} url */
            openInitial: (url) => show(openInitial(router, url)),
            openCurrent: () => show(Promise.resolve(router.openCurrentDeeplink())),
            /** @param {import("../../waymark.js").DeferredTraces} traces */
            openDeferred: (traces) => show(router.openDeferred(traces)),
        };
    }, [router]);

    useEffect(() => {
        let isMounted = true;
        // The error of a target is the app's: it is reported as unhandled, like any other.
        const links = Linking.addEventListener("url", ({ url }) => void actions.open(url));
        const states = AppState.addEventListener("change", (state) => {
            if (state === "active") client.flush().catch(() => {});
        });
        const start = async () => {
            const url = await Linking.getInitialURL();
            if (url) await actions.openInitial(url);
            // Neither rejects the start: devices without Play have no referrer.
            const referrer = await Promise.resolve(latest.current.readReferrer?.()).catch(
                () => null,
            );
            const deferred = isMounted ? await actions.openDeferred({ referrer }) : null;
            // A link that the app has received and not shown is given again.
            if (isMounted && deferred === null && router.currentDeeplink === null) {
                await actions.openCurrent();
            }
        };
        // React may run an effect twice; a start opens once.
        if (!isStarted.current) void start();
        isStarted.current = true;
        return () => {
            isMounted = false;
            links.remove();
            states.remove();
        };
    }, [actions, client, router]);

    const wasReady = useRef(isReady);
    useEffect(() => {
        const becameReady = isReady && !wasReady.current;
        wasReady.current = isReady;
        if (becameReady && !router.currentDeeplink?.wasOpened) void actions.openCurrent();
    }, [actions, isReady, router]);

    const value = useMemo(() => {
        const { open, openCurrent, openDeferred } = actions;
        return { client, deeplinking: router, opening, open, openCurrent, openDeferred };
    }, [actions, client, opening, router]);
    return createElement(WaymarkContext.Provider, { value }, children);
}

/** @param {{ current: WaymarkProviderProps }} latest */
function makeRouter(latest) {
    const {
        client,
        schemes,
        domains,
        dialect,
        openingTimeLimit,
        onDiagnostic,
        routes,
        defaultRoute,
    } = latest.current;
    const router = new Deeplinking(
        /** @type {any} */ ({
            client,
            schemes,
            domains,
            dialect,
            openingTimeLimit,
            onDiagnostic,
        }),
    );
    for (const route of Object.keys(routes)) {
        router.map(route, (deeplink) => latest.current.routes[route]?.(deeplink));
    }
    if (defaultRoute) router.mapDefault((deeplink) => latest.current.defaultRoute?.(deeplink));
    // Held back until the app is ready, for example until the person has signed in.
    router.addFilter(() => latest.current.isReady ?? true);
    return router;
}
