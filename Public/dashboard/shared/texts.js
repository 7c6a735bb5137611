// All texts of the dashboard. They are data, so that another language is another file.

/** @typedef {Record<string, string>} Words  by words of the API */

/**
 * @type {typeof import("../texts/en.json") & Record<"platforms" | "states" | "clickFields" |
 *   "fields" | "sorts" | "bulkActions" | "periods" | "pages" | "webhookStates" |
 *   "conversionFields" | "units" | "clickPlurals", Words>}
 */
export const texts = await (await fetch(new URL("../texts/en.json", import.meta.url))).json();

/**
 * A text with values in its places, which are marked with `%`.
 *
 * @param {string} text
 * @param {...(string | number)} values
 */
export const formatText = (text, ...values) => text.replace(/%/g, () => String(values.shift()));
