// "Who goes where": the visitors that a link is tried with.
import { call, get } from "../shared/api.js";
import { html, table } from "../shared/element.js";
import { formatPercent } from "../shared/formats.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";
import { shareOf } from "./rules.js";
import "./styles.js";

/** Names and User-Agents. */
export const VISITORS = Object.entries(pageTexts.visitors);

/**
 * What the service would do with a visit, without counting it.
 *
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {string | null} [at]
 * @returns {Promise<Explanation>}
 */
export async function explain(url, headers, at = null) {
  const body = { url, headers, ...(at ? { at } : {}) };
  return (await call("POST", "/api/v1/explain", { body })).content;
}

/**
 * A table: visitors, what happens, and where it leads. Those that fare alike share a row.
 *
 * @param {string} url
 * @param {Rule[]} [rules]  of the link, if it is known
 */
export async function whoGoesWhere(url, rules) {
  const explainTexts = pageTexts.explain;
  const answers = await Promise.all(
    VISITORS.map(([, agent]) => explain(url, { "User-Agent": agent })),
  );
  const decided = answers.find(({ candidates }) =>
    candidates.some(({ source }) => source.startsWith("link.rules")),
  );
  if (!rules && decided?.link) rules = (await get(linkPath(decided.link))).rules;
  /** @type {Map<string, {visitors: string[], answer: Explanation, share?: number}>} */
  const groups = new Map();
  VISITORS.forEach(([visitor], index) => {
    const answer = answers[index];
    const share = shareOf(answer, rules);
    const key = JSON.stringify([answer.outcome, leadsTo(answer), share]);
    const group = groups.get(key) ?? { visitors: [], answer, share };
    group.visitors.push(visitor);
    groups.set(key, group);
  });
  const people = answers.filter(({ visitor }) => !visitor.bot).length;
  /** @param {string[]} visitors */
  const names = (visitors) => {
    if (visitors.length === VISITORS.length) return pageTexts.rules.everyone;
    return visitors.length === people
      ? explainTexts.allPeople
      : visitors.map((visitor) => html.div(visitor));
  };
  return table(
    explainTexts.whoGoesWhere,
    [explainTexts.visitor, explainTexts.outcome, explainTexts.destination],
    [...groups.values()].map(({ visitors, answer, share }) => [
      html.div(names(visitors)),
      pageTexts.outcomes[answer.outcome] ?? answer.outcome,
      html.span(
        { class: "destination" },
        leadsTo(answer),
        share && [
          " ",
          html.span({ class: "state" }, formatText(pageTexts.rules.share, formatPercent(share))),
        ],
      ),
    ]),
    "cards titled",
  );
}

/**
 * The URL that a visitor ends at.
 *
 * @param {Explanation} answer
 */
export function leadsTo(answer) {
  return (
    answer.candidates.find(({ taken }) => taken)?.url ?? answer.response.headers.Location ?? "–"
  );
}
