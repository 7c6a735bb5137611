// Shares the report on the screen by a link, and lists the links that were shared.
import { announce } from "../shared/announcement.js";
import { call, get, path } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { onceNotice } from "../settings/creation.js";

const shareTexts = pageTexts.sharing;
const DAY = 86_400_000;
/** How long a link may show the report, in days. */
const LENGTHS = ["7", "30", "90", "365"];

/**
 * @param {string} target  the request of the report
 * @param {string} title
 */
export function shareReport(target, title) {
  const list = html.section({ "aria-label": shareTexts.shared });
  const reload = () => load(list, () => sharedReports(reload));
  const form = sendForm(
    shareTexts.submit,
    async ({ title, period, days }) => {
      const query = new URLSearchParams(target.split("?")[1]);
      if (period === "rolling") for (const name of ["from", "to"]) query.delete(name);
      const body = {
        title,
        query: String(query),
        expiresAt: new Date(Date.now() + Number(days) * DAY).toISOString(),
      };
      const { content } = await call("POST", "/api/v1/reports", { body });
      reload();
      const link = new URL(content.link, location.href).href;
      return onceNotice(link, shareTexts.once, shareTexts.onceDetail);
    },
    html.p(shareTexts.about),
    field(texts.fields.title, input("title", title, { maxlength: 100, required: true })),
    field(
      shareTexts.period,
      select("period", [
        ["fixed", shareTexts.fixed],
        ["rolling", shareTexts.rolling],
      ]),
    ),
    field(
      shareTexts.length,
      select(
        "days",
        LENGTHS.map((days) => [days, formatText(shareTexts.days, days)]),
        "30",
      ),
    ),
  );
  const dialog = openDialog(shareTexts.title, form, list);
  dialog.append(
    html.div(
      { class: "buttons" },
      button(texts.close, () => dialog.close()),
    ),
  );
  reload();
}

/** @param {() => void} reload */
async function sharedReports(reload) {
  /** @type {SharedReport[]} */
  const reports = (await get("/api/v1/reports")).reports;
  if (!reports.length) return null;
  return table(
    shareTexts.shared,
    [texts.fields.title, shareTexts.until, texts.links.actions],
    reports.map(({ id, title, expiresAt }) => [
      title,
      timeElement(expiresAt),
      button(
        shareTexts.end,
        async () => {
          await call("DELETE", path`/api/v1/reports/${id}`);
          announce(formatText(shareTexts.ended, title));
          reload();
        },
        { class: "quiet small", "aria-label": formatText(shareTexts.endOf, title) },
      ),
    ]),
    "plain",
  );
}
