// "Who goes where": the visitors that a link is tried with.
import { call, get } from "../shared/api.js";
import { html, table } from "../shared/element.js";
import { percent } from "../shared/formats.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { say, texts } from "../shared/texts.js";
import { shareOf } from "./rules.js";

/** Names and User-Agents. */
export const VISITORS = Object.entries(pageTexts.visitors);

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {string | null} [at]
 * @returns {Promise<Explanation>}
 */
export async function explain(url, headers, at = null) {
  return (await call("POST", "/api/v1/explain", { body: { url, headers, ...(at ? { at } : {}) } }))
    .content;
}

/**
 * @param {string} url
 * @param {Rule[]} [rules]  of the link, if it is known
 */
export async function whoGoesWhere(url, rules) {
  const t = pageTexts.explain;
  const answers = await Promise.all(
    VISITORS.map(([, agent]) => explain(url, { "User-Agent": agent })),
  );
  const decided = answers.find(({ candidates }) =>
    candidates.some(({ source }) => source.startsWith("link.rules")),
  );
  if (!rules && decided?.link) rules = (await get(linkPath(decided.link))).rules;
  return table(
    t.whoGoesWhere,
    [t.visitor, t.outcome, t.destination],
    VISITORS.map(([name], place) => {
      const answer = answers[place];
      const share = shareOf(answer, rules);
      return [
        name,
        texts.outcomes[answer.outcome] ?? answer.outcome,
        html.span(
          { class: "destination" },
          leadsTo(answer),
          share && [" ", html.span({ class: "state" }, say(pageTexts.rules.share, percent(share)))],
        ),
      ];
    }),
    "cards",
  );
}

/** @param {Explanation} answer */
export function leadsTo(answer) {
  return (
    answer.candidates.find(({ taken }) => taken)?.url ?? answer.response.headers.Location ?? "–"
  );
}
