// The numbers of a report as a CSV file (RFC 4180), with the words of the page and the days of its
// time zone.
import { html } from "../shared/element.js";
import { localHour } from "../shared/formats.js";
import { texts } from "../shared/texts.js";

/** @param {Clicks} clicks */
export function saveCSV({ series, interval }) {
  const clickTexts = texts.clicks;
  const heads = [texts.units[interval], clickTexts.title, clickTexts.visitors, clickTexts.bots];
  const rows = series.map(({ start, people, visitors, bots }) => [
    momentOf(start, interval),
    people,
    visitors ?? "",
    bots,
  ]);
  const text = [heads, ...rows].map((row) => row.join(",") + "\r\n").join("");
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  html.a({ href, download: "clicks.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * As spreadsheets read it: 2026-11-20, or 2026-11-20 14:00.
 *
 * @param {string} start
 * @param {"hour" | "day"} interval
 */
const momentOf = (start, interval) =>
  interval === "day" ? localHour(start).slice(0, 10) : `${localHour(start)}:00`;
