// The deliveries of a webhook as a drawing.

import { html, svg } from "../shared/element.js";
import { formatCount } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";

const webhookTexts = pageTexts.webhooks;
const HOURS = 24;
/** Of the drawing: its height, and the width of an hour. */
const HEIGHT = 24;
const SLOT = 5;

/**
 * Deliveries of the last 24 hours by hour, those that failed above those that were delivered.
 *
 * @param {Delivery[]} deliveries
 */
export function deliveryBars(deliveries) {
  const states = /** @type {Delivery["state"][]} */ (Object.keys(pageTexts.deliveryStates));
  const recent = deliveries
    .map(({ at, state }) => ({ state, hour: hourOf(at) }))
    .filter(({ hour }) => hour >= 0);
  /** Deliveries of each hour by state. */
  const hours = Array.from({ length: HOURS }, (_, hour) =>
    states.map(
      (state) =>
        recent.filter((delivery) => delivery.state === state && delivery.hour === hour).length,
    ),
  );
  const most = Math.max(1, ...hours.map(sum));
  const totals = states.map((_, index) => sum(hours.map((counts) => counts[index])));
  const text = formatText(webhookTexts.bars, ...totals.map((total) => formatCount(total)));
  return html.div(
    svg.svg(
      {
        viewBox: `0 0 ${HOURS * SLOT} ${HEIGHT}`,
        class: "chart small",
        role: "img",
        "aria-label": text,
      },
      hours.map((counts, hour) => {
        let y = HEIGHT;
        return counts.map((count, index) => {
          const height = (HEIGHT * count) / most;
          y -= height;
          return svg.rect({
            class: `bar ${states[index]}`,
            x: hour * SLOT,
            width: SLOT - 1,
            y,
            height,
          });
        });
      }),
    ),
    html.small(text),
  );
}

/**
 * Its number in the drawing: negative if it is too old.
 *
 * @param {string} time
 */
const hourOf = (time) =>
  HOURS - 1 - Math.floor((Date.now() - new Date(time).getTime()) / 3_600_000);

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
