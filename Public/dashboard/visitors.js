// "Who goes where": the visitors that a link is tried with.
import { call, html, table, texts } from "./base.js";

/** Names and User-Agents. */
export const VISITORS = Object.entries(texts.visitors);

/** @param {string} url @param {Record<string, string>} headers @param {string | null} [at] @returns {Promise<Explanation>} */
export async function explain(url, headers, at = null) {
  return (await call("POST", "/api/v1/explain", { body: { url, headers, ...at ? { at } : {} } })).content;
}

/** @param {string} url */
export async function whoGoesWhere(url) {
  const t = texts.explain;
  const answers = await Promise.all(VISITORS.map(([, agent]) => explain(url, { "User-Agent": agent })));
  return table(t.whoGoesWhere, [t.visitor, t.outcome, t.destination], VISITORS.map(([name], place) => {
    const answer = answers[place];
    return [name, texts.outcomes[answer.outcome] ?? answer.outcome, html.span({ class: "destination" }, leadsTo(answer))];
  }), "cards");
}

/** @param {Explanation} answer */
export function leadsTo(answer) {
  return answer.candidates.find(({ taken }) => taken)?.url ?? answer.response.headers.Location ?? "–";
}
