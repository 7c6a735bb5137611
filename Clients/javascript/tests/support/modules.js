// The modules under test: the sources, or the bundles in the folder that WAYMARK_BUNDLES names.
import { pathToFileURL } from "node:url";

const folder = process.env.WAYMARK_BUNDLES
    ? pathToFileURL(process.env.WAYMARK_BUNDLES + "/")
    : new URL("../../", import.meta.url);

/** @type {typeof import("../../waymark.js")} */
const client = await import(new URL("waymark.js", folder).href);
/** @type {typeof import("../../routing.js")} */
const routing = await import(new URL("routing.js", folder).href);
/** @type {typeof import("../../diagnostics.js")} */
const diagnostics = await import(new URL("diagnostics.js", folder).href);
/** @type {typeof import("../../node.js")} */
const node = await import(new URL("node.js", folder).href);

export const { WaymarkClient, WaymarkClientError, itemStorage, memoryStorage, version } = client;
export const {
    Deeplink,
    Deeplinking,
    DeeplinkingError,
    DeepLinkTemplate,
    DeepLinkURL,
    matchTemplates,
} = routing;
export const { check } = diagnostics;
export const { FileStorage } = node;
