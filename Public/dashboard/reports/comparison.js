// The period that a report is compared with: its line in the chart, and the change of each row in
// the panels.
import { get, withQuery } from "../shared/api.js";
import { html } from "../shared/element.js";
import { formatChange, formatCount, localHour, zone } from "../shared/formats.js";
import { locale } from "../texts/language.js";
import { problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { LISTS, rowsByField } from "./panels.js";

const clickTexts = texts.clicks;
/** Rows in a list of `top`: a longer one is cut off. */
const LISTED = 50;

/**
 * Loads the earlier period, and compares.
 *
 * @param {Clicks} clicks
 * @param {Query} parameters  of the request that `clicks` answers
 * @returns {Promise<Comparison>}
 */
export async function comparison(clicks, parameters) {
  const { from = "", to = "" } = clicks.compared ?? {};
  /** @type {Clicks} */
  let before;
  try {
    before = await get(withQuery("/api/v1/clicks", { ...parameters, from, to, compare: null }));
  } catch (error) {
    // The report is complete without it.
    return { partners: null, changes: {}, note: problemNotice(error) };
  }
  const earlier = new Map(rowsByField(before).map(({ field, rows }) => [field, rows]));
  const lists = rowsByField(clicks).map(({ field, rows }) => {
    const others = earlier.get(field) ?? [];
    const isWhole = before.complete && !isCut(field, others);
    const found = new Map(others.map(({ filter, people }) => [filter, people]));
    return {
      field,
      labels: rows.map((row) => ({ ...row, ...labelOf(row, found.get(row.filter), isWhole) })),
    };
  });
  return {
    partners: partners(clicks, before, parameters.compare === "year"),
    changes: Object.fromEntries(lists.map(({ field, labels }) => [field, changesOf(labels)])),
    note: html.p(
      { class: "soft" },
      formatText(clickTexts.comparedWith, days(from, to)),
      !before.complete && [" ", clickTexts.incompleteBefore],
      lists.some(({ labels }) => labels.some(({ label }) => label === clickTexts.unlisted)) && [
        " ",
        clickTexts.unlistedDetail,
      ],
    ),
  };
}

/** @param {{filter: string | null, label: string, title?: string}[]} labels */
const changesOf = (labels) =>
  new Map(
    labels.map(({ filter, label, title }) => [
      filter,
      html.div({ class: "lines" }, html.small({ dir: "auto", title }, label)),
    ]),
  );

/**
 * @param {string} field
 * @param {Row[]} rows
 */
const isCut = (field, rows) =>
  rows.some(({ filter }) => filter === null) ||
  (Object.values(LISTS).includes(field) && rows.length >= LISTED);

/**
 * What a row changed by.
 *
 * @param {Row} row
 * @param {number | undefined} before  its clicks; none where the earlier list lacks it
 * @param {boolean} isWhole  whether that list has all rows
 * @returns {{label: string, title?: string}}
 */
function labelOf({ filter, people }, before, isWhole) {
  // The rest is of other values in each period.
  if (filter === null || (!people && !before)) return { label: "" };
  if (before) {
    return {
      label: formatChange(people, before),
      title: formatText(clickTexts.then, formatCount(before)),
    };
  }
  return { label: before === 0 || isWhole ? clickTexts.new : clickTexts.unlisted };
}

/**
 * The days of a period, with times where it ends within a day.
 *
 * @param {string} from
 * @param {string} to
 */
function days(from, to) {
  const end = new Date(to);
  const last = new Date(end.getTime() - 1);
  const isWhole = localHour(to).slice(0, 10) !== localHour(last.getTime()).slice(0, 10);
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: isWhole ? undefined : "short",
    timeZone: zone.timeZone,
  }).formatRange(new Date(from), isWhole ? last : end);
}

/**
 * What each interval is compared with: by date and hour, not by number, for days may have 23 hours,
 * and years 366 days.
 *
 * @param {Clicks} clicks
 * @param {Clicks} before
 * @param {boolean} isYear
 */
function partners({ series, interval, from, compared }, before, isYear) {
  /**
   * @param {string} time  whose hour it is
   * @param {string} [date]  if it is another one
   */
  const key = (time, date = localHour(time).slice(0, 10)) =>
    interval === "day" ? date : date + localHour(time).slice(10);
  const found = new Map(before.series.map((interval) => [key(interval.start), interval]));
  /**
   * Its date as a number that can be shifted.
   *
   * @param {string} time
   */
  const day = (time) => Date.parse(localHour(time).slice(0, 10));
  const shift = day(from) - day(compared?.from ?? from);
  return series.map(({ start }) => {
    const date = localHour(start).slice(0, 10);
    const earlier = isYear
      ? `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`
      : new Date(day(start) - shift).toISOString().slice(0, 10);
    return found.get(key(start, earlier));
  });
}
