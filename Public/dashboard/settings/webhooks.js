// Webhooks: the list with the last 24 hours of each, and a new one.
import { hash } from "../frame/address.js";
import { call, get, path, withQuery } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { formatCount } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { applicationField, creationPanel, onceNotice } from "./creation.js";
import { deliveryBars } from "./delivery-bars.js";
import { endpointForm } from "./webhook-form.js";
import { endpointState } from "./webhook-state.js";

const webhookTexts = pageTexts.webhooks;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.webhooks });
  const reload = () => load(list, rows);
  const form = endpointForm(
    webhookTexts.submit,
    null,
    async (fields, form) => {
      const body = { ...fields, app: session.app ?? (fields.app || undefined) };
      const { content } = await call("POST", "/api/v1/webhooks", { body });
      form.reset();
      reload();
      return onceNotice(content.secret, webhookTexts.once, webhookTexts.onceDetail);
    },
    applicationField(session, webhookTexts.all),
  );
  main.append(
    html.p(anchor("/_/docs/webhooks.md", webhookTexts.docs)),
    creationPanel(main, webhookTexts.create, form),
    list,
    sameByAPI(curl("GET", "/api/v1/webhooks"), example()),
  );
  reload();
}

const example = () =>
  curl("POST", "/api/v1/webhooks", { url: "https://www.example.com/webhooks", events: ["link.*"] });

async function rows() {
  /** @type {Webhook[]} */
  const webhooks = (await get("/api/v1/webhooks")).webhooks;
  if (!webhooks.length) {
    return emptyNotice(
      webhookTexts.none,
      webhookTexts.noneDetail,
      html.pre({ tabindex: 0 }, html.code(example())),
      anchor("/_/docs/webhooks.md", webhookTexts.receiver),
    );
  }
  return table(
    html.span({ class: "unseen" }, texts.pages.webhooks),
    [
      texts.fields.name,
      webhookTexts.events,
      texts.fields.app,
      texts.links.state,
      webhookTexts.lastDay,
    ],
    webhooks.map(cells),
    "list cards",
  );
}

/** @param {Webhook} webhook */
function cells(webhook) {
  const day = html.div();
  load(day, async () => {
    /** @type {Deliveries} */
    const { deliveries, cursor } = await get(
      withQuery(path`/api/v1/webhooks/${webhook.id}/deliveries`, { limit: "100" }),
    );
    return [
      deliveryBars(deliveries),
      cursor && html.small(formatText(webhookTexts.atMost, formatCount(deliveries.length))),
    ];
  });
  return [
    html.div(
      anchor(hash(["webhooks", webhook.id]), webhook.name ?? webhook.url, { class: "row-link" }),
      webhook.name && html.div({ class: "destination" }, webhook.url),
    ),
    webhook.events.join(", "),
    webhook.app ?? webhookTexts.all,
    endpointState(webhook),
    day,
  ];
}
