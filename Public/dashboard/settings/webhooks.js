// Webhooks: the list with the last 24 hours of each, and a new one.
import { hash } from "../frame/address.js";
import { call, get, path, query } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, svg, table } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { count } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { applicationField, choices, creationPanel, onceNotice } from "./creation.js";
import { endpointState } from "./webhook-state.js";

const t = pageTexts.webhooks;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.webhooks });
  const reload = () => load(list, rows);
  const form = endpointForm(
    t.create,
    null,
    async (body, form) => {
      const { content } = await call("POST", "/api/v1/webhooks", {
        body: { ...body, app: session.app ?? (body.app || undefined) },
      });
      form.reset();
      reload();
      return onceNotice(content.secret, t.once, t.onceDetail);
    },
    applicationField(session, t.all),
  );
  main.append(
    html.p(anchor("/_/docs/webhooks.md", t.docs)),
    creationPanel(t.create, form),
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
  if (!webhooks.length)
    return emptyNotice(
      t.none,
      t.noneDetail,
      html.pre({ tabindex: 0 }, html.code(example())),
      anchor("/_/docs/webhooks.md", t.receiver),
    );
  return table(
    texts.pages.webhooks,
    [texts.fields.name, t.events, texts.fields.app, texts.links.state, t.lastDay],
    webhooks.map((one) => {
      const day = html.div();
      load(day, async () => {
        /** @type {Deliveries} */
        const { deliveries, cursor } = await get(
          query(path`/api/v1/webhooks/${one.id}/deliveries`, { limit: "100" }),
        );
        return [bars(deliveries), cursor && html.small(say(t.atMost, count(deliveries.length)))];
      });
      return [
        html.div(
          anchor(hash(["webhooks", one.id]), one.name ?? one.url, { class: "row-link" }),
          one.name && html.div({ class: "destination" }, one.url),
        ),
        one.events.join(", "),
        one.app ?? t.all,
        endpointState(one),
        day,
      ];
    }),
    "list cards",
  );
}

/**
 * The form of name, URL and events. A group includes its events.
 *
 * @param {string} label
 * @param {Webhook | null} webhook  to change
 * @param {(body: {name?: string, url: string, events: string[], app?: string}, form:
 *   HTMLFormElement) => Promise<Node | void>} work
 * @param {...Content} more
 */
export function endpointForm(label, webhook, work, ...more) {
  const form = sendForm(
    label,
    ({ name, url, app }, form) =>
      work(
        {
          name: name.trim() || undefined,
          url: url.trim(),
          events: new FormData(form).getAll("events").map(String),
          app,
        },
        form,
      ),
    field(
      t.url,
      input("url", webhook?.url, {
        type: "url",
        required: true,
        placeholder: "https://www.example.com/webhooks",
      }),
      t.urlHint,
    ),
    field(texts.fields.name, input("name", webhook?.name ?? "", { maxlength: 200 }), t.nameHint),
    more,
    choices(t.events, "events", pageTexts.eventTypes, webhook?.events),
  );
  const show = () => {
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
      form.querySelectorAll("[name=events]")
    );
    for (const box of boxes)
      box.disabled = [...boxes].some(
        (other) =>
          other !== box &&
          other.checked &&
          /\*$/.test(other.value) &&
          box.value.startsWith(other.value.slice(0, -1)),
      );
  };
  form.addEventListener("change", show);
  form.addEventListener("reset", () => setTimeout(show));
  show();
  return form;
}

/**
 * Deliveries of the last 24 hours by hour, those that failed above those that were delivered.
 *
 * @param {Delivery[]} deliveries
 */
export function bars(deliveries) {
  const states = /** @type {Delivery["state"][]} */ (Object.keys(texts.deliveryStates));
  const recent = deliveries
    .map(({ at, state }) => ({
      state,
      hour: 23 - Math.floor((Date.now() - new Date(at).getTime()) / 3_600_000),
    }))
    .filter(({ hour }) => hour >= 0);
  const numbers = states.map((state) =>
    Array.from(
      { length: 24 },
      (_, place) => recent.filter((one) => one.state === state && one.hour === place).length,
    ),
  );
  const most = Math.max(
    1,
    ...numbers[0].map((_, hour) => numbers.reduce((sum, state) => sum + state[hour], 0)),
  );
  const text = say(
    t.bars,
    ...states.map((state) => count(recent.filter((one) => one.state === state).length)),
  );
  return html.div(
    svg.svg(
      {
        viewBox: "0 0 120 24",
        class: "chart small",
        role: "img",
        "aria-label": text,
      },
      numbers[0].map((_, hour) => {
        let y = 24;
        return numbers.map((state, place) => {
          const height = (24 * state[hour]) / most;
          return svg.rect({
            class: `bar ${states[place]}`,
            x: hour * 5,
            width: 4,
            y: (y -= height),
            height,
          });
        });
      }),
    ),
    html.small(text),
  );
}
