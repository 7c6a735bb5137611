// Conversions in the period of a report: how many, and what they brought.
import { linkHash } from "../frame/address.js";
import { get, withQuery } from "../shared/api.js";
import { anchor, button, html, table } from "../shared/element.js";
import { formatCount, formatMoney } from "../shared/formats.js";
import { linkPath, nameIn } from "../shared/link-parts.js";
import { fill } from "../shared/pane.js";
import { formatText, inSentence, texts } from "../shared/texts.js";

const clickTexts = texts.clicks;
/** Rows that are seen without unfolding the others, and rows of a list. */
const FEW = 8;
const MOST = 50;

/**
 * A panel for each field; nothing where there are no conversions.
 *
 * @param {Query} period
 * @param {string[]} fields
 * @param {(Name & {title: string | null})[]} known  links whose titles are known
 */
export async function conversions(period, fields, known) {
  const lists = await Promise.all(
    fields.map((by) => get(withQuery("/api/v1/conversions", { ...period, by }))),
  );
  if (!lists.some(({ groups }) => groups.length)) return null;
  const titles = new Map(
    known.map(({ domain, slug, title }) => [`${domain}/${slug}`, title ?? slug]),
  );
  const panels = await Promise.all(
    lists.map(({ groups }, index) => panel(fields[index], groups, titles)),
  );
  return [html.h2(clickTexts.conversions), html.div({ class: "panels" }, panels)];
}

/**
 * @param {string} field
 * @param {Group[]} groups
 * @param {Map<string, string>} titles
 */
async function panel(field, groups, titles) {
  const sorted = [...groups].sort((first, second) => second.count - first.count).slice(0, MOST);
  if (field === "link") {
    const unknown = sorted
      .slice(0, FEW)
      .map(({ value }) => value ?? "")
      .filter((value) => value && !titles.has(value));
    await Promise.all(unknown.map((value) => lookUp(value, titles)));
  }
  const name = texts.conversionFields[field];
  const section = html.section({
    "aria-label": formatText(clickTexts.conversionsBy, inSentence(name)),
  });
  /**
   * @param {boolean} isWhole
   * @returns {void}
   */
  const show = (isWhole) =>
    fill(section, [
      table(
        formatText(clickTexts.conversionsBy, inSentence(name)),
        [name, clickTexts.conversionCount, clickTexts.sums],
        (isWhole ? sorted : sorted.slice(0, FEW)).map((group) => [
          html.div({ class: "name" }, nameOf(field, group.value, titles)),
          formatCount(group.count),
          Object.entries(group.sums).map(([currency, sum]) =>
            html.div({ class: "nowrap" }, formatMoney(sum, currency)),
          ),
        ]),
        "plain numbers",
      ),
      !isWhole &&
        button(
          formatText(clickTexts.all, `${sorted.length} ${texts.clickPlurals[field]}`),
          () => show(true),
          { class: "quiet small" },
        ),
    ]);
  show(sorted.length <= FEW);
  return section;
}

/**
 * Adds the title of a link. One that is deleted has none.
 *
 * @param {string} value
 * @param {Map<string, string>} titles
 */
async function lookUp(value, titles) {
  try {
    const { title, slug } = await get(linkPath(nameIn(value)));
    titles.set(value, title ?? slug);
  } catch {
    // Its address is shown instead.
  }
}

/**
 * @param {string} field
 * @param {string | null} value
 * @param {Map<string, string>} titles
 */
function nameOf(field, value, titles) {
  if (!value) return html.span(clickTexts.noValue);
  return field === "link"
    ? anchor(linkHash(nameIn(value)), titles.get(value) ?? value, { title: value })
    : html.span({ title: value }, value);
}
