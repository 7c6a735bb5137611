// A report that was shared by a link: the same numbers as on the overview, for readers who are not
// signed in and can open nothing else.
import { call, Problem } from "../shared/api.js";
import { button, html, table } from "../shared/element.js";
import { formatCount, formatShare, timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { chart } from "./chart.js";
import { saveCSV } from "./csv-file.js";
import { rowsByField } from "./panels.js";
import { totals } from "./report.js";

const clickTexts = texts.clicks;
const sharedTexts = pageTexts.sharing;
/** Rows of a panel. */
const MOST = 10;

/**
 * @param {HTMLElement} main
 * @param {string} token
 */
export async function show(main, token) {
  /** @type {{title: string, expiresAt: string, clicks: Clicks}} */
  let report;
  try {
    ({ content: report } = await call("POST", "/_/report", { body: { token } }));
  } catch (error) {
    const isOver = error instanceof Problem && error.status === 401;
    main.replaceChildren(
      html.h1({ tabindex: -1 }, isOver ? sharedTexts.over : sharedTexts.one),
      isOver ? html.p(sharedTexts.overDetail) : problemNotice(error, () => show(main, token)),
    );
    return;
  }
  const { title, expiresAt, clicks } = report;
  document.title = `${title} – Waymark`;
  const file = button(clickTexts.csv, async () => saveCSV(clicks), { class: "quiet small" });
  main.replaceChildren(
    html.div({ class: "head" }, html.h1({ tabindex: -1 }, title)),
    html.section(
      { "aria-label": title },
      html.p(
        { class: "soft" },
        timeElement(clicks.from),
        " – ",
        timeElement(clicks.to),
        ` · ${sharedTexts.until} `,
        timeElement(expiresAt),
      ),
      totals(clicks),
      chart(clicks, null, file),
      !clicks.complete && html.p({ class: "soft" }, clickTexts.incomplete),
      html.div(
        { class: "panels" },
        rowsByField(clicks).map(({ field, rows }) => panel(field, rows, clicks.total.people)),
      ),
    ),
  );
}

/**
 * @param {string} field
 * @param {Row[]} rows
 * @param {number} whole
 */
function panel(field, rows, whole) {
  const name = texts.clickFields[field];
  return html.section(
    { "aria-label": name },
    table(
      formatText(clickTexts.breakdown, name.toLowerCase()),
      [name, clickTexts.title, clickTexts.share],
      rows
        .slice(0, MOST)
        .map(({ text, people }) => [
          html.div({ class: "name" }, html.span({ title: text }, text)),
          formatCount(people),
          formatShare(people, whole),
        ]),
      "plain numbers",
    ),
    rows.length === 0 && html.p({ class: "soft" }, clickTexts.nothing),
  );
}
