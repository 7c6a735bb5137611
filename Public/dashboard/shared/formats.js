// Dates in the browser's time zone or in UTC, numbers in the notation of the language.
import { html } from "./element.js";
import { language, locale } from "../texts/language.js";
import { formatText } from "./texts.js";

/** Options of formatters; each object is also the key of its formatter. */
const NUMBER = {};
const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const PERCENT = { style: "percent", maximumFractionDigits: 0 };
const RATE = { ...TENTHS, style: "percent" };
const CHANGE = { ...PERCENT, signDisplay: "exceptZero" };
const MONTH = { month: "short", year: "numeric" };
const MOMENT = { dateStyle: "medium", timeStyle: "short" };
const DATE = { dateStyle: "medium" };
const DAY = { month: "short", day: "numeric" };
const HOUR = { weekday: "short", hour: "numeric" };
const LOCAL = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  hourCycle: "h23",
};
/** @type {Map<object, Intl.NumberFormat | Intl.DateTimeFormat>} */
const formatters = new Map();
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** UTC where the browser has none. */
export const zone = {
  own: browserZone,
  timeZone: browserZone && browserZone !== "Etc/Unknown" ? browserZone : "UTC",
};

/** For zones that the service does not know. */
export function useUTC() {
  zone.timeZone = "UTC";
  formatters.clear();
}

/**
 * Formatters are made at their first use: a slow phone takes ten milliseconds for each.
 *
 * @param {any} options
 * @param {number | Date} value
 * @param {string} [notation]
 * @returns {string}
 */
function format(options, value, notation = locale) {
  if (!formatters.has(options)) {
    formatters.set(
      options,
      value instanceof Date
        ? new Intl.DateTimeFormat(notation, {
            ...options,
            timeZone: zone.timeZone,
          })
        : new Intl.NumberFormat(notation, options),
    );
  }
  return /** @type {any} */ (formatters.get(options)).format(value);
}

/** @param {number} [value]  none is shown as zero */
export const formatCount = (value = 0) => format(NUMBER, value);

/** @type {Intl.PluralRules | null} */
let pluralRules = null;

/**
 * Of a hundred, with one digit after the point: the difference of two rates.
 *
 * @param {number} rate
 */
export const formatPoints = (rate) => format(TENTHS, rate * 100);

/** @param {number} rate */
export const formatRate = (rate) => format(RATE, rate);

/**
 * A number with its noun, in the form that the language has for this number.
 *
 * @param {import("./texts.js").Plural} forms
 * @param {number} number
 */
export function pluralText(forms, number) {
  pluralRules ??= new Intl.PluralRules(language);
  return formatText(forms[pluralRules.select(number)] ?? forms.other, formatCount(number));
}

/** @type {Intl.Collator | null} */
let collator = null;

/**
 * The order of texts for people.
 *
 * @param {string} first
 * @param {string} second
 */
export function compareTexts(first, second) {
  collator ??= new Intl.Collator(locale, { numeric: true });
  return collator.compare(first, second);
}

/** @param {string[]} texts */
export const formatList = (texts) =>
  new Intl.ListFormat(locale, { style: "narrow", type: "conjunction" }).format(texts);

/**
 * An amount of money. It stays text, for it is exact.
 *
 * @param {string} amount
 * @param {string} currency  ISO 4217, or a word of one's own
 */
export function formatMoney(amount, currency) {
  try {
    return new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
    }).format(/** @type {any} */ (amount));
  } catch {
    return `${amount} ${currency}`;
  }
}

/**
 * @param {number} part
 * @param {number} whole
 */
export const formatShare = (part, whole) => format(PERCENT, whole ? part / whole : 0);

/** @param {number} value  of a hundred */
export const formatPercent = (value) => formatShare(value, 100);

/**
 * @param {number} current
 * @param {number} before
 */
export const formatChange = (current, before) =>
  before ? format(CHANGE, (current - before) / before) : "";

/** @param {string} time */
export const formatMoment = (time) => format(MOMENT, new Date(time));

/**
 * A point in time, with UTC in its title.
 *
 * @param {string | null} time
 * @param {string} [otherwise]  shown where there is none
 */
export function timeElement(time, otherwise = "–") {
  if (!time) return otherwise;
  return html.time(
    { datetime: time, title: time.replace("T", " ").replace("Z", " UTC") },
    formatMoment(time),
  );
}

/**
 * The date of a point in time, with its time of day in the title.
 *
 * @param {string} time
 */
export const dateElement = (time) =>
  html.time({ datetime: time, title: formatMoment(time) }, format(DATE, new Date(time)));

/**
 * Its date and hour: "2026-11-21 10".
 *
 * @param {string | number} time
 */
export const localHour = (time) => format(LOCAL, new Date(time), "sv");

const UNITS = { hour: HOUR, day: DAY, week: DAY, month: MONTH };

/**
 * The beginning of an interval, whose days are those of `zone`.
 *
 * @param {string} start
 * @param {Unit} interval
 */
export const intervalStart = (start, interval) => format(UNITS[interval], new Date(start));

/**
 * A time as `datetime-local` wants it.
 *
 * @param {string | null} time
 */
export function localInput(time) {
  if (!time) return "";
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/**
 * What a `datetime-local` holds, in UTC.
 *
 * @param {string} value
 */
export const fromLocalInput = (value) =>
  value ? new Date(value).toISOString().replace(".000Z", "Z") : null;
