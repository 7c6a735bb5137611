// Dates in the browser's time zone, numbers in its notation.
import { html } from "./element.js";

const number = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
const signed = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric" });

/** @param {number} value */
export const count = (value) => number.format(value);

/** @param {number} part @param {number} whole */
export const share = (part, whole) => percent.format(whole ? part / whole : 0);

/** @param {number} now @param {number} before */
export const change = (now, before) => before ? signed.format((now - before) / before) : "–";

// A point in time, with UTC in its title.
/** @param {string | null} time @param {string} otherwise  shown where there is none */
export function time(time, otherwise = "–") {
  if (!time) return otherwise;
  return html.time({ datetime: time, title: time.replace("T", " ").replace("Z", " UTC") }, moment.format(new Date(time)));
}

// The beginning of an interval, whose days are those of the browser's zone.
/** @param {string} start @param {"hour" | "day"} interval */
export function intervalStart(start, interval) {
  return (interval === "day" ? day : hour).format(new Date(start));
}

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
