// Conversions in the period of a report: how many, and what they brought. Sums stay text, for they are exact.
import { count, get, html, query, say, table, texts } from "./base.js";

const t = texts.clicks;

// Nothing where there are none.
/** @param {Query} period @param {string[]} fields */
export async function conversions(period, fields) {
  const lists = await Promise.all(fields.map((by) => get(query("/api/v1/conversions", { ...period, by }))));
  return lists.some(({ groups }) => groups.length) && [html.h2(t.conversions), html.div({ class: "panels" }, lists.map(({ groups }, at) => {
    const name = texts.conversionFields[fields[at]];
    return table(say(t.conversionsBy, name.toLowerCase()), [name, t.number, t.sums], groups.sort((/** @type {Group} */ one, /** @type {Group} */ other) => other.count - one.count).slice(0, 50).map((/** @type {Group} */ one) =>
      [one.value ?? t.noValue, count(one.count), Object.entries(one.sums).map(([currency, sum]) => `${sum} ${currency}`).join(", ")]), "plain numbers");
  }))];
}
