// Webhooks: the list with the last 24 hours of each, and a new one.
import {
  anchor, call, count, curl, emptyNotice, get, hash, html, load, path, query, sameByAPI, say, table, texts,
} from "./base.js";
import { applicationField, creationPanel, onceNotice } from "./creation.js";
import { bars, endpointForm, endpointState } from "./webhook-parts.js";

const t = texts.webhooks;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.webhooks });
  const reload = () => load(list, rows);
  const form = endpointForm(t.create, null, async (body, form) => {
    const { content } = await call("POST", "/api/v1/webhooks", { body: { ...body, app: session.app ?? (body.app || undefined) } });
    form.reset();
    reload();
    return onceNotice(content.secret, t.once, t.onceDetail);
  }, applicationField(session, t.all));
  main.append(html.p(anchor("/_/docs/webhooks.md", t.docs)), creationPanel(t.create, form), list, sameByAPI(curl("GET", "/api/v1/webhooks"), example()));
  reload();
}

const example = () => curl("POST", "/api/v1/webhooks", { url: "https://www.example.com/webhooks", events: ["link.*"] });

async function rows() {
  /** @type {Webhook[]} */
  const webhooks = (await get("/api/v1/webhooks")).webhooks;
  if (!webhooks.length) return emptyNotice(t.none, t.noneDetail, html.pre({ tabindex: 0 }, html.code(example())), anchor("/_/docs/webhooks.md", t.receiver));
  return table(texts.pages.webhooks, [texts.fields.name, t.events, texts.fields.app, texts.links.state, t.lastDay], webhooks.map((one) => {
    const day = html.div();
    load(day, async () => {
      /** @type {Deliveries} */
      const { deliveries, next } = await get(query(path`/api/v1/webhooks/${one.id}/deliveries`, { limit: "100" }));
      return [bars(deliveries), next && html.small(say(t.atMost, count(deliveries.length)))];
    });
    return [html.div(anchor(hash(["webhooks", one.id]), one.name ?? one.url, { class: "row-link" }), one.name && html.div({ class: "destination" }, one.url)),
      one.events.join(", "), one.app ?? t.all, endpointState(one), day];
  }), "list cards");
}
