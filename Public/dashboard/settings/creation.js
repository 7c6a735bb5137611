// What the pages of keys and webhooks share: a form for a new one, its choices, and a secret that
// is shown once.

import { setPageShortcuts } from "../frame/keyboard.js";
import { applications } from "../shared/api.js";
import { copyButton } from "../shared/clipboard.js";
import { html } from "../shared/element.js";
import { field, select } from "../shared/fields.js";
import { load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

/**
 * A form that a button beside the heading shows, or `c`.
 *
 * @param {HTMLElement} main
 * @param {string} title
 * @param {HTMLFormElement} form
 */
export function creationPanel(main, title, form) {
  const panel = html.section({ class: "panel", "aria-label": title, hidden: true }, form);
  /** @param {boolean} isOpen */
  const show = (isOpen) => {
    panel.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) form.querySelector("input")?.focus();
  };
  const open = html.button(
    { type: "button", "aria-expanded": "false", click: () => show(panel.hidden) },
    title,
  );
  main.firstElementChild?.append(open);
  setPageShortcuts([{ key: "c", text: title, run: () => show(true) }]);
  return panel;
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
 * Boxes with what each means, of which one must be ticked.
 *
 * @param {string} legend
 * @param {string} name
 * @param {Record<string, string>} options
 * @param {string[]} [checked]
 */
export const choices = (legend, name, options, checked = []) =>
  html.fieldset(
    { "data-required": true },
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
