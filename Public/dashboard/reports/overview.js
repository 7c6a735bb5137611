// The first screen: what all links did in a period, and what needs attention.
import { hash } from "../frame/address.js";
import { setPageShortcuts } from "../frame/keyboard.js";
import { may } from "../frame/session.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html } from "../shared/element.js";
import { load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";
import { reportKeys, reportTarget, showReport } from "./report.js";

const overviewTexts = texts.overview;

/** @type {ShowPage} */
export function show(main, session) {
  const report = html.section({ "data-stays": true, "aria-label": texts.pages.overview });
  const attention = html.section({ "aria-label": overviewTexts.attention });
  // The heading stays, and with it the focus, while only the period or a filter changes.
  for (const part of [...main.children].slice(1)) part.remove();
  if (may(session, "create") && !main.querySelector(".head .button")) {
    main.firstElementChild?.append(anchor(hash(["new"]), texts.links.create, { class: "button" }));
  }
  main.append(report, sameByAPI(curl("GET", reportTarget())));
  showReport(report, {
    live: async () => (await import("./live.js")).live(),
    attention,
    title: "",
    empty: async () => (await import("./no-clicks.js")).noClicks(session),
    found: (clicks) => {
      load(attention, async () => (await import("./attention.js")).needsAttention(session, clicks));
    },
  });
  setPageShortcuts(reportKeys());
}
