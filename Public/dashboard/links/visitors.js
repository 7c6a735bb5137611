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
export const VISITORS = [
  [
    "iPhone, Safari",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 " +
      "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "iPhone, Instagram",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 " +
      "(KHTML, like Gecko) Mobile/15E148 Instagram 350.0.0.0 (iPhone15,2; iOS 18_0; " +
      "en_US; en; scale=3.00; 1179x2556; 0)",
  ],
  [
    "iPad, Safari",
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like " +
      "Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Android, Chrome",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
      "Chrome/130.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Mac, Safari",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, " +
      "like Gecko) Version/18.0 Safari/605.1.15",
  ],
  [
    "Windows, Edge",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like " +
      "Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
  ],
  ["Linux, Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"],
  [pageTexts.explain.whatsAppPreview, "WhatsApp/2.24.20.0 A"],
];

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
 * @param {string | null} [at]  the moment of the visits; none is now
 */
export async function whoGoesWhere(url, rules, at = null) {
  const explainTexts = pageTexts.explain;
  const answers = await Promise.all(
    VISITORS.map(([, agent]) => explain(url, { "User-Agent": agent }, at)),
  );
  const decided = answers.find(({ candidates }) =>
    candidates.some(({ source }) => source.startsWith("link.rules")),
  );
  // Shares of an earlier time are not those of the link as it is now.
  if (!rules && decided?.link && !at) rules = (await get(linkPath(decided.link))).rules;
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
