// One webhook: its state and secret, its deliveries with their attempts, and deliveries again.
import { changed, current, go, hash, refine } from "../frame/address.js";
import { announce } from "../shared/announcement.js";
import { call, get, path, query } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { anchor, button, facts, find, html, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { count, fromLocalInput, time } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load, problemNotice } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { onceNotice } from "./creation.js";
import { endpointState } from "./webhook-state.js";
import { bars, endpointForm } from "./webhooks.js";

const t = pageTexts.webhooks;

/** @type {ShowPage} */
export function show(main, _, [id]) {
  const target = path`/api/v1/webhooks/${id}`;
  const head = html.section({ "aria-label": texts.pages.webhooks });
  const list = html.section({ "aria-label": t.deliveries });
  const reload = () => load(list, () => deliveries(target, reload));
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
  const show = () => load(head, async () => endpoint(target, await get(target), show, reload));
  show();
  reload();
}

/**
 * @param {string} target
 * @param {Webhook} one
 * @param {() => void} show
 * @param {() => void} reload
 */
function endpoint(target, one, show, reload) {
  const h1 = find("h1");
  if (h1) h1.textContent = one.name ?? one.url;
  const outcome = html.div();
  const doing = (/** @type {() => Promise<void>} */ work) => () =>
    work().catch((error) => outcome.replaceChildren(problemNotice(error)));
  return [
    facts("facts", [
      [t.url, one.url],
      [texts.links.state, endpointState(one)],
      [t.events, one.events.join(", ")],
      [texts.fields.app, one.app ?? t.all],
      [texts.links.created, time(one.createdAt)],
    ]),
    html.div(
      { class: "buttons" },
      button(
        t.test,
        doing(async () => {
          await call("POST", target + ":test");
          announce(t.tested);
          await new Promise((done) => setTimeout(done, 1e3));
          reload();
        }),
      ),
      button(t.rotate, () =>
        confirm({
          title: t.rotateTitle,
          detail: t.rotateDetail,
          action: t.rotate,
          work: async () =>
            outcome.replaceChildren(
              onceNotice(
                (await call("POST", target + ":rotate")).content.secret,
                t.once,
                t.rotated,
              ),
            ),
        }),
      ),
      button(
        one.disabled ? pageTexts.link.enable : pageTexts.link.disable,
        doing(async () => {
          await call("PATCH", target, { body: { disabled: !one.disabled } });
          show();
        }),
      ),
      button(texts.delete, () =>
        confirm({
          title: say(t.deleteTitle, one.name ?? one.url),
          detail: t.deleteDetail,
          action: texts.delete,
          work: async () => {
            await call("DELETE", target);
            announce(say(t.deleted, one.name ?? one.url));
            go(hash(["webhooks"]));
          },
        }),
      ),
    ),
    outcome,
    html.details(
      { class: "panel" },
      html.summary(t.edit),
      endpointForm(texts.save, one, async ({ app, ...body }) => {
        await call("PATCH", target, { body: { ...body, name: body.name ?? null } });
        announce(pageTexts.form.saved);
        show();
      }),
    ),
  ];
}

/**
 * @param {string} target
 * @param {() => void} reload
 */
async function deliveries(target, reload) {
  const { query: now } = current();
  const [state, cursor] = [now.get("state"), now.get("cursor")];
  /** @type {Deliveries} */
  const { deliveries, cursor: next } = await get(query(target + "/deliveries", { state, cursor }));
  const replay = async (/** @type {{since: string | null} | {ids: string[]}} */ body) => {
    announce(
      say(
        t.replayed,
        count((await call("POST", target + "/deliveries:replay", { body })).content.replayed),
      ),
    );
    reload();
  };
  const choice = select(
    "state",
    [["", t.anyState], ...Object.entries(texts.deliveryStates)],
    state ?? "",
  );
  choice.addEventListener("change", () => {
    refine({ state: choice.value, cursor: null });
    reload();
  });
  return [
    html.h2(t.deliveries),
    html.div({ class: "filters" }, field(texts.links.state, choice)),
    deliveries.length
      ? [
          !state && !cursor && bars(deliveries),
          table(
            t.deliveries,
            [t.type, texts.links.state, t.at, t.next, t.attempts, texts.links.actions],
            deliveries.map((one) => [
              html.div(html.strong(one.type), " ", html.code({ class: "soft" }, one.id)),
              html.span({ class: `state ${one.state}` }, texts.deliveryStates[one.state]),
              time(one.at),
              time(one.nextAttemptAt),
              attempts(one),
              button(
                t.replay,
                (event) =>
                  replay({ ids: [one.id] }).catch((error) =>
                    event.target.replaceWith(problemNotice(error)),
                  ),
                { "aria-label": say(t.replayOf, one.id) },
              ),
            ]),
            "list cards",
          ),
        ]
      : emptyNotice(t.noDeliveries, t.noDeliveriesDetail),
    html.nav(
      { class: "pages", "aria-label": texts.links.pages },
      cursor && anchor(changed({ cursor: null }), t.latest),
      next && anchor(changed({ cursor: next }), t.more),
    ),
    html.details(
      html.summary(t.replaySince),
      sendForm(
        t.replay,
        ({ since }) => replay({ since: fromLocalInput(since) }),
        field(
          t.since,
          input("since", "", { type: "datetime-local", required: true }),
          pageTexts.form.localTime,
        ),
      ),
    ),
  ];
}

/** @param {Delivery} delivery */
function attempts({ attempts }) {
  const last = attempts.at(-1);
  if (!last) return "–";
  return html.details(
    html.summary(`${count(attempts.length)} (${last.status ?? t.noAnswer})`),
    table(
      t.attempts,
      [t.at, t.status, t.milliseconds, t.answer],
      attempts.map(({ at, status, error, milliseconds, answer }) => [
        time(at),
        status ?? "–",
        count(milliseconds),
        [error && html.div(error), answer && html.code({ class: "lines" }, answer)],
      ]),
      "cards",
    ),
  );
}
