// "Who goes where": the visitors that a link is tried with.
import { call, element, table, texts } from "./base.js";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ";

/** @type {[string, string][]} */
export const VISITORS = [
  ["iPhone, Safari", IPHONE + "Version/18.0 Mobile/15E148 Safari/604.1"],
  ["iPhone, Instagram", IPHONE + "Mobile/15E148 Instagram 350.0.0.0 (iPhone15,2; iOS 18_0; en_US; en; scale=3.00; 1179x2556; 0)"],
  ["iPad, Safari", "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"],
  ["Android, Chrome", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"],
  ["Mac, Safari", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"],
  ["Windows, Edge", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0"],
  ["Linux, Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"],
  ["WhatsApp preview", "WhatsApp/2.24.20.0 A"],
];

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
    return [name, texts.outcomes[answer.outcome] ?? answer.outcome, element("span", { class: "destination" }, leadsTo(answer))];
  }), "cards");
}

/** @param {Explanation} answer */
export function leadsTo(answer) {
  return answer.candidates.find(({ taken }) => taken)?.url ?? answer.response.headers.Location ?? "–";
}
