// Clicks over time as a drawing, and the same numbers as a table.
import { count, html, intervalStart, say, svg, table, texts } from "./base.js";

const HEIGHT = 180;
const FLOOR = 156;
const TOP = 12;
const START = 44;

// A round number that is not below the greatest value.
/** @param {number} greatest */
function ceiling(greatest) {
  const step = 10 ** Math.floor(Math.log10(Math.max(greatest, 1)));
  return [1, 2, 4, 5, 10].map((times) => times * step).find((value) => value >= greatest && (value >= 4 || value === greatest)) ?? Math.max(greatest, 1);
}

/** @param {Clicks} clicks @param {(Interval | undefined)[] | null} before  what each interval is compared with */
export function chart(clicks, before) {
  const t = texts.clicks;
  const { series, interval } = clicks;
  // On a narrow screen a wide drawing would be too flat to read.
  const width = window.innerWidth < 640 ? 360 : window.innerWidth < 1000 ? 720 : 1100;
  const top = ceiling(Math.max(1, ...series.map(({ people }) => people), ...(before ?? []).map((one) => one?.people ?? 0)));
  const slot = (width - START) / Math.max(series.length, 1);
  const y = (value = 0) => FLOOR - (FLOOR - TOP) * value / top;
  const x = (place = 0) => START + slot * place;
  const every = Math.ceil(series.length / (width / 120));
  const label = `${say(t.chart, count(clicks.total.people))} ${intervalStart(clicks.from, interval)} – ${intervalStart(series.at(-1)?.start ?? clicks.to, interval)}`;
  const picture = svg.svg({ viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    [0, top / 2, top].filter(Number.isInteger).map((value) => svg.g({ class: "grid" },
      svg.line({ x1: START, x2: width, y1: y(value), y2: y(value) }),
      svg.text({ x: START - 6, y: y(value) + 4, "text-anchor": "end" }, count(value)))),
    series.map((one, place) => svg.rect({
      class: "bar", x: x(place) + slot * 0.1, width: slot * 0.8, y: y(one.people), height: FLOOR - y(one.people),
    }, svg.title(`${intervalStart(one.start, interval)}: ${say(t.chartPeople, count(one.people))}`))),
    // With an edge, so that it is seen on bars too.
    before && ["edge", "before"].map((name) => svg.polyline({
      class: name, points: before.map((one, place) => one && `${x(place) + slot / 2},${y(one.people)}`).filter(Boolean).join(" "),
    })),
    series.map((one, place) => place % every === 0 && svg.text({ x: x(place) + (series.length > 1 ? 0 : slot / 2), y: HEIGHT - 6 }, intervalStart(one.start, interval))));
  return html.figure(html.div({ class: "scroll", dir: "ltr" }, picture),
    before && html.figcaption(t.compared),
    html.details(html.summary(t.asTable), html.div({ class: "scroll", tabindex: 0 }, numbers(clicks, before))));
}

/** @param {Clicks} clicks @param {(Interval | undefined)[] | null} before */
function numbers({ series, interval }, before) {
  const t = texts.clicks;
  return table(t.caption, [interval === "day" ? t.day : t.hour, t.peopleHead, t.visitors, t.bots, ...before ? [t.before] : []],
    series.map((one, place) => [
      html.time({ datetime: one.start, title: one.start }, intervalStart(one.start, interval)),
      count(one.people), one.visitors === null ? "–" : count(one.visitors), count(one.bots),
      ...before ? [before[place] ? count(before[place]?.people) : "–"] : [],
    ]), "plain numbers");
}
