// The first screen: what all links did in a period, and what needs attention.
import { hash } from "./address.js";
import { needsAttention } from "./attention.js";
import { curl, sameByAPI } from "./command.js";
import { anchor, html } from "./element.js";
import { setScreenKeys } from "./keyboard.js";
import { live } from "./live.js";
import { load } from "./pane.js";
import { reportKeys, reportTarget, showReport } from "./report.js";
import { may } from "./session.js";
import { texts } from "./texts.js";

const t = texts.overview;

/** @type {ShowPage} */
export function show(main, session) {
  const report = html.section({ "data-stays": true, "aria-label": texts.pages.overview });
  const attention = html.section({ "aria-label": t.attention });
  // The heading stays, and with it the focus, while only the period or a filter changes.
  for (const part of [...main.children].slice(1)) part.remove();
  if (may(session, "create") && !main.querySelector(".head .button")) {
    main.firstElementChild?.append(anchor(hash(["new"]), texts.links.create, { class: "button" }));
  }
  main.append(live(), attention, report, sameByAPI(curl("GET", reportTarget())));
  showReport(report, {
    title: "",
    empty: async () => (await import("./no-clicks.js")).noClicks(session),
    found: (clicks) => {
      load(attention, () => needsAttention(session, clicks));
    },
  });
  setScreenKeys(reportKeys());
}
