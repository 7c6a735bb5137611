// The rules of a link in words: for whom each one is, and where it leads.

import { html, table } from "../shared/element.js";
import { formatList, formatPercent, timeElement } from "../shared/formats.js";
import { address } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";

const ruleTexts = pageTexts.rules;

/** @param {Rule[]} rules */
export function rulesTable(rules) {
  return table(
    ruleTexts.caption,
    [ruleTexts.number, ruleTexts.when, pageTexts.explain.destination],
    rules.map(({ name, when, to }, index) => [
      html.div(
        name && html.div(html.strong(name)),
        html.div({ class: name ? "soft" : null }, formatText(ruleTexts.numbered, index + 1)),
      ),
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
export function conditions({ percentage, after, before, query, ...others }) {
  const parts = Object.entries(others).map(([name, value]) =>
    html.div(formatText(texts.labelled, texts.clickFields[name] ?? name, values(name, value))),
  );
  for (const [name, value] of Object.entries(query ?? {})) {
    parts.push(html.div(html.code(`?${name}`), ": ", values("query", value)));
  }
  if (after) parts.push(html.div(ruleTexts.after, " ", timeElement(after)));
  if (before) parts.push(html.div(ruleTexts.before, " ", timeElement(before)));
  if (percentage) parts.push(html.div(formatText(ruleTexts.share, formatPercent(percentage))));
  return parts.length ? parts : ruleTexts.everyone;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function values(name, value) {
  if (value === true) return ruleTexts.any;
  if (value === false) return ruleTexts.none;
  const all = Array.isArray(value) ? value : [value];
  return formatList(all.map((item) => valueName(name, String(item))));
}

/**
 * @param {Rule["to"]} to
 * @returns {Content}
 */
export function destinations(to) {
  if (typeof to === "string") return html.span({ class: "destination" }, to);
  return Object.entries(to).map(([platform, destination]) =>
    html.div(
      { class: "destination" },
      formatText(texts.labelled, texts.platforms[platform], address(destination)),
    ),
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
      const index = /^link\.rules\[(\d+)\]$/.exec(source)?.[1];
      return { taken, why, percentage: index ? rules[Number(index)]?.when?.percentage : undefined };
    })
    .filter(({ percentage }) => percentage);
  const chosen = asked.find(({ taken }) => taken);
  if (chosen) return Number(chosen.percentage);
  // Rules that leave the visitor to chance alone, and whose share this visitor has missed.
  const missed = asked.filter(({ why }) => why.startsWith("percentage"));
  return missed.length
    ? 100 - missed.reduce((sum, { percentage }) => sum + percentage, 0)
    : undefined;
}
