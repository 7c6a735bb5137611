// Statistics of all links or of one: numbers, chart, panels whose bars are filters. The address
// holds the whole state.
import { currentAddress, go, hashWith } from "../frame/address.js";
import { get, withQuery } from "../shared/api.js";
import { button, facts, html } from "../shared/element.js";
import { select } from "../shared/fields.js";
import { formatChange, formatCount, useUTC, zone } from "../shared/formats.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";
import { chart } from "./chart.js";
import { LISTS, panels } from "./panels.js";
import { dates, periodKeys, periodMenu } from "./period.js";

const clickTexts = texts.clicks;
const FILTERS = [
  "app",
  "domain",
  "tag",
  "link",
  "platform",
  "device",
  "browser",
  "inApp",
  "bot",
  "language",
  "country",
  "referrerHost",
  "campaign",
  "destination",
  "rule",
];
/** Fields that each have a panel, and those of which one is chosen. */
const BASE = ["platform", "device", "browser"];
const FURTHER = ["language", "inApp", "destination", "bot"];

/** What the address asks for. */
function selection() {
  const { query } = currentAddress();
  const compare = query.get("compare") ?? "";
  return {
    by: FURTHER.find((field) => field === query.get("by")) ?? FURTHER[0],
    compare: ["year", "none"].includes(compare) ? compare : "previous",
    filters: Object.fromEntries(
      FILTERS.filter((name) => query.get(name)).map((name) => [name, query.get(name)]),
    ),
  };
}

/**
 * Those of the request.
 *
 * @param {string} [link]  its domain and slug
 */
function parameters(link) {
  const { by, compare, filters } = selection();
  return {
    ...dates(),
    timeZone: zone.timeZone,
    by: [...BASE, by].join(","),
    top: Object.keys(LISTS)
      .filter((list) => !link || list !== "links")
      .join(","),
    compare: compare === "none" ? null : compare,
    ...filters,
    ...(link ? { link } : {}),
  };
}

/**
 * The request of the report.
 *
 * @param {string} [link]  its domain and slug
 */
export const reportTarget = (link) => withQuery("/api/v1/clicks", parameters(link));

/**
 * @param {HTMLElement} section
 * @param {ReportOptions} options
 */
export function showReport(section, options) {
  const { link, title, empty, found, live, attention } = options;
  const { compare, filters } = selection();
  const asked = parameters(link);
  const result = html.div();
  const further = html.div();
  const periods = [
    ["", clickTexts.vsBefore],
    ["year", clickTexts.yearBefore],
    ["none", clickTexts.nothingToCompare],
  ];
  section.replaceChildren(
    title,
    html.div(
      { class: "toolbar" },
      periodMenu(),
      html.label(
        { class: "inline", change: ({ target }) => go(hashWith({ compare: target.value })) },
        html.span({ class: "unseen" }, clickTexts.compare),
        select("compare", periods, compare === "previous" ? "" : compare),
      ),
      zone.timeZone !== zone.own && html.span({ class: "soft" }, clickTexts.inUTC),
    ),
    ...(Object.keys(filters).length ? [filterChips(filters)] : []),
    result,
    further,
  );
  load(result, async () => {
    /** @type {Clicks} */
    const clicks = await get(withQuery("/api/v1/clicks", asked)).catch((error) => {
      if (!error.errors?.some((/** @type {FieldError} */ { field }) => field === "timeZone")) {
        throw error;
      }
      // The service does not know the zone of the browser.
      useUTC();
      showReport(section, options);
    });
    if (!clicks) return null;
    const before = clicks.compared?.total.people
      ? await (await import("./comparison.js")).comparison(clicks, asked)
      : null;
    found?.(clicks);
    const save = async () => (await import("./csv-file.js")).saveCSV(clicks);
    const share = async () => {
      const { shareReport } = await import("./share.js");
      shareReport(reportTarget(link), link ?? texts.pages.overview);
    };
    const file = html.div(
      { class: "buttons" },
      button(clickTexts.csv, save, { class: "quiet small" }),
      button(clickTexts.shareReport, share, { class: "quiet small" }),
    );
    // Conversions have fewer fields than clicks.
    const { app, link: filteredLink, campaign, ...others } = filters;
    if (!Object.keys(others).length) {
      const { from, to } = clicks;
      const span = { from, to, app, link: filteredLink ?? link, campaign };
      load(further, async () =>
        (await import("./conversions.js")).conversions(
          span,
          link ? ["name"] : ["name", "link", "campaign"],
          clicks.top.links ?? [],
        ),
      );
    }
    if (!clicks.total.people && !clicks.total.bots && !before) {
      const isFiltered = Object.keys(filters).length > 0;
      const notice = isFiltered
        ? emptyNotice(clickTexts.noneSuch, clickTexts.noneSuchDetail)
        : await empty();
      return [notice, await live?.(), attention];
    }
    const line = await live?.();
    return [
      totals(clicks),
      before?.note,
      line,
      chart(clicks, before?.partners ?? null, file),
      !clicks.complete && html.p({ class: "soft" }, clickTexts.incomplete),
      attention,
      panels(clicks, FURTHER, before?.changes),
    ];
  });
}

/**
 * What the report is filtered by; each filter can be taken away.
 *
 * @param {Record<string, string | null>} filters
 */
const filterChips = (filters) =>
  html.p(
    { class: "chips" },
    Object.entries(filters).map(([field, value]) => {
      const text = formatText(texts.labelled, texts.clickFields[field], valueName(field, value));
      return html.a(
        {
          class: "tag",
          href: hashWith({ [field]: null }),
          "aria-label": formatText(clickTexts.withoutFilter, text),
        },
        text,
        " ×",
      );
    }),
  );

/** @param {Clicks} clicks */
export function totals({ total, compared }) {
  /**
   * @param {"people" | "visitors" | "bots"} name
   * @param {Content} label
   */
  const number = (name, label) => {
    const current = total[name];
    if (current === null) return [label, "–"];
    const before = compared?.total[name];
    if (!before) return [label, formatCount(current)];
    const than = formatText(clickTexts.then, formatCount(before));
    const change = html.small({ dir: "auto" }, formatChange(current, before), " ", than);
    return [label, [formatCount(current), " ", change]];
  };
  return [
    facts("totals", [
      number("people", clickTexts.title),
      number("visitors", html.span({ title: clickTexts.visitorsHint }, clickTexts.visitors)),
      number("bots", clickTexts.bots),
    ]),
    compared && !compared.total.people && html.p({ class: "soft" }, clickTexts.noneBefore),
  ];
}

export function reportKeys() {
  const toggle = () => go(hashWith({ compare: selection().compare === "none" ? null : "none" }));
  return [
    ...periodKeys(),
    { key: "x", text: clickTexts.compare, run: toggle },
    {
      key: "Escape",
      text: clickTexts.clear,
      run: () => go(hashWith(Object.fromEntries(FILTERS.map((name) => [name, null])))),
    },
  ];
}
