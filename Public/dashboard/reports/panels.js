// Panels of a report: the most frequent values of a field as bars, each of which is a filter.
import { currentAddress, hashWith, linkHash, refine } from "../frame/address.js";
import { button, html, table } from "../shared/element.js";
import { formatCount, formatShare } from "../shared/formats.js";
import { fill } from "../shared/pane.js";
import { formatText, inSentence, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";

const clickTexts = texts.clicks;
/** Rows that are seen without unfolding the others, and rows of a panel. */
const FEW = 8;
const MOST = 50;

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
 * All panels of a report.
 *
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
        rows.slice(0, MOST),
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
    ({ field, values }) => ({ field, rows: values.map((entry) => row(field, entry)) }),
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
    { class: "periods", "aria-label": clickTexts.by },
    choice.map((offered) =>
      html.a(
        { href: hashWith({ by: offered }), "aria-current": offered === field && "true" },
        texts.clickFields[offered],
      ),
    ),
  );

/**
 * @param {string} field
 * @param {any} entry  of a list of `top`, or of `by`
 * @returns {Row}
 */
function row(field, { value, rest, domain, slug, title, people, bots }) {
  if (field === "link") {
    const href = linkHash({ domain, slug });
    return { text: title ?? slug, filter: `${domain}/${slug}`, href, people, bots };
  }
  if (rest) return { text: clickTexts.rest, filter: null, people, bots };
  return { text: valueName(field, value), filter: value ?? "none", people, bots };
}

/**
 * The values of a field in all intervals, the most frequent first.
 *
 * @param {Clicks["series"]} series
 * @param {string} field
 * @returns {Share[]}
 */
function sums(series, field) {
  /** @type {Map<string | null | undefined, Share>} */
  const found = new Map();
  for (const share of series.flatMap((interval) => interval.by?.[field] ?? [])) {
    const key = share.rest ? undefined : (share.value ?? null);
    const sum = found.get(key) ?? { value: share.value, rest: share.rest, people: 0, bots: 0 };
    found.set(key, { ...sum, people: sum.people + share.people, bots: sum.bots + share.bots });
  }
  return [...found.values()].sort(
    (first, second) => second.people - first.people || second.bots - first.bots,
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
  /** @param {boolean} isWhole */
  const show = (isWhole) =>
    fill(section, [
      head,
      table(
        formatText(clickTexts.breakdown, inSentence(name)),
        [
          name,
          changes ? [clickTexts.title, html.div(html.small(clickTexts.change))] : clickTexts.title,
          clickTexts.share,
        ],
        (isWhole ? rows : rows.slice(0, FEW)).map((row) => cells(row, field, most, whole, changes)),
        "plain numbers",
      ),
      rows.length === 0 && html.p({ class: "soft" }, clickTexts.nothing),
      !isWhole &&
        button(
          formatText(clickTexts.all, `${rows.length} ${texts.clickPlurals[field]}`),
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
  show(currentAddress().query.get("more") === field || rows.length <= FEW);
  return section;
}

/**
 * The flag of a country, as fonts draw it.
 *
 * @param {string} code  such as "DE"
 */
const flag = (code) =>
  /^[A-Z]{2}$/.test(code) &&
  String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));

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
        : html.a(
            {
              href: hashWith({ [field]: filter }),
              title: formatText(clickTexts.onlyThis, text),
              "data-flag": field === "country" && flag(filter),
            },
            text,
          ),
      href &&
        html.a({ class: "soft", href, "aria-label": formatText(clickTexts.openLink, text) }, "↗"),
    ),
    [
      html.span({ title: formatText(clickTexts.botsToo, formatCount(bots)) }, formatCount(people)),
      changes?.get(filter),
    ],
    html.span(
      { class: "meter" },
      html.meter({ min: 0, max: most, value: people, "aria-hidden": "true" }),
      " ",
      formatShare(people, whole),
    ),
  ];
}
