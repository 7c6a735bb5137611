// Since when a version of an association file is served, and who has fetched it.
import { html } from "../shared/element.js";
import { timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";

const domainTexts = pageTexts.domains;

/** @type {["apple" | "google", string][]} */
const FETCHERS = [
  ["apple", "Apple"],
  ["google", "Google"],
];

/** The file whose service fetches it for phones is listed even if it never did. */
const MAIN = { "apple-app-site-association": "apple", "assetlinks.json": "google" };

/**
 * @param {keyof typeof MAIN} name
 * @param {ServedFile | undefined} file
 */
export function associationFetches(name, file) {
  if (!file) return "";
  const { etag, since, fetches, devicesMayHoldOldUntil: until, pending } = file;
  return html.div(
    { class: "soft" },
    since && html.div(domainTexts.servedSince, " ", timeElement(since)),
    FETCHERS.filter(([id]) => fetches[id] || (etag && MAIN[name] === id)).map(([id, service]) => {
      const fetch = fetches[id];
      return html.div(
        formatText(domainTexts.fetchedBy, service),
        " ",
        fetch ? timeElement(fetch.last) : domainTexts.never,
        fetch && fetch.status !== 200 && ` (${fetch.status})`,
        fetch && fetch.etag !== etag && ` (${domainTexts.oldVersion})`,
      );
    }),
    until &&
      html.div(
        { class: "problem" },
        pending ? domainTexts.heldAtLeast : domainTexts.heldUntil,
        " ",
        timeElement(until),
      ),
  );
}

/**
 * All files of a domain that exist or were fetched.
 *
 * @param {Domain["association"]} association
 */
export function associationStates(association) {
  const files = /** @type {[keyof typeof MAIN, ServedFile][]} */ (
    Object.entries(association ?? {})
  ).filter(([, { etag, fetches }]) => etag || fetches.apple || fetches.google);
  return files.length
    ? html.div(
        { class: "lines destination" },
        files.map(([name, file]) => html.div(name, associationFetches(name, file))),
      )
    : "–";
}
