// Texts of pages that are opened now and then. The others are in `texts.js`.
import { fetchTexts } from "../texts/language.js";

/**
 * @type {typeof import("../texts/en.pages.json") & Record<"activity" | "outcomes" |
 *   "deliveryStates" | "sources" | "notes" | "importStates" | "importOutcomes" | "scopeTexts" |
 *   "eventTypes" | "personRoles" | "roleTexts" | "severities" | "formErrors" | "problems" |
 *   "problemDetails",
 *   import("./texts.js").Words>}
 */
export const pageTexts = await (await fetchTexts(".pages")).json();
