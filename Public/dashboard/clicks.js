// The clicks of a link in a period: totals, chart, breakdown by a field, CSV.
import { changed, current, go } from "./address.js";
import { get, query } from "./api.js";
import { chart } from "./chart.js";
import { element, table } from "./element.js";
import { change, count, share } from "./formats.js";
import { linkPath } from "./link-parts.js";
import { emptyNotice, load } from "./pane.js";
import { texts } from "./texts.js";

/** @typedef {import("./model.js").Clicks} Clicks */
/** @typedef {import("./model.js").Share} Share */

const t = texts.clicks;
const FIELDS = ["platform", "device", "browser", "inApp", "bot", "language", "country", "referrerHost", "campaign", "destination"];
/** Days and shortcut of each period. */
/** @type {Record<string, {days: number, key: string}>} */
const PERIODS = { day: { days: 1, key: "d" }, "7d": { days: 7, key: "w" }, "30d": { days: 30, key: "t" }, "91d": { days: 91, key: "n" }, "365d": { days: 365, key: "l" } };
const DAY = 86_400_000;

/** What the address asks for. */
function selection() {
    const { query: now } = current();
    const period = now.get("period") ?? "";
    return {
        period: period in PERIODS ? period : "30d",
        by: FIELDS.includes(now.get("by") ?? "") ? now.get("by") ?? "" : "platform",
        compare: now.get("compare") === "previous",
        filters: Object.fromEntries(FIELDS.filter((field) => now.get(field)).map((field) => [field, now.get(field)])),
    };
}

/**
 * The dates of a period, both included, in UTC.
 *
 * @param {string} period
 * @param {number} back
 */
function dates(period, back = 0) {
    const { days } = PERIODS[period];
    const date = (/** @type {number} */ ago) => new Date(Date.now() - (ago + back * days) * DAY).toISOString().slice(0, 10);
    return { from: date(days - 1), to: date(0), interval: days === 1 ? "hour" : "day" };
}

/** @param {HTMLElement} section @param {{domain: string, slug: string}} name */
export function showClicks(section, name) {
    const { period, by, compare, filters } = selection();
    const target = query(`${linkPath(name)}/clicks`, { ...dates(period), by, ...filters });
    const option = (/** @type {string} */ key, /** @type {string} */ text) => element("a", {
        href: changed({ period: key }), "aria-current": key === period && "true", title: t.shortcut(PERIODS[key].key),
    }, text);
    const result = element("div");
    section.replaceChildren(element("h2", { id: "clicks-title" }, t.title),
        element("div", { class: "toolbar" },
            element("nav", { class: "periods", "aria-label": t.period }, Object.keys(PERIODS).map((key) => option(key, t.periods[key]))),
            element("a", { class: "toggle", href: changed({ compare: compare ? null : "previous" }), role: "switch", "aria-checked": String(compare), title: t.shortcut("x") }, t.compare),
            element("label", { class: "inline" }, t.by, " ", element("select", {
                change: (/** @type {Event} */ event) => go(changed({ by: /** @type {HTMLSelectElement} */ (event.target).value })),
            }, FIELDS.map((field) => element("option", { value: field, selected: field === by }, texts.clickFields[field])))),
            element("a", { href: target + "&format=csv", download: `${name.slug.replaceAll("/", "-")}-clicks.csv` }, t.csv)),
        ...Object.keys(filters).length === 0 ? [] : [element("p", { class: "chips" }, Object.entries(filters).map(([field, value]) =>
            element("a", { class: "tag", href: changed({ [field]: null }), "aria-label": t.withoutFilter(texts.clickFields[field], value ?? "") },
                `${texts.clickFields[field]}: ${value} ×`)))], result);
    load(result, async () => {
        const [clicks, before] = await Promise.all([
            get(target), compare ? get(query(`${linkPath(name)}/clicks`, { ...dates(period, 1), ...filters })) : null,
        ]);
        return content(clicks, before, by, Object.keys(filters).length > 0);
    });
}

/**
 * @param {Clicks} clicks
 * @param {Clicks | null} before
 * @param {string} by
 * @param {boolean} isFiltered
 */
function content(clicks, before, by, isFiltered) {
    const { total } = clicks;
    if (!total.people && !total.bots && !before?.total.people) {
        return isFiltered ? emptyNotice(t.noneSuch, t.noneSuchDetail) : emptyNotice(t.none, t.noneDetail);
    }
    const number = (/** @type {string} */ name, /** @type {number | null} */ value, /** @type {number | null} */ old) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value === null ? "–" : count(value),
            before && element("small", { title: t.before }, " ", value === null || old === null ? "" : change(value, old))));
    return [
        element("dl", { class: "totals" }, number(t.peopleHead, total.people, before?.total.people ?? 0),
            number(t.visitors, total.visitors, before?.total.visitors ?? null), number(t.bots, total.bots, before?.total.bots ?? 0)),
        chart(clicks, before), breakdown(clicks, by),
    ];
}

/** @param {Clicks} clicks @param {string} by */
function breakdown(clicks, by) {
    /** @type {Map<string | null | undefined, {people: number, bots: number}>} */
    const sums = new Map();
    for (const { value, rest, people, bots } of clicks.series.flatMap((interval) => interval.by ?? [])) {
        const key = rest ? undefined : value ?? null;
        const sum = sums.get(key) ?? { people: 0, bots: 0 };
        sums.set(key, { people: sum.people + people, bots: sum.bots + bots });
    }
    const whole = clicks.total.people;
    const most = Math.max(1, ...[...sums.values()].map(({ people }) => people));
    const rows = [...sums].sort(([, one], [, other]) => other.people - one.people || other.bots - one.bots).slice(0, 50);
    return table(t.breakdown(texts.clickFields[by]), [texts.clickFields[by], t.peopleHead, t.share, t.bots], rows.map(([value, { people, bots }]) => [
        value === undefined ? t.rest : element("a", { href: changed({ [by]: value ?? "none" }), title: t.onlyThis }, value ?? t.noValue),
        count(people),
        element("span", { class: "meter" }, element("meter", { min: 0, max: most, value: people, "aria-hidden": "true" }), " ", share(people, whole)),
        count(bots),
    ]), "plain numbers");
}

export function clickKeys() {
    return [
        ...Object.entries(PERIODS).map(([period, { key }]) => ({ key, text: t.periods[period], run: () => go(changed({ period })) })),
        { key: "x", text: t.compare, run: () => go(changed({ compare: selection().compare ? null : "previous" })) },
    ];
}
