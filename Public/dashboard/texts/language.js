// The language of the dashboard: the one that was chosen here, else the first of the browser's that
// there is, else English. Begins to load its texts before any other module is there.
import { setting } from "../shared/setting.js";

/**
 * Each is named in itself.
 *
 * @type {Record<string, string>}
 */
export const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  ja: "日本語",
};
const SETTING = "waymark-language";

/** @param {string} tag  such as "de-AT" */
const languageOf = (tag) => tag.toLowerCase().split("-")[0];

/**
 * @param {string | null} name
 * @returns {name is string}
 */
const isKnown = (name) => name !== null && Object.hasOwn(LANGUAGES, name);

function chosen() {
  const stored = setting(SETTING);
  if (isKnown(stored)) return stored;
  return navigator.languages.map(languageOf).find(isKnown) ?? "en";
}

export const language = chosen();

/** @param {string} tag  which formatters may not understand, such as "en-US@posix" */
function isLocale(tag) {
  try {
    return languageOf(tag) === language && Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** For numbers and dates: the browser may say of which country its language is. */
export const locale = navigator.languages.find(isLocale) ?? language;
document.documentElement.lang = language;

/**
 * Stores a choice, and shows it.
 *
 * @param {string} name
 * @returns {boolean} whether the browser could store it
 */
export function chooseLanguage(name) {
  const isStored = setting(SETTING, name) === name;
  if (isStored) location.reload();
  return isStored;
}

/** @type {Record<string, Promise<Response>>} */
const asked = {};

/**
 * The texts of this language, which are asked for once.
 *
 * @param {string} [part]  of the file's name
 */
export const fetchTexts = (part = "") =>
  (asked[part] ??= fetch(new URL(`./${language}${part}.json`, import.meta.url)));

fetchTexts().catch(() => {});
