// What people clicked lately on the links of the list: a drawing, and the day of the last click.
import { get } from "../../shared/api.js";
import { html, svg } from "../../shared/element.js";
import { pluralText } from "../../shared/formats.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { locale } from "../../texts/language.js";

const listTexts = pageTexts.list;
const HEIGHT = 16;
/** Of a bar, and from one to the next. */
const BAR = 2;
const STEP = 3;
/** The days of the API are those of UTC, whatever the zone of the browser is. */
const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });

/**
 * Fills the cells of a page of the list.
 *
 * @param {Element[]} cells  one for each link
 * @param {Name[]} links
 * @param {string[]} targets  of the parts of the same page, with their clicks
 */
export async function showRecentClicks(cells, links, targets) {
  /** @type {Map<string, RecentClicks & {complete: boolean}>} */
  const clicks = new Map();
  for (const target of targets) {
    // Another list may have taken its place.
    if (!cells[0]?.isConnected) return;
    /** @type {LinkList} */
    const { links: found, recentClicks } = await get(target).catch(() => ({ links: [] }));
    found.forEach((link, index) => {
      if (!recentClicks) return;
      const { complete } = recentClicks;
      clicks.set(nameOf(link), { ...recentClicks.links[index], complete });
    });
  }
  cells.forEach((cell, index) => {
    cell.classList.remove("waiting");
    const recent = clicks.get(nameOf(links[index]));
    // Where clicks are missing, no click is not known to be none.
    if (recent && (recent.lastClicked || recent.complete)) {
      cell.replaceChildren(drawing(recent), lastDay(recent));
    }
  });
}

/** @param {Name} link */
const nameOf = ({ domain, slug }) => `${domain}/${slug}`;

/** @param {RecentClicks} recent */
function lastDay({ lastClicked }) {
  return html.span({ "aria-hidden": true }, lastClicked ? day.format(new Date(lastClicked)) : "–");
}

/** @param {RecentClicks} recent */
function drawing({ people, lastClicked }) {
  const count = people.reduce((sum, clicks) => sum + clicks, 0);
  const most = Math.max(1, ...people);
  const bars = people.map((clicks, index) => {
    const height = clicks && Math.max(2, Math.round((clicks / most) * HEIGHT));
    return clicks ? `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z` : "";
  });
  const label = lastClicked
    ? formatText(
        listTexts.recentClicks,
        pluralText(texts.clicks.number, count),
        day.format(new Date(lastClicked)),
      )
    : listTexts.noRecentClicks;
  const width = people.length * STEP - 1;
  return svg.svg(
    {
      role: "img",
      "aria-label": label,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      preserveAspectRatio: "none",
    },
    svg.title(label),
    svg.path({ class: "floor", d: `M0 ${HEIGHT}h${width}v-1h-${width}z` }),
    svg.path({ d: bars.join("") }),
  );
}
