// Questions before something is deleted. The browser's dialog keeps the focus inside and returns it
// afterwards.
import { announcementRegion } from "./announcement.js";
import { button, html } from "./element.js";
import { problemNotice } from "./pane.js";
import { texts } from "./texts.js";

/**
 * @param {string} title
 * @param {...Content} content
 */
export function openDialog(title, ...content) {
  const dialog = html.dialog({ "aria-label": title }, html.h2(title), content);
  dialog.addEventListener("close", () => {
    (document.querySelector("dialog[open]") ?? document.body).append(announcementRegion);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  // Under the dialog's shade nobody could read it, or press its button.
  dialog.append(announcementRegion);
  // The button that has the focus may be at its end.
  dialog.scrollTop = 0;
  return dialog;
}

/**
 * Asks, and does `work` if the answer is yes. A problem is shown in the dialog, which stays open.
 *
 * @param {Question} question
 */
export function confirm({ title, detail, action, work, isHarmless }) {
  const outcome = html.div();
  const yes = html.button({ class: isHarmless ? null : "danger" }, action);
  const form = html.form(
    {
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
    },
    html.p(detail),
    outcome,
    html.div(
      { class: "buttons" },
      yes,
      button(texts.cancel, () => dialog.close(), { autofocus: true }),
    ),
  );
  const dialog = openDialog(title, form);
}
