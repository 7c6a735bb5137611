// Periods of statistics: whole days of `zone`. Letters as in other dashboards, so that hands know
// them.
import { changed, current, go } from "../frame/address.js";
import { setting } from "../frame/session.js";
import { html } from "../shared/element.js";
import { values } from "../shared/fields.js";
import { localHour } from "../shared/formats.js";
import { say, texts } from "../shared/texts.js";

const t = texts.clicks;
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
 * @param {number} [days]
 * @param {number} [months]
 * @param {number} [date]  of the month, instead of today
 */
function ago(days = 0, months = 0, date) {
  const [year, month, today] = localHour(Date.now()).split(/\D/).map(Number);
  return new Date(Date.UTC(year, month - 1 - months, (date ?? today) - days))
    .toISOString()
    .slice(0, 10);
}

/** The period that the address names, else the one chosen last. */
export function period() {
  const named = current().query.get("period");
  const name = setting(SETTING, named) ?? named;
  return name && name in KEYS && (name !== "custom" || current().query.get("from")) ? name : "28d";
}

/** @returns {{from: string, to: string, interval: "hour" | "day"}} */
export function dates() {
  const { query } = current();
  /** @type {Record<string, [string, string]>} */
  const spans = {
    day: [ago(), ago()],
    yesterday: [ago(1), ago(1)],
    "7d": [ago(6), ago()],
    "28d": [ago(27), ago()],
    "91d": [ago(90), ago()],
    month: [ago(0, 0, 1), ago()],
    lastMonth: [ago(0, 1, 1), ago(1, 0, 1)],
    year: [ago().slice(0, 5) + "01-01", ago()],
    "12mo": [ago(-1, 12), ago()],
    custom: [query.get("from") ?? ago(27), query.get("to") || ago()],
  };
  const [from, to] = spans[period()];
  return { from, to, interval: from === to ? "hour" : "day" };
}

export function periodMenu() {
  const now = period();
  const { from, to } = dates();
  const day = (name = "", label = "", value = "") =>
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
        go(changed({ period: "custom", from, to }));
      },
    },
    day("from", t.from, from),
    day("to", t.until, to),
    html.button(t.show),
  );
  return [
    html.nav(
      { class: "periods", "aria-label": t.period },
      Object.keys(KEYS).map((name) =>
        html.a(
          {
            href: changed({
              period: name,
              from: name === "custom" ? from : null,
              to: name === "custom" ? to : null,
            }),
            "aria-current": name === now && "true",
            title: KEYS[name] && say(t.shortcut, KEYS[name]),
          },
          texts.periods[name],
        ),
      ),
    ),
    now === "custom" && custom,
  ];
}

export function periodKeys() {
  return Object.entries(KEYS)
    .filter(([, key]) => key)
    .map(([name, key]) => ({
      key,
      text: texts.periods[name],
      run: () => go(changed({ period: name, from: null, to: null })),
    }));
}
