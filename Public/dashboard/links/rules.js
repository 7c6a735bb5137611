// The rules of a link in words: for whom each one is, and where it leads.

import { html, table } from "../shared/element.js";
import { percent, time } from "../shared/formats.js";
import { address } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { say, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";

const t = pageTexts.rules;

/** @param {Rule[]} rules */
export function rulesTable(rules) {
  return table(
    t.caption,
    [t.number, t.when, pageTexts.explain.destination],
    rules.map(({ when, to }, place) => [
      say(t.numbered, place + 1),
      html.div(conditions(when ?? {})),
      html.div(destinations(to)),
    ]),
    "cards",
  );
}

/**
 * @param {Record<string, any>} when
 * @returns {Content}
 */
function conditions({ percentage, after, before, query, ...others }) {
  const parts = Object.entries(others).map(([name, value]) =>
    html.div(`${texts.clickFields[name] ?? name}: `, values(name, value)),
  );
  for (const [name, value] of Object.entries(query ?? {})) {
    parts.push(html.div(html.code(`?${name}`), ": ", values("query", value)));
  }
  if (after) parts.push(html.div(t.after, " ", time(after)));
  if (before) parts.push(html.div(t.before, " ", time(before)));
  if (percentage) parts.push(html.div(say(t.share, percent(percentage))));
  return parts.length ? parts : t.everyone;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
const values = (name, value) =>
  value === true
    ? t.any
    : value === false
      ? t.none
      : [value]
          .flat()
          .map((one) => valueName(name, String(one)))
          .join(", ");

/**
 * @param {Rule["to"]} to
 * @returns {Content}
 */
function destinations(to) {
  if (typeof to === "string") return html.span({ class: "destination" }, to);
  return Object.entries(to).map(([platform, destination]) =>
    html.div({ class: "destination" }, `${texts.platforms[platform]}: ${address(destination)}`),
  );
}

/**
 * The share of visitors that are taken where an answer leads, in percent; nothing where chance
 * plays no part.
 *
 * @param {Explanation} answer
 * @param {Rule[]} [rules]  of the link
 */
export function shareOf({ candidates }, rules = []) {
  const asked = candidates
    .map(({ source, taken, why }) => {
      const place = /^link\.rules\[(\d+)\]$/.exec(source)?.[1];
      return { taken, why, percentage: place ? rules[Number(place)]?.when?.percentage : undefined };
    })
    .filter(({ percentage }) => percentage);
  const own = asked.find(({ taken }) => taken);
  if (own) return Number(own.percentage);
  // Rules that leave the visitor to chance alone, and whose share this visitor has missed.
  const missed = asked.filter(({ why }) => why.startsWith("percentage"));
  return missed.length
    ? 100 - missed.reduce((sum, { percentage }) => sum + percentage, 0)
    : undefined;
}
