// Conversions in the period of a report: how many, and what they brought.
import { linkHash } from "../frame/address.js";
import { get, query } from "../shared/api.js";
import { anchor, button, html, table } from "../shared/element.js";
import { count, money } from "../shared/formats.js";
import { linkPath } from "../shared/link-parts.js";
import { fill } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";

const t = texts.clicks;
const FEW = 8;

/**
 * Nothing where there are none.
 *
 * @param {Query} period
 * @param {string[]} fields
 * @param {(Name & {title: string | null})[]} known  links whose titles are known
 */
export async function conversions(period, fields, known) {
  const lists = await Promise.all(
    fields.map((by) => get(query("/api/v1/conversions", { ...period, by }))),
  );
  if (!lists.some(({ groups }) => groups.length)) return null;
  const titles = new Map(
    known.map(({ domain, slug, title }) => [`${domain}/${slug}`, title ?? slug]),
  );
  const panels = await Promise.all(
    lists.map(({ groups }, at) => panel(fields[at], groups, titles)),
  );
  return [html.h2(t.conversions), html.div({ class: "panels" }, panels)];
}

/**
 * @param {string} field
 * @param {Group[]} groups
 * @param {Map<string, string>} titles
 */
async function panel(field, groups, titles) {
  const sorted = groups.sort((one, other) => other.count - one.count).slice(0, 50);
  if (field === "link") {
    const unknown = sorted
      .slice(0, FEW)
      .map(({ value }) => value ?? "")
      .filter((value) => value && !titles.has(value));
    await Promise.all(unknown.map((value) => lookUp(value, titles)));
  }
  const name = texts.conversionFields[field];
  const section = html.section({ "aria-label": say(t.conversionsBy, name.toLowerCase()) });
  /**
   * @param {boolean} isWhole
   * @returns {void}
   */
  const show = (isWhole) =>
    fill(section, [
      table(
        say(t.conversionsBy, name.toLowerCase()),
        [name, t.conversionCount, t.sums],
        (isWhole ? sorted : sorted.slice(0, FEW)).map((one) => [
          html.div({ class: "name" }, nameOf(field, one.value, titles)),
          count(one.count),
          Object.entries(one.sums).map(([currency, sum]) =>
            html.div({ class: "nowrap" }, money(sum, currency)),
          ),
        ]),
        "plain numbers",
      ),
      !isWhole &&
        button(say(t.all, String(sorted.length)), () => show(true), { class: "quiet small" }),
    ]);
  show(sorted.length <= FEW);
  return section;
}

/** @param {string} address */
function nameIn(address) {
  const [domain, ...slug] = address.split("/");
  return { domain, slug: slug.join("/") };
}

/**
 * @param {string} value
 * @param {Map<string, string>} titles
 */
const lookUp = (value, titles) =>
  get(linkPath(nameIn(value))).then(
    ({ title, slug }) => {
      titles.set(value, title ?? slug);
    },
    () => {},
  );

/**
 * @param {string} field
 * @param {string | null} value
 * @param {Map<string, string>} titles
 */
function nameOf(field, value, titles) {
  if (!value) return html.span(t.noValue);
  return field === "link"
    ? anchor(linkHash(nameIn(value)), titles.get(value) ?? value, { title: value })
    : html.span({ title: value }, value);
}
