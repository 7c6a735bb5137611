// Changes many links at once: those that are selected, or all that match the filters.

import { deleteLater, offerUndo } from "../../frame/undo.js";
import { announce } from "../../shared/announcement.js";
import { call } from "../../shared/api.js";
import { confirm } from "../../shared/dialog.js";
import { button, html } from "../../shared/element.js";
import { field, input, select } from "../../shared/fields.js";
import { formatList, formatMoment, fromLocalInput, pluralText } from "../../shared/formats.js";
import { sendForm } from "../../shared/forms.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { tagsOf } from "../form/body.js";
import { knownTags } from "./filters.js";
import { folderTree, forgetFolders, knownFolders } from "./folders.js";
import { linksBefore, reversal } from "./reversal.js";
import { clearSelection, selected, selectionBody } from "./selection.js";

const bulkTexts = pageTexts.bulk;
/** @type {Record<string, string>} */
const actions = bulkTexts.actions;

/**
 * The bar below the list, and what shows the selection in it.
 *
 * @param {object} list
 * @param {Record<string, string>} list.conditions  its filters
 * @param {number} [list.total]  how many links match them
 * @param {() => void} list.showBoxes  ticks the boxes of what is selected
 * @param {() => void} list.reload
 */
export function bulkBar({ conditions, total, showBoxes, reload }) {
  const status = html.strong({ role: "status" });
  const isFiltered = Object.keys(conditions).length > 0;
  const known = total === undefined ? null : pluralText(bulkTexts.links, total);
  const ofAll = isFiltered ? bulkTexts.allOf : bulkTexts.allLinks;
  const everything = button(
    formatText(ofAll, known ?? bulkTexts.uncounted),
    () => {
      selected.isAll = true;
      showBoxes();
      show();
    },
    { class: "quiet small" },
  );
  const clear = button(
    bulkTexts.clear,
    () => {
      clearSelection();
      showBoxes();
      show();
    },
    { class: "quiet small" },
  );
  const bar = html.section(
    { class: "bulk", "aria-label": bulkTexts.label, hidden: true },
    html.div({ class: "buttons" }, status, everything, clear),
    bulkForm(
      () => selectionBody(conditions),
      () => {
        clearSelection();
        reload();
      },
    ),
  );
  const show = () => {
    const { names, isAll } = selected;
    bar.hidden = !names.size && !isAll;
    status.textContent = isAll
      ? formatText(bulkTexts.whole, known ?? bulkTexts.uncounted)
      : pluralText(bulkTexts.count, names.size);
    everything.hidden = isAll || names.size === total;
  };
  return { bar, show };
}

/**
 * The form: what it would do is asked of the server first, and said in a question.
 *
 * @param {() => LinkSelection} selection
 * @param {() => void} done
 */
function bulkForm(selection, done) {
  const action = select("action", Object.entries(actions));
  const control = input("value", "", { list: "bulk-tags" });
  const value = field(bulkTexts.tags, control);
  const tags = html.datalist({ id: "bulk-tags" });
  const showValue = () => {
    const isTag = /Tags/.test(action.value);
    const isFolder = action.value === "folder";
    value.hidden = !isTag && !isFolder && action.value !== "expiresAt";
    control.type = isTag || isFolder ? "text" : "datetime-local";
    control.required = isTag;
    control.value = "";
    control.placeholder = isTag ? bulkTexts.tags : isFolder ? bulkTexts.noFolder : "";
    const name = isTag ? bulkTexts.tags : isFolder ? texts.fields.folder : bulkTexts.expiry;
    const label = value.querySelector("label");
    if (label) label.textContent = name;
  };
  action.addEventListener("change", showValue);
  control.addEventListener("focus", async () => {
    const known =
      action.value === "folder"
        ? folderTree(await knownFolders()).map(([folder]) => folder)
        : knownTags();
    tags.replaceChildren(...known.map((known) => html.option({ value: known })));
  });
  showValue();
  return sendForm(
    bulkTexts.apply,
    async (values) => {
      const { matched, changed = matched } = await send(selection(), values, true);
      const removes = values.action === "delete";
      confirm({
        title: question(values, pluralText(bulkTexts.links, matched)),
        detail: removes
          ? bulkTexts.deleteDetail
          : changed === matched
            ? bulkTexts.detail
            : pluralText(bulkTexts.partly, matched - changed),
        action: actions[values.action],
        isHarmless: !removes,
        work: () => change(selection(), values, done),
      });
    },
    field(bulkTexts.action, action),
    value,
    tags,
  );
}

/**
 * @param {LinkSelection} selection
 * @param {Record<string, string>} values
 * @param {() => void} done
 */
async function change(selection, values, done) {
  const removes = values.action === "delete";
  if (removes && Array.isArray(selection.links)) {
    const count = pluralText(bulkTexts.links, selection.links.length);
    deleteLater(selection.links, formatText(bulkTexts.deleted, count), () =>
      send(selection, values, false),
    );
    done();
    return;
  }
  const before = removes ? null : await linksBefore(selection);
  const { changed, results } = await send(selection, values, false);
  forgetFolders();
  const text = formatText(
    removes ? bulkTexts.deleted : bulkTexts.done,
    pluralText(bulkTexts.links, changed),
  );
  const back = changed ? reversal(before, values.action, tagsOf(values.value)) : null;
  if (back) {
    offerUndo(text, async () => {
      await back();
      forgetFolders();
      // A form that is being filled in stays.
      if (/^#\/links(\?|$)/.test(location.hash)) done();
      return bulkTexts.undone;
    });
  } else {
    announce(text);
  }
  throwFailures(results);
  done();
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
  if (action === "folder") {
    const folder = folderOf(value);
    return folder
      ? formatText(questions.folder, links, folder)
      : formatText(questions.noFolder, links);
  }
  if (asked === "expiresAt") return formatText(questions[asked], links, formatMoment(value));
  if (!/Tags/.test(action)) return formatText(questions[asked], links);
  const tags = tagsOf(value).map((tag) => formatText(texts.quoted, tag));
  return formatText(questions[action], formatList(tags), links);
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
    : { patch: patchOf(action, value) };
  return (await call("PATCH", "/api/v1/links:batch", { body: { select, ...change, dryRun } }))
    .content;
}

/**
 * @param {string} action
 * @param {string} value
 */
function patchOf(action, value) {
  if (action === "expiresAt") return { expiresAt: fromLocalInput(value) };
  if (action === "folder") return { folder: folderOf(value) };
  return { disabled: action === "disable" };
}

/**
 * The path of a folder as it is stored; null for none.
 *
 * @param {string} text
 */
const folderOf = (text) =>
  text
    .split("/")
    .map((part) => part.trim())
    .filter(Boolean)
    .join("/") || null;
