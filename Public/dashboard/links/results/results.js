// What each rule of a link did in the period: clicks, conversions and their rate, and which of the
// variants of a test leads.
import { hashWith } from "../../frame/address.js";
import { may } from "../../frame/session.js";
import { dates, period } from "../../reports/period.js";
import { get, Problem, withQuery } from "../../shared/api.js";
import { anchor, button, html, table } from "../../shared/element.js";
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatRate,
  formatShare,
  zone,
} from "../../shared/formats.js";
import { pageTexts } from "../../shared/page-texts.js";
import { load } from "../../shared/pane.js";
import { formatText, texts } from "../../shared/texts.js";
import { promote } from "./promotion.js";
import { interval, rateOf, verdict } from "./rates.js";
import { promoted, splits, valueOf } from "./split.js";

const resultTexts = pageTexts.results;
/** Of the intervals in `rates.js`, in percent. */
const LEVEL = 95;

/** @typedef {Map<string | null, import("./rates.js").Counted>} Counts  by value of `rule` */

/**
 * Fills the section; a link without rules has none.
 *
 * @param {HTMLElement} section
 * @param {Session} session
 * @param {Stored} stored
 * @param {() => Promise<void>} reload
 */
export function showResults(section, session, stored, reload) {
  const rules = stored.link.rules ?? [];
  section.hidden = !rules.length;
  if (!rules.length) return section.replaceChildren();
  const content = html.div();
  section.replaceChildren(html.h2({ id: "results-title" }, resultTexts.title), content);
  return load(content, async () => {
    const { counts, hasConversions } = await results(stored.link);
    const tests = splits(rules).map((split) => {
      const contestants = split.contestants.map(({ values }) => sum(counts, values));
      return { split, contestants };
    });
    return [
      resultsTable(rules, counts, hasConversions),
      hasConversions &&
        tests.map(({ split, contestants }) => {
          const names = split.contestants.map(({ index, values }) =>
            values.length > 1 ? resultTexts.others : nameOf(rules, index),
          );
          const found = contestants.length > 1 ? verdict(contestants) : null;
          if (!found) return html.p({ class: "soft" }, formatText(resultTexts.alone, names[0]));
          if (!("best" in found)) {
            return html.p({ class: "soft" }, names.join(" / "), ": ", resultTexts[found.kind]);
          }
          const name = names[found.best];
          const change = () => {
            const winner = split.contestants[found.best];
            promote(stored, name, promoted(rules, split, winner), reload);
          };
          const isBetter = found.kind === "better";
          const label = isBetter ? resultTexts.promote : formatText(resultTexts.endWith, name);
          const canChange = found.kind !== "even" && may(session, "links");
          return html.div(
            { class: isBetter ? "notice good" : "notice" },
            html.p(html.strong(sentence(found, name))),
            html.p(
              { class: "soft" },
              formatText(resultTexts.basis, names.join(", "), formatPercent(LEVEL)),
            ),
            canChange && button(label, change, isBetter ? { class: null } : {}),
          );
        }),
    ];
  });
}

/**
 * Clicks and conversions by rule. A server that doesn't know which rule a conversion came by has no
 * rates.
 *
 * @param {Link} link
 * @returns {Promise<{counts: Counts, hasConversions: boolean}>}
 */
async function results({ domain, slug }) {
  const { from, to } = dates();
  const link = `${domain}/${slug}`;
  const { timeZone } = zone;
  const [clicks, conversions] = await Promise.all([
    get(withQuery("/api/v1/clicks", { link, from, to, timeZone, interval: "total", by: "rule" })),
    get(withQuery("/api/v1/conversions", { link, from, to, by: "rule" })).catch((error) => {
      if (error instanceof Problem && error.status === 422) return null;
      throw error;
    }),
  ]);
  /** @type {Counts} */
  const counts = new Map();
  for (const { by } of clicks.series) {
    for (const { value: rule = null, rest, people } of by?.rule ?? []) {
      const value = rest ? texts.clicks.rest : rule;
      counts.set(value, { clicks: sum(counts, [value]).clicks + people, conversions: 0 });
    }
  }
  for (const { value, count } of conversions?.groups ?? []) {
    counts.set(value, { ...sum(counts, [value]), conversions: count });
  }
  return { counts, hasConversions: conversions !== null };
}

/**
 * @param {Counts} counts
 * @param {(string | null)[]} values
 */
function sum(counts, values) {
  const total = { clicks: 0, conversions: 0 };
  for (const value of values) {
    const found = counts.get(value);
    total.clicks += found?.clicks ?? 0;
    total.conversions += found?.conversions ?? 0;
  }
  return total;
}

/**
 * @param {Rule[]} rules
 * @param {Counts} counts
 * @param {boolean} hasConversions
 */
function resultsTable(rules, counts, hasConversions) {
  /** @type {(string | null)[]} */
  const own = [...rules.map(valueOf), null];
  // Rules that the link had under another name, and those of its application.
  const others = [...counts.keys()].filter((value) => !own.includes(value));
  const all = sum(counts, [...counts.keys()]).clicks;
  return table(
    formatText(resultTexts.caption, texts.periods[period()]),
    [
      texts.clickFields.rule,
      texts.clicks.title,
      texts.clicks.share,
      ...(hasConversions ? [texts.clicks.conversions, resultTexts.rate] : []),
    ],
    [...own, ...others].map((value) => {
      const counted = sum(counts, [value]);
      const index = own.indexOf(value);
      const name = index < 0 ? value : nameOf(rules, value === null ? null : index);
      return [
        value === texts.clicks.rest ? name : anchor(hashWith({ rule: value ?? "none" }), name),
        formatCount(counted.clicks),
        formatShare(counted.clicks, all),
        ...(hasConversions ? [formatCount(counted.conversions), rate(counted)] : []),
      ];
    }),
    "plain numbers cards",
  );
}

/** @param {import("./rates.js").Counted} counted */
function rate(counted) {
  if (!counted.clicks || counted.conversions > counted.clicks) return "–";
  const { low, high } = interval(counted);
  const text = formatText(resultTexts.between, formatRate(low), formatRate(high));
  return html.span(formatRate(rateOf(counted)), " ", html.small({ class: "nowrap" }, text));
}

/**
 * @param {Rule[]} rules
 * @param {number | null} index
 */
function nameOf(rules, index) {
  if (index === null) return resultTexts.noRule;
  return rules[index].name ?? formatText(pageTexts.rules.numbered, index + 1);
}

/**
 * @param {Extract<import("./rates.js").Verdict, {best: number}>} found
 * @param {string} name
 */
function sentence({ kind, by, span }, name) {
  const level = kind === "better" ? [formatPercent(LEVEL)] : [];
  const numbers = [by, span.low, span.high].map(formatPoints);
  return formatText(resultTexts[kind], name, ...level, ...numbers);
}
