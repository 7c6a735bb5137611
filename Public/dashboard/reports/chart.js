// Clicks over time as a drawing, and the same numbers as a table.
import { html, svg, table } from "../shared/element.js";
import { formatCount, intervalStart, localHour, pluralText } from "../shared/formats.js";
import { formatText, texts } from "../shared/texts.js";
import { grouped, groups, unitOf } from "./grouping.js";

const clickTexts = texts.clicks;
/** Of the drawing, of the line on which bars stand, and of the highest bar: from above. */
const HEIGHT = 180;
const FLOOR = 156;
const TOP = 12;
/** Widths of a digit or letter, and of a date with space around it. */
const DIGIT = 7;
const DATE_SLOT = 90;
/** Space beside the last bar. */
const MARGIN = 6;

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
 * On a narrow screen a wide drawing would be too flat to read.
 *
 * @param {number} screen
 */
function drawingWidth(screen) {
  if (screen < 640) return 360;
  return screen < 1000 ? 720 : 1100;
}

/**
 * @param {Clicks} all
 * @param {(Interval | undefined)[] | null} partners  what each interval is compared with
 * @param {Node} file  what saves the numbers as a file
 */
export function chart(all, partners, file) {
  const interval = unitOf(all);
  const lengths = groups(all.series, interval);
  const clicks = { ...all, series: grouped(all.series, lengths) };
  const before = partners && grouped(partners, lengths);
  const { series } = clicks;
  const width = drawingWidth(window.innerWidth);
  const top = ceiling(
    Math.max(1, ...[...series, ...(before ?? [])].map((bar) => bar?.people ?? 0)),
  );
  const left = formatCount(top).length * DIGIT + 12;
  const slot = (width - left - MARGIN) / Math.max(series.length, 1);
  /** @param {number} value */
  const y = (value) => FLOOR - ((FLOOR - TOP) * value) / top;
  /** @param {number} index */
  const x = (index) => left + slot * index;
  /** @param {number} index */
  const center = (index) => x(index) + slot / 2;
  const every = Math.ceil(series.length / (width / DATE_SLOT));
  /**
   * A month that the period covers only in part is labelled with its first day.
   *
   * @param {string} start
   */
  const isPart = (start) => interval === "month" && !localHour(start).includes("-01 ");
  /** @param {string} start */
  const nameOf = (start) => intervalStart(start, isPart(start) ? "day" : interval);
  /**
   * Under its bar, and inside the drawing.
   *
   * @param {number} index
   */
  const labelX = (index) => {
    const half = (nameOf(series[index].start).length * DIGIT) / 2;
    return Math.min(Math.max(center(index), half), width - half - MARGIN);
  };
  const end = nameOf(series.at(-1)?.start ?? clicks.to);
  const total = formatText(clickTexts.chart, formatCount(clicks.total.people));
  const label = `${total} ${nameOf(clicks.from)} – ${end}`;
  const picture = svg.svg(
    { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    [0, top / 2, top]
      .filter(Number.isInteger)
      .map((value) =>
        svg.g(
          { class: "grid" },
          svg.line({ x1: left, x2: width, y1: y(value), y2: y(value) }),
          svg.text({ x: left - 6, y: y(value) + 4, "text-anchor": "end" }, formatCount(value)),
        ),
      ),
    series.map((bar, index) =>
      svg.rect(
        {
          class: "bar",
          x: x(index) + slot * 0.1,
          width: slot * 0.8,
          y: y(bar.people),
          height: FLOOR - y(bar.people),
        },
        svg.title(
          formatText(
            texts.labelled,
            nameOf(bar.start),
            pluralText(clickTexts.number, bar.people),
          ),
        ),
      ),
    ),
    // With an edge, so that it is seen on bars too.
    before &&
      ["edge", "before"].map((name) =>
        svg.polyline({
          class: name,
          points: before
            .map((bar, index) => bar && `${center(index)},${y(bar.people)}`)
            .filter(Boolean)
            .join(" "),
        }),
      ),
    series.map(
      (bar, index) =>
        index % every === 0 &&
        svg.text({ x: labelX(index), y: HEIGHT - 6, "text-anchor": "middle" }, nameOf(bar.start)),
    ),
  );
  return html.figure(
    html.div({ class: "scroll", dir: "ltr" }, picture),
    before && html.figcaption(clickTexts.compared),
    html.div(
      { class: "below" },
      html.details(
        html.summary(clickTexts.asTable),
        html.div({ class: "scroll", tabindex: 0 }, numbers(clicks, before, interval)),
      ),
      file,
    ),
  );
}

/**
 * The same as a table.
 *
 * @param {Clicks} clicks
 * @param {(Interval | undefined)[] | null} before
 * @param {Unit} interval
 */
function numbers({ series }, before, interval) {
  return table(
    clickTexts.caption,
    [
      texts.units[interval],
      clickTexts.title,
      clickTexts.visitors,
      clickTexts.bots,
      ...(before ? [clickTexts.before] : []),
    ],
    series.map((bar, index) => [
      html.time({ datetime: bar.start, title: bar.start }, intervalStart(bar.start, interval)),
      formatCount(bar.people),
      bar.visitors === null ? "–" : formatCount(bar.visitors),
      formatCount(bar.bots),
      ...(before ? [before[index] ? formatCount(before[index]?.people) : "–"] : []),
    ]),
    "plain numbers",
  );
}
