// Names of the values of a field of clicks, such as a country or a platform.
import { language } from "../texts/language.js";
import { texts } from "./texts.js";

/** Fields whose values are words of the API. */
const CODES = ["device", "browser", "inApp", "bot", "destination"];
/**
 * Fields whose values browsers can name.
 *
 * @type {Record<string, "region" | "language">}
 */
const NAMED = { country: "region", language: "language" };
/**
 * What names the values of each field, made at its first use.
 *
 * @type {Record<string, Intl.DisplayNames>}
 */
const names = {};

/**
 * @param {string} field
 * @param {string | null | undefined} value
 */
export function valueName(field, value) {
  if (!value || value === "none") return texts.clicks.noValue;
  if (field === "platform") return texts.platforms[value] ?? value;
  const known = texts.values[field]?.[value];
  if (known) return known;
  if (CODES.includes(field)) return value[0].toUpperCase() + value.slice(1);
  if (!NAMED[field]) return value;
  try {
    names[field] ??= new Intl.DisplayNames(language, { type: NAMED[field] });
    return names[field].of(value) ?? value;
  } catch {
    // A click may say anything that looks like a language.
    return value;
  }
}
