// Questions before something is deleted. The browser's dialog keeps the focus inside and returns it afterwards.
import { button, html } from "./element.js";
import { problemNotice } from "./pane.js";
import { texts } from "./texts.js";

/** @param {string} title @param {...Content} content */
export function openDialog(title, ...content) {
  const dialog = html.dialog({ "aria-label": title }, html.h2(title), content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Asks, and does `work` if the answer is yes. A problem is shown in the dialog, which stays open.
/** @param {{title: string, detail: string, action: string, work: () => Promise<void>}} question */
export function confirm({ title, detail, action, work }) {
  const outcome = html.div();
  const yes = html.button({ class: "danger" }, action);
  const form = html.form({
    submit: async (event) => {
      event.preventDefault();
      yes.disabled = true;
      try {
        await work();
        dialog.close();
      } catch (error) {
        outcome.replaceChildren(problemNotice(error));
        yes.disabled = false;
      }
    },
  }, html.p(detail), outcome, html.div({ class: "buttons" },
    yes, button(texts.cancel, () => dialog.close(), { autofocus: true })));
  const dialog = openDialog(title, form);
}

/** @returns {boolean} */
export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null;
}
