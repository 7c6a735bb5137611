// Statistics of all links or of one: numbers, chart, panels whose bars are filters. The address
// holds the whole state.
import { changed, current, go } from "../frame/address.js";
import { get, query } from "../shared/api.js";
import { button, facts, html } from "../shared/element.js";
import { select } from "../shared/fields.js";
import { change, count, useUTC, zone } from "../shared/formats.js";
import { emptyNotice, load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";
import { chart } from "./chart.js";
import { LISTS, panels } from "./panels.js";
import { dates, periodKeys, periodMenu } from "./period.js";

const t = texts.clicks;
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
];
const BASE = ["platform", "device", "browser"];
const FURTHER = ["language", "inApp", "destination", "bot"];

/** What the address asks for. */
function selection() {
  const { query: now } = current();
  const compare = now.get("compare") ?? "";
  return {
    by: FURTHER.includes(now.get("by") ?? "") ? (now.get("by") ?? "") : "language",
    compare: ["year", "none"].includes(compare) ? compare : "previous",
    filters: Object.fromEntries(
      FILTERS.filter((name) => now.get(name)).map((name) => [name, now.get(name)]),
    ),
  };
}

/** @param {string} [link]  its domain and slug */
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
export const reportTarget = (link) => query("/api/v1/clicks", parameters(link));

/**
 * @param {HTMLElement} section
 * @param {{link?: string, title: string | Node, empty: () => Promise<Child> | Child, found?:
 *   (clicks: Clicks) => void}} options
 */
export function showReport(section, options) {
  const { link, title, empty, found } = options;
  const { compare, filters } = selection();
  const asked = parameters(link);
  const [result, further] = [html.div(), html.div()];
  const file = button(t.csv, () => {}, { class: "quiet small", hidden: true });
  const periods = [
    ["", t.before],
    ["year", t.yearBefore],
    ["none", t.nothingToCompare],
  ];
  section.replaceChildren(
    title,
    html.div(
      { class: "toolbar" },
      periodMenu(),
      html.label(
        { class: "inline", change: ({ target }) => go(changed({ compare: target.value })) },
        t.compare,
        select("compare", periods, compare === "previous" ? "" : compare),
      ),
      file,
      zone.timeZone !== zone.own && html.span({ class: "soft" }, t.inUTC),
    ),
    ...(Object.keys(filters).length
      ? [
          html.p(
            { class: "chips" },
            Object.entries(filters).map(([field, value]) => {
              const text = `${texts.clickFields[field]}: ${valueName(field, value)}`;
              return html.a(
                {
                  class: "tag",
                  href: changed({ [field]: null }),
                  "aria-label": say(t.withoutFilter, text),
                },
                text,
                " ×",
              );
            }),
          ),
        ]
      : []),
    result,
    further,
  );
  load(result, async () => {
    /** @type {Clicks} */
    const clicks = await get(query("/api/v1/clicks", asked)).catch((error) => {
      if (!error.errors?.some((/** @type {FieldError} */ { field }) => field === "timeZone"))
        throw error;
      useUTC();
      showReport(section, options);
    });
    if (!clicks) return null;
    const before = clicks.compared?.total.people
      ? await (await import("./comparison.js")).comparison(clicks, asked)
      : null;
    found?.(clicks);
    file.addEventListener("click", async () => (await import("./csv-file.js")).saveCSV(clicks));
    file.hidden = false;
    const { app, link: one = link, campaign, ...others } = filters;
    if (!Object.keys(others).length) {
      const span = { from: clicks.from, to: clicks.to, app, link: one, campaign };
      load(further, async () =>
        (await import("./conversions.js")).conversions(
          span,
          link ? ["name"] : ["name", "link", "campaign"],
          clicks.top.links ?? [],
        ),
      );
    }
    if (!clicks.total.people && !clicks.total.bots && !before) {
      return Object.keys(filters).length ? emptyNotice(t.noneSuch, t.noneSuchDetail) : empty();
    }
    return [
      totals(clicks),
      before?.note,
      chart(clicks, before?.partners ?? null),
      !clicks.complete && html.p({ class: "soft" }, t.incomplete),
      panels(clicks, FURTHER, before?.changes),
    ];
  });
}

/** @param {Clicks} clicks */
function totals({ total, compared }) {
  const number = (
    /** @type {"people" | "visitors" | "bots"} */ name,
    /** @type {Content} */ label,
  ) => {
    const [now, old] = [total[name], compared?.total[name]];
    const than =
      now !== null && old
        ? html.small({ dir: "auto" }, change(now, old), " ", say(t.then, count(old)))
        : "";
    return [label, [now === null ? "–" : count(now), " ", than]];
  };
  return [
    facts("totals", [
      number("people", t.title),
      number("visitors", html.span({ title: t.visitorsHint }, t.visitors)),
      number("bots", t.bots),
    ]),
    compared && !compared.total.people && html.p({ class: "soft" }, t.noneBefore),
  ];
}

export function reportKeys() {
  const toggle = () => go(changed({ compare: selection().compare === "none" ? null : "none" }));
  return [
    ...periodKeys(),
    { key: "x", text: t.compare, run: toggle },
    {
      key: "Escape",
      text: t.clear,
      run: () => go(changed(Object.fromEntries(FILTERS.map((name) => [name, null])))),
    },
  ];
}
