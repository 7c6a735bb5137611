// Texts of pages that are opened now and then. The others are in `texts.json`.

/**
 * @type {typeof import("../page-texts.json") & Record<"activity" | "outcomes" | "deliveryStates" |
 *   "sources" | "visitors" | "samples" | "sampleFormats" | "notes" | "importStates" |
 *   "importOutcomes" | "scopeTexts" | "eventTypes" | "personRoles" | "roleTexts",
 *   import("./texts.js").Words>}
 */
export const pageTexts = await (await fetch(new URL("../page-texts.json", import.meta.url))).json();
