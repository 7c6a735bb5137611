// Many days as weeks or months, so that bars stay wide enough to read.
import { localHour } from "../shared/formats.js";

/** Days from which on a chart shows weeks, and months. */
const WEEKS = 63;
const MONTHS = 190;

/**
 * @param {Clicks} clicks
 * @returns {Unit}
 */
export function unitOf({ series, interval }) {
  if (interval === "hour") return "hour";
  if (series.length < WEEKS) return "day";
  return series.length < MONTHS ? "week" : "month";
}

/**
 * How many days each bar has: weeks begin on the first day of the period, so that all but the last
 * are whole.
 *
 * @param {Interval[]} series
 * @param {Unit} unit
 * @returns {number[]}
 */
export function groups(series, unit) {
  if (unit === "hour" || unit === "day") return series.map(() => 1);
  /** @type {number[]} */
  const lengths = [];
  let last = "";
  series.forEach(({ start }, index) => {
    const group = unit === "week" ? String(Math.floor(index / 7)) : localHour(start).slice(0, 7);
    if (group === last) lengths[lengths.length - 1] += 1;
    else lengths.push(1);
    last = group;
  });
  return lengths;
}

/**
 * Sums of consecutive days, and of what each of them is compared with.
 *
 * @template {Interval | undefined} Day
 * @param {Day[]} series
 * @param {number[]} lengths
 * @returns {Day[]}
 */
export function grouped(series, lengths) {
  let start = 0;
  return lengths.map((length) => {
    const days = series.slice(start, start + length);
    start += length;
    return sum(days);
  });
}

/**
 * @template {Interval | undefined} Day
 * @param {Day[]} days
 * @returns {Day}
 */
function sum(days) {
  const known = /** @type {Interval[]} */ (days.filter(Boolean));
  if (days.length === 1 || !known.length) return days[0];
  /** @param {"people" | "bots"} name */
  const total = (name) => known.reduce((sum, day) => sum + day[name], 0);
  const visitors = known.map((day) => day.visitors);
  return /** @type {Day} */ ({
    start: known[0].start,
    people: total("people"),
    bots: total("bots"),
    // Days without a number would make it too low.
    visitors: visitors.includes(null)
      ? null
      : visitors.reduce((sum, count) => Number(sum) + Number(count), 0),
  });
}
