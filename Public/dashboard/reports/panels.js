// Panels of a report: the most frequent values of a field as bars, each of which is a filter.
import { changed, current, linkHash, refine } from "../frame/address.js";
import { button, html, table } from "../shared/element.js";
import { count, share } from "../shared/formats.js";
import { fill } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";

const t = texts.clicks;
const FEW = 8;

/**
 * Lists of `top`, and the field that each one filters.
 *
 * @type {Record<string, string>}
 */
export const LISTS = {
  links: "link",
  referrers: "referrerHost",
  countries: "country",
  campaigns: "campaign",
};

/**
 * @param {Clicks} clicks
 * @param {string[]} choice  the fields offered by the last panel
 * @param {Comparison["changes"]} [changes]
 */
export const panels = (clicks, choice, changes) =>
  html.div(
    { class: "panels" },
    rowsByField(clicks).map(({ field, rows }) =>
      panel(
        field,
        rows.slice(0, 50),
        clicks.total.people,
        choice.includes(field) && tabs(field, choice),
        changes?.[field],
      ),
    ),
  );

/**
 * The rows of each panel.
 *
 * @param {Clicks} clicks
 */
export function rowsByField({ top, series, by }) {
  const lists = Object.entries(LISTS)
    .filter(([list]) => top[list])
    .map(([list, field]) => ({ field, values: top[list] }));
  return [...lists, ...by.map((field) => ({ field, values: sums(series, field) }))].map(
    ({ field, values }) => ({ field, rows: values.map((one) => row(field, one)) }),
  );
}

/**
 * The fields of one panel, as links.
 *
 * @param {string} field
 * @param {string[]} choice
 */
const tabs = (field, choice) =>
  html.nav(
    { class: "periods", "aria-label": t.by },
    choice.map((one) =>
      html.a(
        { href: changed({ by: one }), "aria-current": one === field && "true" },
        texts.clickFields[one],
      ),
    ),
  );

/**
 * @param {string} field
 * @param {any} one  of a list of `top`, or of `by`
 * @returns {Row}
 */
function row(field, { value, rest, domain, slug, title, people, bots }) {
  return field === "link"
    ? {
        text: title ?? slug,
        filter: `${domain}/${slug}`,
        href: linkHash({ domain, slug }),
        people,
        bots,
      }
    : {
        text: rest ? t.rest : valueName(field, value),
        filter: rest ? null : (value ?? "none"),
        people,
        bots,
      };
}

/**
 * @param {Clicks["series"]} series
 * @param {string} field
 * @returns {Share[]}
 */
function sums(series, field) {
  /** @type {Map<string | null | undefined, Share>} */
  const found = new Map();
  for (const one of series.flatMap((interval) => interval.by?.[field] ?? [])) {
    const key = one.rest ? undefined : (one.value ?? null);
    const sum = found.get(key) ?? { value: one.value, rest: one.rest, people: 0, bots: 0 };
    found.set(key, { ...sum, people: sum.people + one.people, bots: sum.bots + one.bots });
  }
  return [...found.values()].sort(
    (one, other) => other.people - one.people || other.bots - one.bots,
  );
}

/**
 * @param {string} field
 * @param {Row[]} rows
 * @param {number} whole
 * @param {Content} head
 * @param {Map<string | null, Content>} [changes]  by filter
 */
function panel(field, rows, whole, head, changes) {
  const name = texts.clickFields[field];
  const most = Math.max(1, ...rows.map(({ people }) => people));
  const section = html.section({ "aria-label": name });
  const show = (isWhole = false) =>
    fill(section, [
      head,
      table(
        say(t.breakdown, name.toLowerCase()),
        [name, changes ? [t.title, html.div(html.small(t.change))] : t.title, t.share],
        (isWhole ? rows : rows.slice(0, FEW)).map((row) => cells(row, field, most, whole, changes)),
        "plain numbers",
      ),
      rows.length === 0 && html.p({ class: "soft" }, t.nothing),
      !isWhole &&
        button(
          say(t.all, `${rows.length} ${texts.clickPlurals[field]}`),
          () => {
            refine({ more: field });
            show(true);
            /** @type {HTMLElement | null} */ (
              section.querySelector(`tbody tr:nth-child(${FEW + 1}) a`)
            )?.focus();
          },
          { class: "quiet small" },
        ),
    ]);
  show(current().query.get("more") === field || rows.length <= FEW);
  return section;
}

/**
 * @param {Row} row
 * @param {string} field
 * @param {number} most
 * @param {number} whole
 * @param {Map<string | null, Content>} [changes]
 */
function cells({ text, filter, href, people, bots }, field, most, whole, changes) {
  return [
    html.div(
      { class: "name" },
      filter === null
        ? html.span({ title: text }, text)
        : html.a({ href: changed({ [field]: filter }), title: say(t.onlyThis, text) }, text),
      href && html.a({ class: "soft", href, "aria-label": say(t.openLink, text) }, "↗"),
    ),
    [html.span({ title: say(t.botsToo, count(bots)) }, count(people)), changes?.get(filter)],
    html.span(
      { class: "meter" },
      html.meter({ min: 0, max: most, value: people, "aria-hidden": "true" }),
      " ",
      share(people, whole),
    ),
  ];
}
