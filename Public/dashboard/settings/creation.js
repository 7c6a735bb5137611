// What the pages of keys and webhooks share: a folded form, its choices, and a secret that is shown
// once.

import { setPageShortcuts } from "../frame/keyboard.js";
import { applications } from "../shared/api.js";
import { copyButton } from "../shared/clipboard.js";
import { html } from "../shared/element.js";
import { field, select } from "../shared/fields.js";
import { load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

/**
 * A form that is folded away, and opened with `c`.
 *
 * @param {string} title
 * @param {HTMLFormElement} form
 */
export function creationPanel(title, form) {
  const fold = html.details({ class: "panel" }, html.summary(title), form);
  setPageShortcuts([
    {
      key: "c",
      text: title,
      run: () => {
        fold.open = true;
        form.querySelector("input")?.focus();
      },
    },
  ]);
  return fold;
}

/**
 * A field for the application, unless the key of the session has one.
 *
 * @param {Session} session
 * @param {string} all  what no application stands for
 */
export function applicationField(session, all) {
  const container = html.div();
  if (!session.app) {
    load(container, async () =>
      field(
        texts.fields.app,
        select("app", [["", all], ...(await applications()).map(({ id }) => [id, id])]),
      ),
    );
  }
  return container;
}

/**
 * Boxes with what each means.
 *
 * @param {string} legend
 * @param {string} name
 * @param {Record<string, string>} options
 * @param {string[]} [checked]
 */
export const choices = (legend, name, options, checked = []) =>
  html.fieldset(
    html.legend(legend),
    Object.entries(options).map(([value, text]) =>
      html.label(
        { class: "choice" },
        html.input({ type: "checkbox", name, value, checked: checked.includes(value) }),
        html.span(html.strong(value), " ", text),
      ),
    ),
    html.span({ class: "error" }),
  );

/**
 * A secret, which the server does not tell again.
 *
 * @param {string} secret
 * @param {string} title
 * @param {string} detail
 */
export function onceNotice(secret, title, detail) {
  return html.div(
    { class: "notice good", role: "status" },
    html.strong(title),
    html.p(detail),
    html.p(html.code({ tabindex: -1, class: "secret" }, secret)),
    copyButton(secret),
  );
}
