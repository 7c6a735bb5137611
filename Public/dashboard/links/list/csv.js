// The links that match the filters, as a CSV file (RFC 4180).
import { get, withQuery } from "../../shared/api.js";
import { html } from "../../shared/element.js";
import { localHour } from "../../shared/formats.js";
import { destinationOf } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { texts } from "../../shared/texts.js";

const listTexts = pageTexts.list;
/** Links of a page of the API. */
const PAGE = "200";
/** Links of a file: the command line exports more. */
const MOST = 10_000;

/**
 * Saves the file, and returns how many links it has and whether there are more.
 *
 * @param {Record<string, string>} set  filters and order
 */
export async function saveList(set) {
  /** @type {Link[]} */
  const links = [];
  /** @type {string | null} */
  let cursor = null;
  do {
    /** @type {LinkList} */
    const page = await get(withQuery("/api/v1/links", { ...set, cursor, limit: PAGE }));
    links.push(...page.links);
    ({ cursor } = page);
  } while (cursor && links.length < MOST);
  const heads = [
    listTexts.link,
    listTexts.title,
    texts.fields.tags,
    listTexts.destination,
    texts.links.state,
    texts.links.clicks,
    texts.links.created,
  ];
  const rows = links.map((link) => [
    link.smartlink,
    link.title ?? "",
    link.tags.join(", "),
    destinationOf(link),
    texts.states[link.state] ?? link.state,
    String(link.clicks),
    localHour(link.createdAt).slice(0, 10),
  ]);
  const text = [heads, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  html.a({ href, download: "links.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  return { count: links.length, hasMore: cursor !== null };
}

/**
 * A value that spreadsheets take for text, and not for a formula.
 *
 * @param {string} value
 */
function cell(value) {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
