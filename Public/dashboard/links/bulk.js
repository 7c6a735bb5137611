// Changes many links at once: those that are selected, or all that match the filters.

import { deleteLater } from "../frame/undo.js";
import { announce } from "../shared/announcement.js";
import { call } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { html } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { formatMoment, fromLocalInput, pluralText } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { formatText, texts } from "../shared/texts.js";
import { tagsOf } from "./form-body.js";

const bulkTexts = texts.bulk;

/**
 * The form: what it would do is asked of the server first, and said in a question.
 *
 * @param {() => LinkSelection} selected
 * @param {() => void} done
 */
export function bulkForm(selected, done) {
  const action = select("action", Object.entries(texts.bulkActions));
  const value = field(bulkTexts.value, input("value"));
  const showValue = () => {
    value.hidden = !/Tags|expiresAt/.test(action.value);
    const control = value.querySelector("input");
    control?.setAttribute("type", action.value === "expiresAt" ? "datetime-local" : "text");
    control?.toggleAttribute("required", /Tags/.test(action.value));
  };
  action.addEventListener("change", showValue);
  showValue();
  return sendForm(
    bulkTexts.apply,
    async (values) => {
      const { matched, changed = matched } = await send(selected(), values, true);
      const removes = values.action === "delete";
      confirm({
        title: question(values, pluralText(bulkTexts.links, matched)),
        detail: removes
          ? bulkTexts.deleteDetail
          : changed === matched
            ? bulkTexts.detail
            : formatText(bulkTexts.partly, pluralText(bulkTexts.links, matched - changed)),
        action: texts.bulkActions[values.action],
        isHarmless: !removes,
        work: async () => {
          const selection = selected();
          if (removes && Array.isArray(selection.links)) {
            const text = formatText(
              bulkTexts.deleted,
              pluralText(bulkTexts.links, selection.links.length),
            );
            deleteLater(selection.links, text, () => send(selection, values, false));
            done();
            return;
          }
          const { changed, results } = await send(selection, values, false);
          announce(
            formatText(
              removes ? bulkTexts.deleted : bulkTexts.done,
              pluralText(bulkTexts.links, changed),
            ),
          );
          throwFailures(results);
          done();
        },
      });
    },
    html.div({ class: "pair" }, field(bulkTexts.action, action), value),
  );
}

/** @param {any[]} results */
function throwFailures(results) {
  const failed = results.filter(({ problem }) => problem);
  if (!failed.length) return;
  const count = pluralText(bulkTexts.links, failed.length);
  const reasons = failed.map(({ slug, problem }) => `${slug}: ${problem.detail ?? problem}`);
  throw new Error(`${formatText(bulkTexts.failed, count)} ${reasons.join("; ")}`);
}

/**
 * What is asked before links are changed.
 *
 * @param {Record<string, string>} values
 * @param {string} links  how many
 */
function question({ action, value }, links) {
  /** @type {Record<string, string>} */
  const questions = bulkTexts.questions;
  const asked = action === "expiresAt" && !value ? "never" : action;
  if (asked === "expiresAt") return formatText(questions[asked], links, formatMoment(value));
  if (/Tags/.test(action)) {
    return formatText(
      questions[action],
      tagsOf(value)
        .map((tag) => `“${tag}”`)
        .join(", "),
      links,
    );
  }
  return formatText(questions[asked], links);
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
