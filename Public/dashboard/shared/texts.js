// The texts of every page, in the language of the person. Each language has files of the same texts
// in `texts`, which Scripts/check-texts compares.
import { fetchTexts, language } from "../texts/language.js";

/** @typedef {Record<string, string>} Words  by words of the API */
/** @typedef {Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Plural */

/**
 * @type {typeof import("../texts/en.json") & Record<"platforms" | "states" | "clickFields" |
 *   "fields" | "sorts" | "bulkActions" | "periods" | "pages" | "webhookStates" |
 *   "conversionFields" | "units" | "clickPlurals", Words> &
 *   {values: Record<string, Words>}}
 */
export const texts = await (await fetchTexts()).json();

/**
 * A text with values in its places: `%` for one after the other, or `%2` and `%1` where a language
 * has them in another order.
 *
 * @param {string} text
 * @param {...(string | number)} values
 */
export const formatText = (text, ...values) => {
  let next = 0;
  return text.replace(/%([1-9]?)/g, (_, place) => String(values[place ? place - 1 : next++]));
};

/**
 * The name of a field as part of a sentence: only German nouns keep their capitals.
 *
 * @param {string} name
 */
export const inSentence = (name) =>
  language === "de" ? name : name.toLocaleLowerCase(language);
