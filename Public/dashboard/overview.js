// The first screen: what all links did in a period, and what needs attention.
import { go, hash, linkHash, withScheme } from "./address.js";
import { announce } from "./announcement.js";
import { applications, call, get } from "./api.js";
import { needsAttention } from "./attention.js";
import { curl, sameByAPI } from "./command.js";
import { anchor, html } from "./element.js";
import { field, input, sendForm } from "./fields.js";
import { setScreenKeys } from "./keyboard.js";
import { live } from "./live.js";
import { emptyNotice, load } from "./pane.js";
import { reportKeys, reportTarget, showReport } from "./report.js";
import { may } from "./session.js";
import { say, texts } from "./texts.js";

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
    title: "", empty: () => noClicks(session),
    found: (clicks) => { load(attention, () => needsAttention(session, clicks)); },
  });
  setScreenKeys(reportKeys());
}

/** @param {Session} session */
async function noClicks(session) {
  const [{ links }, apps] = await Promise.all([get("/api/v1/links?limit=1"), applications()]);
  if (links.length) {
    return emptyNotice(texts.clicks.none, texts.clicks.noneDetail,
      html.a({ class: "button", href: linkHash(links[0]) }, t.newest));
  }
  const start = emptyNotice(t.first, t.firstDetail);
  if (!may(session, "create")) return start;
  if (apps.length > 1) start.append(html.a({ class: "button", href: hash(["new"]) }, texts.links.create));
  else start.append(firstLink());
  if (may(session, "links")) start.append(html.p(anchor(hash(["import"]), t.orImport)));
  return start;
}

function firstLink() {
  return sendForm(texts.form.submit, async (values) => {
    const urls = { web: withScheme(values["urls.web"].trim()) };
    const { content } = await call("POST", "/api/v1/links", { body: { urls } });
    announce(say(texts.form.created, content.smartlink));
    go(linkHash(content));
  }, field(texts.form.destination, input("urls.web", "", {
    type: "url", inputmode: "url", required: true, placeholder: "https://www.example.com/",
  })));
}

