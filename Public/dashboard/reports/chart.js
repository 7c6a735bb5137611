// Clicks over time as a drawing, and the same numbers as a table.
import { html, svg, table } from "../shared/element.js";
import { count, counted, intervalStart, localHour } from "../shared/formats.js";
import { say, texts } from "../shared/texts.js";
import { grouped, groups, unitOf } from "./grouping.js";

const HEIGHT = 180;
const FLOOR = 156;
const TOP = 12;
/** Widths of a digit, and of half a date. */
const DIGIT = 7;
const HALF = 26;

/**
 * A round number that is not below the greatest value, and little above it.
 *
 * @param {number} greatest
 */
function ceiling(greatest) {
  const step = 10 ** Math.floor(Math.log10(Math.max(greatest, 1)));
  const values = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]
    .map((times) => times * step)
    .filter(Number.isInteger);
  return values.find((value) => value >= greatest) ?? greatest;
}

/**
 * @param {Clicks} all
 * @param {(Interval | undefined)[] | null} partners  what each interval is compared with
 */
export function chart(all, partners) {
  const t = texts.clicks;
  const interval = unitOf(all);
  const lengths = groups(all.series, interval);
  const clicks = { ...all, series: grouped(all.series, lengths) };
  const before = partners && grouped(partners, lengths);
  const { series } = clicks;
  // On a narrow screen a wide drawing would be too flat to read.
  const width = window.innerWidth < 640 ? 360 : window.innerWidth < 1000 ? 720 : 1100;
  const top = ceiling(
    Math.max(1, ...[...series, ...(before ?? [])].map((one) => one?.people ?? 0)),
  );
  const left = count(top).length * DIGIT + 12;
  const slot = (width - left) / Math.max(series.length, 1);
  const y = (value = 0) => FLOOR - ((FLOOR - TOP) * value) / top;
  const x = (place = 0) => left + slot * place;
  const every = Math.ceil(series.length / (width / 90));
  // Under its bar, and inside the drawing.
  const middle = (place = 0) => Math.min(Math.max(x(place) + slot / 2, HALF), width - HALF);
  // A month that the period covers only in part is labelled with its first day.
  const isPart = (start = "") => interval === "month" && !localHour(start).includes("-01 ");
  const nameOf = (start = "") => intervalStart(start, isPart(start) ? "day" : interval);
  const end = nameOf(series.at(-1)?.start ?? clicks.to);
  const label = `${say(t.chart, count(clicks.total.people))} ${nameOf(clicks.from)} – ${end}`;
  const picture = svg.svg(
    { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    [0, top / 2, top]
      .filter(Number.isInteger)
      .map((value) =>
        svg.g(
          { class: "grid" },
          svg.line({ x1: left, x2: width, y1: y(value), y2: y(value) }),
          svg.text({ x: left - 6, y: y(value) + 4, "text-anchor": "end" }, count(value)),
        ),
      ),
    series.map((one, place) =>
      svg.rect(
        {
          class: "bar",
          x: x(place) + slot * 0.1,
          width: slot * 0.8,
          y: y(one.people),
          height: FLOOR - y(one.people),
        },
        svg.title(`${nameOf(one.start)}: ${counted(t.number, one.people)}`),
      ),
    ),
    // With an edge, so that it is seen on bars too.
    before &&
      ["edge", "before"].map((name) =>
        svg.polyline({
          class: name,
          points: before
            .map((one, place) => one && `${x(place) + slot / 2},${y(one.people)}`)
            .filter(Boolean)
            .join(" "),
        }),
      ),
    series.map(
      (one, place) =>
        place % every === 0 &&
        svg.text({ x: middle(place), y: HEIGHT - 6, "text-anchor": "middle" }, nameOf(one.start)),
    ),
  );
  return html.figure(
    html.div({ class: "scroll", dir: "ltr" }, picture),
    before && html.figcaption(t.compared),
    html.details(
      html.summary(t.asTable),
      html.div({ class: "scroll", tabindex: 0 }, numbers(clicks, before, interval)),
    ),
  );
}

/**
 * @param {Clicks} clicks
 * @param {(Interval | undefined)[] | null} before
 * @param {Unit} interval
 */
function numbers({ series }, before, interval) {
  const t = texts.clicks;
  return table(
    t.caption,
    [texts.units[interval], t.title, t.visitors, t.bots, ...(before ? [t.before] : [])],
    series.map((one, place) => [
      html.time({ datetime: one.start, title: one.start }, intervalStart(one.start, interval)),
      count(one.people),
      one.visitors === null ? "–" : count(one.visitors),
      count(one.bots),
      ...(before ? [before[place] ? count(before[place]?.people) : "–"] : []),
    ]),
    "plain numbers",
  );
}
