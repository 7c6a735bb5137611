import { DeepLinkURL } from "../url/deep-link-url.js";
import { isForApp } from "./link-source.js";

/** @typedef {import("../../routing.js").Opening} Opening */

/**
 * Opens the URL that the app was started with, unless another link was opened meanwhile. Android
 * gives the same URL again if the process has ended and the person comes back to the app: a link
 * that still waits is given with its answer, and a click that was opened is not opened again. A URL
 * without a click may be a new tap, and opens.
 *
 * @param {import("./deeplinking.js").Deeplinking} router
 * @param {string} url
 * @returns {Promise<Opening | null>}
 */
export async function openInitial(router, url) {
    const { client, kept, source } = router;
    if (router.hasLink) return null;
    const link = new DeepLinkURL(url);
    if (!isForApp(source.read(link).kind)) return router.open(url);
    const { service } = link.separatingServiceParameters();
    // Elsewhere only a tap starts the app with a URL.
    const start =
        client !== null && client.platform === "android" && service.clickID ? url : undefined;
    const isKnown = await kept.change(
        ({ current, start: last }) =>
            (start !== undefined && last === start) ||
            (current && current.url === url && current.answer),
    );
    if (router.hasLink) return null;
    if (isKnown) return router.openCurrentDeeplink();
    try {
        return await router.open(url);
    } finally {
        // Not before it was opened or is kept: the process may end at any time.
        await kept.change((links) => {
            links.start = start;
        });
    }
}
