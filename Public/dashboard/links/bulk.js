// Changes many links at once: those that are selected, or all that match the filters.

import { deleteLater } from "../frame/undo.js";
import { announce } from "../shared/announcement.js";
import { call } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { html } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { counted, fromLocalInput, moment } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { say, texts } from "../shared/texts.js";
import { tagsOf } from "./form-body.js";

const t = texts.bulk;

/**
 * @param {() => LinkSelection} selected
 * @param {() => void} done
 */
export function bulkForm(selected, done) {
  const action = select("action", Object.entries(texts.bulkActions));
  const value = field(t.value, input("value"));
  const show = () => {
    value.hidden = !/Tags|expiresAt/.test(action.value);
    const control = value.querySelector("input");
    control?.setAttribute("type", action.value === "expiresAt" ? "datetime-local" : "text");
    control?.toggleAttribute("required", /Tags/.test(action.value));
  };
  action.addEventListener("change", show);
  show();
  return sendForm(
    t.apply,
    async (values) => {
      const { matched, changed = matched } = await send(selected(), values, true);
      const removes = values.action === "delete";
      confirm({
        title: question(values, counted(t.links, matched)),
        detail: removes
          ? t.deleteDetail
          : changed === matched
            ? t.detail
            : say(t.partly, counted(t.links, matched - changed)),
        action: texts.bulkActions[values.action],
        isHarmless: !removes,
        work: async () => {
          const select = selected();
          if (removes && Array.isArray(select.links)) {
            const text = say(t.deleted, counted(t.links, select.links.length));
            deleteLater(select.links, text, () => send(select, values, false));
            done();
            return;
          }
          const { changed, results } = await send(select, values, false);
          announce(say(removes ? t.deleted : t.done, counted(t.links, changed)));
          const failed = results.filter((/** @type {any} */ one) => one.problem);
          if (failed.length) {
            const why = (/** @type {any} */ { slug, problem }) =>
              `${slug}: ${problem.detail ?? problem}`;
            throw new Error(
              `${say(t.failed, counted(t.links, failed.length))} ${failed.map(why).join("; ")}`,
            );
          }
          done();
        },
      });
    },
    html.div({ class: "pair" }, field(t.action, action), value),
  );
}

/**
 * @param {Record<string, string>} values
 * @param {string} links  how many
 */
function question({ action, value }, links) {
  /** @type {Record<string, string>} */
  const questions = t.questions;
  const asked = action === "expiresAt" && !value ? "never" : action;
  if (asked === "expiresAt") return say(questions[asked], links, moment(value));
  if (/Tags/.test(action)) {
    return say(
      questions[action],
      tagsOf(value)
        .map((tag) => `“${tag}”`)
        .join(", "),
      links,
    );
  }
  return say(questions[asked], links);
}

/**
 * @param {LinkSelection} select
 * @param {Record<string, string>} values
 * @param {boolean} dryRun
 */
async function send(select, { action, value }, dryRun) {
  if (action === "delete") {
    return (await call("POST", "/api/v1/links:delete", { body: { select, dryRun } })).content;
  }
  const change = /Tags/.test(action)
    ? { [action]: tagsOf(value) }
    : {
        patch:
          action === "expiresAt"
            ? { expiresAt: fromLocalInput(value) }
            : { disabled: action === "disable" },
      };
  return (await call("PATCH", "/api/v1/links:batch", { body: { select, ...change, dryRun } }))
    .content;
}
