// Dates in the browser's time zone, numbers in its notation.
import { html } from "./element.js";

const NUMBER = {};
const PERCENT = { style: "percent", maximumFractionDigits: 0 };
const CHANGE = { ...PERCENT, signDisplay: "exceptZero" };
const MOMENT = { dateStyle: "medium", timeStyle: "short" };
const DAY = { month: "short", day: "numeric" };
const HOUR = { weekday: "short", hour: "numeric" };
const made = new Map();

// Formatters are made at their first use: a slow phone takes ten milliseconds for each.
/** @param {any} options @param {number | Date} value @returns {string} */
function format(options, value) {
  if (!made.has(options)) made.set(options, value instanceof Date ? new Intl.DateTimeFormat(undefined, options) : new Intl.NumberFormat(undefined, options));
  return made.get(options).format(value);
}

export const count = (value = 0) => format(NUMBER, value);

export const share = (part = 0, whole = 0) => format(PERCENT, whole ? part / whole : 0);

export const change = (now = 0, before = 0) => before ? format(CHANGE, (now - before) / before) : "–";

// A point in time, with UTC in its title.
/** @param {string | null} time @param {string} otherwise  shown where there is none */
export function time(time, otherwise = "–") {
  if (!time) return otherwise;
  return html.time({ datetime: time, title: time.replace("T", " ").replace("Z", " UTC") }, format(MOMENT, new Date(time)));
}

// The beginning of an interval, whose days are those of the browser's zone.
/** @param {string} start @param {"hour" | "day"} interval */
export const intervalStart = (start, interval) => format(interval === "day" ? DAY : HOUR, new Date(start));

// A time as `datetime-local` wants it.
/** @param {string | null} time */
export function localInput(time) {
  if (!time) return "";
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

// What a `datetime-local` holds, in UTC.
/** @param {string} value */
export const fromLocalInput = (value) => value ? new Date(value).toISOString().replace(".000Z", "Z") : null;
