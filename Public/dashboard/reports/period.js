// Periods of statistics: whole days of `zone`. Letters as in other dashboards, so that hands know
// them.
import { currentAddress, go, hashWith } from "../frame/address.js";
import { setting } from "../shared/setting.js";
import { html } from "../shared/element.js";
import { select, values } from "../shared/fields.js";
import { localHour } from "../shared/formats.js";
import { texts } from "../shared/texts.js";

const clickTexts = texts.clicks;
const SETTING = "waymark-period";

/**
 * The key of each period.
 *
 * @type {Record<string, string>}
 */
const KEYS = {
  day: "d",
  yesterday: "e",
  "7d": "w",
  "28d": "f",
  "91d": "n",
  month: "m",
  lastMonth: "p",
  year: "y",
  "12mo": "l",
  custom: "",
};

/**
 * A day before today, such as "2026-11-21".
 *
 * @param {{days?: number, months?: number, date?: number}} [distance]  from today, or from another
 *   date of this month
 */
function ago(distance = {}) {
  const { days = 0, months = 0, date } = distance;
  const [year, month, today] = localHour(Date.now()).split(/\D/).map(Number);
  const day = new Date(Date.UTC(year, month - 1 - months, (date ?? today) - days));
  return day.toISOString().slice(0, 10);
}

/** The period that the address names, else the one chosen last. */
export function period() {
  const named = currentAddress().query.get("period");
  const name = setting(SETTING, named) ?? named;
  const isKnown = name && name in KEYS;
  // The days of the address are not kept.
  const lacksDays = name === "custom" && !currentAddress().query.get("from");
  return isKnown && !lacksDays ? name : "28d";
}

/**
 * The days of the period, the last one included.
 *
 * @returns {{from: string, to: string, interval: "hour" | "day"}}
 */
export function dates() {
  const { query } = currentAddress();
  /** @type {Record<string, [string, string]>} */
  const spans = {
    day: [ago(), ago()],
    yesterday: [ago({ days: 1 }), ago({ days: 1 })],
    "7d": [ago({ days: 6 }), ago()],
    "28d": [ago({ days: 27 }), ago()],
    "91d": [ago({ days: 90 }), ago()],
    month: [ago({ date: 1 }), ago()],
    lastMonth: [ago({ date: 1, months: 1 }), ago({ date: 1, days: 1 })],
    year: [`${ago().slice(0, 4)}-01-01`, ago()],
    "12mo": [ago({ months: 12, days: -1 }), ago()],
    custom: [query.get("from") ?? ago({ days: 27 }), query.get("to") || ago()],
  };
  const [from, to] = spans[period()];
  return { from, to, interval: from === to ? "hour" : "day" };
}

export function periodMenu() {
  const chosen = period();
  const { from, to } = dates();
  /**
   * @param {string} name
   * @param {string} label
   * @param {string} value
   */
  const day = (name, label, value) =>
    html.label(
      { class: "inline" },
      label,
      html.input({ type: "date", name, value, max: ago(), required: true }),
    );
  const custom = html.form(
    {
      class: "toolbar",
      submit: (event) => {
        event.preventDefault();
        const { from, to } = values(custom);
        go(hashWith({ period: "custom", from, to }));
      },
    },
    day("from", clickTexts.from, from),
    day("to", clickTexts.until, to),
    html.button(clickTexts.show),
  );
  const choice = select(
    "period",
    Object.keys(KEYS).map((name) => [name, texts.periods[name]]),
    chosen,
  );
  choice.addEventListener("change", () => {
    const isCustom = choice.value === "custom";
    go(
      hashWith({
        period: choice.value,
        from: isCustom ? from : null,
        to: isCustom ? to : null,
      }),
    );
  });
  return [
    html.label({ class: "inline" }, html.span({ class: "unseen" }, clickTexts.period), choice),
    chosen === "custom" && custom,
  ];
}

export function periodKeys() {
  return Object.entries(KEYS)
    .filter(([, key]) => key)
    .map(([name, key]) => ({
      key,
      text: texts.periods[name],
      run: () => go(hashWith({ period: name, from: null, to: null })),
    }));
}
