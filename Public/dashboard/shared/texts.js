// All texts of the dashboard. They are data, so that another language is another file.

/**
 * @type {typeof import("../texts.json") & Record<"activity" | "platforms" | "states" | "outcomes" |
 *   "clickFields" | "fields" | "sorts" | "bulkActions" | "periods" | "pages" | "webhookStates" |
 *   "deliveryStates" | "conversionFields" | "units" | "clickPlurals", Record<string, string>>}
 */
export const texts = await (await fetch(new URL("../texts.json", import.meta.url))).json();

/**
 * A text with values in its places, which are marked with `%`.
 *
 * @param {string} text
 * @param {...(string | number)} values
 */
export const say = (text, ...values) => text.replace(/%/g, () => String(values.shift()));
