// The first screen: what all links did in a period, and what needs attention.
import {
  anchor, announce, applications, call, count, curl, current, emptyNotice, field, get, go, hash, html, input, linkHash, load, may, sameByAPI, say,
  sendForm, setScreenKeys, texts,
} from "./base.js";
import { stateBadge } from "./link-parts.js";
import { live } from "./live.js";
import { reportKeys, reportTarget, showReport } from "./report.js";

const t = texts.overview;

/** @type {ShowPage} */
export function show(main, session) {
  const report = html.section({ "data-stays": true, "aria-label": texts.pages.overview });
  const attention = html.section({ "aria-label": t.attention });
  // The heading stays, and with it the focus, while only the period or a filter changes.
  for (const part of [...main.children].slice(1)) part.remove();
  if (may(session, "links") && !main.querySelector(".head .button")) main.firstElementChild?.append(anchor(hash(["new"]), texts.links.create, { class: "button" }));
  main.append(live(), attention, report, sameByAPI(curl("GET", reportTarget())));
  showReport(report, { title: "", empty: () => noClicks(session), found: (clicks) => { load(attention, () => needsAttention(clicks)); } });
  setScreenKeys(reportKeys());
}

/** @param {Session} session */
async function noClicks(session) {
  const [{ links }, apps] = await Promise.all([get("/api/v1/links?limit=1"), applications()]);
  if (links.length) {
    return emptyNotice(texts.clicks.none, texts.clicks.noneDetail, html.a({ class: "button", href: linkHash(links[0]) }, t.newest));
  }
  const start = emptyNotice(t.first, t.firstDetail);
  if (!may(session, "links")) return start;
  if (apps.length > 1) start.append(html.a({ class: "button", href: hash(["new"]) }, texts.links.create));
  else start.append(firstLink(), html.p(anchor(hash(["import"]), t.orImport)));
  return start;
}

function firstLink() {
  return sendForm(texts.form.submit, async (values) => {
    const { content } = await call("POST", "/api/v1/links", { body: { urls: { web: values["urls.web"].trim() } } });
    announce(say(texts.form.created, content.smartlink));
    go(linkHash(content));
  }, field(texts.form.destination, input("urls.web", "", { type: "url", inputmode: "url", placeholder: "https://www.example.com/" })));
}

// Links that had clicks in the period and lead nowhere now, and paths that people asked for without a link.
/** @param {Clicks} clicks */
async function needsAttention(clicks) {
  const app = current().query.get("app");
  const { from, to, top } = clicks;
  const [expired, exhausted, unknown] = await Promise.all([
    ...["expired", "exhausted"].map((state) => get(`/api/v1/links?state=${state}&limit=200${app ? "&app=" + encodeURIComponent(app) : ""}`)),
    get(`/api/v1/clicks?interval=total&top=unknown&from=${from}&to=${to}`),
  ]);
  const items = [];
  for (const link of /** @type {Link[]} */ ([...expired.links, ...exhausted.links])) {
    const clicked = top.links?.find(({ domain, slug }) => domain === link.domain && slug === link.slug);
    if (clicked) items.push([anchor(linkHash(link), link.title ?? link.smartlink), " ", stateBadge(link.state), " ", say(texts.clicks.chartPeople, count(clicked.people))]);
  }
  for (const { value, people } of unknown.top.unknown) {
    items.push([html.span({ class: "destination" }, value), " ", html.span({ class: "state" }, t.unknown), " ", say(texts.clicks.chartPeople, count(people))]);
  }
  const [first, rest] = [items.slice(0, 3), items.slice(3)].map((some) => html.ul(some.map((item) => html.li(item))));
  return items.length > 0 && html.div({ class: "notice" }, html.strong(t.attention), html.p(t.attentionDetail), first,
    rest.firstChild && html.details(html.summary(say(texts.clicks.all, items.length)), rest));
}
