// The document of an application as text.
import { announce } from "../shared/announcement.js";
import { Problem } from "../shared/api.js";
import { button, html } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { problemNotice } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

const applicationTexts = pageTexts.applications;

/**
 * @param {Application} document
 * @param {object} options
 * @param {(document: Application) => Promise<Node | void>} options.save
 * @returns {ApplicationView}
 */
export function documentEditor(document, { save }) {
  const outcome = html.div();
  const text = html.textarea(
    {
      class: "code",
      rows: 24,
      spellcheck: "false",
      autocapitalize: "none",
      "aria-describedby": "document-hint",
    },
    JSON.stringify(document, null, 2),
  );
  const read = () => parsed(text.value);
  const submit = html.button(texts.save);
  const form = html.form(
    {
      submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        submit.disabled = true;
        outcome.replaceChildren();
        try {
          const notice = await save(read());
          if (notice) outcome.replaceChildren(notice);
        } catch (error) {
          outcome.replaceChildren(refusal(error, text));
        } finally {
          submit.disabled = false;
        }
      },
    },
    html.label(applicationTexts.document, text),
    html.small({ id: "document-hint" }, applicationTexts.documentHint),
    outcome,
    html.div({ class: "buttons" }, submit),
  );
  return {
    element: form,
    read: () => {
      try {
        return read();
      } catch (error) {
        outcome.replaceChildren(problemNotice(error));
        announce(pageTexts.form.invalidJSON);
        throw error;
      }
    },
  };
}

/**
 * @param {string} text
 * @returns {Application}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem({
      title: pageTexts.form.invalidJSON,
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

/**
 * Each problem leads to its member in the document.
 *
 * @param {unknown} error
 * @param {HTMLTextAreaElement} text
 */
function refusal(error, text) {
  const notice = problemNotice(error);
  for (const code of notice.querySelectorAll("li code")) {
    code.replaceWith(button(code.textContent, () => selectMember(text, code.textContent ?? "")));
  }
  return notice;
}

/**
 * Selects a member by the last name of its path.
 *
 * @param {HTMLTextAreaElement} text
 * @param {string} field
 */
function selectMember(text, field) {
  let start = 0;
  for (const name of field.replaceAll(/\[\d+\]/g, "").split(".")) {
    const found = text.value.indexOf(`"${name}"`, start);
    if (found < 0) break;
    start = found;
  }
  const lineEnd = text.value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, lineEnd < 0 ? text.value.length : lineEnd);
}
