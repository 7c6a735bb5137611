// Questions before something is deleted. The browser's dialog keeps the focus inside and returns it afterwards.
import { element } from "./element.js";
import { problemNotice } from "./pane.js";
import { texts } from "./texts.js";

/** @param {string} title @param {...Content} content */
export function openDialog(title, ...content) {
  const dialog = element("dialog", { "aria-label": title }, element("h2", {}, title), content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Asks, and does `work` if the answer is yes. A problem is shown in the dialog, which stays open.
/** @param {{title: string, detail: string, action: string, work: () => Promise<void>}} question */
export function confirm({ title, detail, action, work }) {
  const outcome = element("div");
  const yes = element("button", { type: "submit", class: "danger" }, action);
  const form = element("form", {
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
  }, element("p", {}, detail), outcome, element("div", { class: "buttons" },
    yes, element("button", { type: "button", class: "quiet", autofocus: true, click: () => dialog.close() }, texts.cancel)));
  const dialog = openDialog(title, form);
}

/** @returns {boolean} */
export function dialogIsOpen() {
  return document.querySelector("dialog[open]") !== null;
}
