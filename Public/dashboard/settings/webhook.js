// One webhook: its state and secret, its deliveries with their attempts, and deliveries again.
import { currentAddress, go, hash, hashWith, refine } from "../frame/address.js";
import { announce } from "../shared/announcement.js";
import { call, get, path, withQuery } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { anchor, button, facts, find, html, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { formatCount, fromLocalInput, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { managerFacts } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { onceNotice } from "./creation.js";
import { deliveryBars } from "./delivery-bars.js";
import { endpointForm } from "./webhook-form.js";
import { endpointState } from "./webhook-state.js";

const webhookTexts = pageTexts.webhooks;

/** @type {ShowPage} */
export function show(main, _, [id]) {
  const target = path`/api/v1/webhooks/${id}`;
  const head = html.section({ "aria-label": texts.pages.webhooks });
  const list = html.section({ "aria-label": webhookTexts.deliveries });
  const reload = () => load(list, () => deliveryList(target, reload));
  main.append(
    head,
    list,
    sameByAPI(
      curl("GET", target + "/deliveries"),
      curl("POST", target + "/deliveries:replay", {
        since: new Date().toISOString().slice(0, 10) + "T00:00:00Z",
      }),
      curl("POST", target + ":test"),
      curl("POST", target + ":rotate"),
      curl("PATCH", target, { disabled: true }),
    ),
  );
  const showHead = () =>
    load(head, async () => endpoint(target, await get(target), showHead, reload));
  showHead();
  reload();
}

/**
 * @param {string} target
 * @param {Webhook} webhook
 * @param {() => void} showAgain  after it was changed
 * @param {() => void} reload  the deliveries
 */
function endpoint(target, webhook, showAgain, reload) {
  const h1 = find("h1");
  if (h1) h1.textContent = webhook.name ?? webhook.url;
  const outcome = html.div();
  /**
   * Does something, and shows what was wrong.
   *
   * @param {() => Promise<void>} work
   * @returns {() => void}
   */
  const doing = (work) => () => {
    work().catch((error) => outcome.replaceChildren(problemNotice(error)));
  };
  return [
    facts("facts", [
      [webhookTexts.url, webhook.url],
      [texts.links.state, endpointState(webhook)],
      [webhookTexts.events, webhook.events.join(", ")],
      [texts.fields.app, webhook.app ?? webhookTexts.all],
      ...managerFacts(webhook.managedBy, pageTexts.link),
      [texts.links.created, timeElement(webhook.createdAt)],
    ]),
    html.div(
      { class: "buttons" },
      button(
        webhookTexts.test,
        doing(async () => {
          await call("POST", target + ":test");
          announce(webhookTexts.tested);
          // Most receivers have answered by then.
          await new Promise((done) => setTimeout(done, 1_000));
          reload();
        }),
      ),
      button(webhookTexts.rotate, () =>
        confirm({
          title: webhookTexts.rotateTitle,
          detail: webhookTexts.rotateDetail,
          action: webhookTexts.rotate,
          work: async () => {
            const { secret } = (await call("POST", target + ":rotate")).content;
            outcome.replaceChildren(onceNotice(secret, webhookTexts.once, webhookTexts.rotated));
          },
        }),
      ),
      button(
        webhook.disabled ? pageTexts.link.enable : pageTexts.link.disable,
        doing(async () => {
          await call("PATCH", target, { body: { disabled: !webhook.disabled } });
          showAgain();
        }),
      ),
      button(
        texts.delete,
        () =>
          confirm({
            title: formatText(webhookTexts.deleteTitle, webhook.name ?? webhook.url),
            detail: webhookTexts.deleteDetail,
            action: texts.delete,
            work: async () => {
              await call("DELETE", target);
              announce(formatText(webhookTexts.deleted, webhook.name ?? webhook.url));
              go(hash(["webhooks"]));
            },
          }),
        { class: "quiet apart" },
      ),
    ),
    outcome,
    html.details(
      { class: "panel" },
      html.summary(webhookTexts.edit),
      endpointForm(texts.save, webhook, async ({ app, ...body }) => {
        await call("PATCH", target, { body: { ...body, name: body.name ?? null } });
        announce(pageTexts.form.saved);
        showAgain();
      }),
    ),
  ];
}

/**
 * @param {string} target
 * @param {() => void} reload
 */
async function deliveryList(target, reload) {
  const { query } = currentAddress();
  const state = query.get("state");
  const cursor = query.get("cursor");
  /** @type {Deliveries} */
  const { deliveries, cursor: next } = await get(
    withQuery(target + "/deliveries", { state, cursor }),
  );
  /** @param {{since: string | null} | {ids: string[]}} body */
  const replay = async (body) => {
    const { replayed } = (await call("POST", target + "/deliveries:replay", { body })).content;
    announce(formatText(webhookTexts.replayed, formatCount(replayed)));
    reload();
  };
  const choice = select(
    "state",
    [["", webhookTexts.anyState], ...Object.entries(pageTexts.deliveryStates)],
    state ?? "",
  );
  choice.addEventListener("change", () => {
    refine({ state: choice.value, cursor: null });
    reload();
  });
  return [
    html.h2(webhookTexts.deliveries),
    html.div({ class: "filters" }, field(texts.links.state, choice)),
    deliveries.length
      ? [
          !state && !cursor && deliveryBars(deliveries),
          table(
            webhookTexts.deliveries,
            [
              webhookTexts.type,
              texts.links.state,
              webhookTexts.at,
              webhookTexts.next,
              webhookTexts.attempts,
              texts.links.actions,
            ],
            deliveries.map((delivery) => [
              html.div(html.strong(delivery.type), " ", html.code({ class: "soft" }, delivery.id)),
              html.span(
                { class: `state ${delivery.state}` },
                pageTexts.deliveryStates[delivery.state],
              ),
              timeElement(delivery.at),
              timeElement(delivery.nextAttemptAt),
              attemptsOf(delivery),
              button(
                webhookTexts.replay,
                (event) =>
                  replay({ ids: [delivery.id] }).catch((error) =>
                    event.target.replaceWith(problemNotice(error)),
                  ),
                { "aria-label": formatText(webhookTexts.replayOf, delivery.id) },
              ),
            ]),
            "list cards",
          ),
        ]
      : emptyNotice(webhookTexts.noDeliveries, webhookTexts.noDeliveriesDetail),
    html.nav(
      { class: "pages", "aria-label": texts.links.pages },
      cursor && anchor(hashWith({ cursor: null }), webhookTexts.latest),
      next && anchor(hashWith({ cursor: next }), webhookTexts.more),
    ),
    html.details(
      html.summary(webhookTexts.replaySince),
      sendForm(
        webhookTexts.replay,
        ({ since }) => replay({ since: fromLocalInput(since) }),
        field(
          webhookTexts.since,
          input("since", "", { type: "datetime-local", required: true }),
          pageTexts.form.localTime,
        ),
      ),
    ),
  ];
}

/** @param {Delivery} delivery */
function attemptsOf({ attempts }) {
  const last = attempts.at(-1);
  if (!last) return "–";
  return html.details(
    html.summary(`${formatCount(attempts.length)} (${last.status ?? webhookTexts.noAnswer})`),
    table(
      webhookTexts.attempts,
      [webhookTexts.at, webhookTexts.status, webhookTexts.milliseconds, webhookTexts.answer],
      attempts.map(({ at, status, error, milliseconds, answer }) => [
        timeElement(at),
        status ?? "–",
        formatCount(milliseconds),
        [error && html.div(error), answer && html.code({ class: "lines" }, answer)],
      ]),
      "cards",
    ),
  );
}
