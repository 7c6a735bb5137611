// Texts of pages that are opened now and then. The others are in `texts/en.json`.
const file = new URL("../texts/en.pages.json", import.meta.url);
/**
 * @type {typeof import("../texts/en.pages.json") & Record<"activity" | "outcomes" |
 *   "deliveryStates" | "sources" | "visitors" | "samples" | "sampleFormats" | "notes" |
 *   "importStates" | "importOutcomes" | "scopeTexts" | "eventTypes" | "personRoles" | "roleTexts",
 *   import("./texts.js").Words>}
 */
export const pageTexts = await (await fetch(file)).json();
