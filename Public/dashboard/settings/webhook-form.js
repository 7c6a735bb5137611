// The form of a webhook, to create or to change one.
import { field, input } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { texts } from "../shared/texts.js";
import { choices } from "./creation.js";

const webhookTexts = pageTexts.webhooks;

/**
 * The form of name, URL and events. A group includes its events.
 *
 * @param {string} label
 * @param {Webhook | null} webhook  to change
 * @param {(body: WebhookBody, form: HTMLFormElement) => Promise<Node | void>} work
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
      webhookTexts.url,
      input("url", webhook?.url, {
        type: "url",
        required: true,
        placeholder: "https://www.example.com/webhooks",
      }),
      webhookTexts.urlHint,
    ),
    field(
      texts.fields.name,
      input("name", webhook?.name ?? "", { maxlength: 200 }),
      webhookTexts.nameHint,
    ),
    more,
    choices(webhookTexts.events, "events", pageTexts.eventTypes, webhook?.events),
  );
  const showIncluded = () => {
    const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=events]")]);
    for (const box of boxes) {
      box.disabled = boxes.some(
        (other) => other !== box && other.checked && includes(other.value, box.value),
      );
    }
  };
  form.addEventListener("change", showIncluded);
  // Boxes are reset after the event.
  form.addEventListener("reset", () => setTimeout(showIncluded));
  showIncluded();
  return form;
}

/**
 * @param {string} group  such as `link.*`
 * @param {string} event
 */
const includes = (group, event) => group.endsWith("*") && event.startsWith(group.slice(0, -1));
