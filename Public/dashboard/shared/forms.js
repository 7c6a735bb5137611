// Forms: what they hold, what the server says is wrong with it, and sending them once.
import { Problem } from "./api.js";
import { english, html } from "./element.js";
import { values } from "./fields.js";
import { pluralText } from "./formats.js";
import { problemNotice } from "./pane.js";
import { formatText, texts } from "./texts.js";

/** @param {HTMLFormElement} form */
function controls(form) {
  return /** @type {Control[]} */ ([
    ...form.querySelectorAll("input[name], textarea[name], select[name]"),
  ]);
}

/**
 * Shows each error at its field, and returns those that have none. The first field gets the focus.
 *
 * @param {HTMLFormElement} form
 * @param {FieldError[]} errors
 */
export function showErrors(form, errors) {
  clearErrors(form);
  /** @type {FieldError[]} */
  const others = [];
  /** @type {Control | null} */
  let first = null;
  for (const error of errors) {
    const control = nearest(form, error.field);
    if (!control) {
      others.push(error);
      continue;
    }
    const errorElement =
      document.getElementById(`${control.id}-error`) ??
      control.closest("fieldset")?.querySelector(".error");
    if (errorElement) {
      errorElement.append(errorElement.textContent ? " " : "", sentence(error));
    }
    control.setAttribute("aria-invalid", "true");
    for (
      let fold = control.closest("details");
      fold;
      fold = fold.parentElement?.closest("details") ?? null
    ) {
      fold.open = true;
    }
    first ??= control;
  }
  first?.focus();
  return others;
}

/**
 * The server's message about a field as a sentence, with the labels of other fields instead of
 * their names in the API.
 *
 * @param {FieldError} error
 * @returns {string | Node}
 */
function sentence({ problem, isOurs }) {
  if (isOurs) return problem;
  const labels = texts.fields;
  const text = problem.replace(/\b[a-z]+[A-Z]\w*\b/g, (name) =>
    name in labels ? formatText(texts.quoted, labels[name]) : name,
  );
  if (/^must /.test(text)) return english(`${text[0].toUpperCase()}${text.slice(1)}.`);
  if (/^[A-Z]/.test(text)) return english(text);
  const [before, after] = texts.form.error.split("%");
  return html.span(before, english(text), after);
}

/**
 * Marks fields that must be filled in and are not.
 *
 * @param {HTMLFormElement} form
 */
export function areMissing(form) {
  const unchosen = [...form.querySelectorAll("fieldset[data-required]")]
    .filter((choice) => !choice.querySelector(":checked"))
    .flatMap((choice) => [...choice.querySelectorAll("input")].slice(0, 1));
  const empty = [
    ...controls(form).filter(
      (control) => control.required && !control.value.trim() && !control.closest("[hidden]"),
    ),
    ...unchosen,
  ];
  showErrors(
    form,
    empty.map((control) => {
      const { id, name } = control;
      const label =
        form.querySelector(`label[for="${id}"]`) ??
        control.closest("fieldset")?.querySelector("legend");
      return {
        field: name,
        problem: formatText(texts.form.missing, label?.textContent ?? name),
        isOurs: true,
      };
    }),
  );
  return empty.length > 0;
}

/**
 * The problem after its errors are shown at their fields: what is left to say.
 *
 * @param {HTMLFormElement} form
 * @param {Problem} problem
 */
export function withShownErrors(form, problem) {
  const others = showErrors(form, problem.errors);
  const shown = problem.errors.length - others.length;
  if (!shown) return problem;
  return new Problem({
    title: pluralText(texts.form.marked, shown),
    errors: others,
    status: problem.status,
  });
}

/** @param {HTMLFormElement} form */
export function clearErrors(form) {
  for (const control of controls(form)) control.removeAttribute("aria-invalid");
  for (const errorElement of form.querySelectorAll(".error")) errorElement.textContent = "";
}

/**
 * The control of a field, or of what contains it: `tags` for `tags[1]`, where no control has that
 * name.
 *
 * @param {HTMLFormElement} form
 * @param {string} path
 */
function nearest(form, path) {
  const shown = controls(form).filter((control) => !control.closest("[hidden]"));
  for (let name of [path, path.replaceAll(/\[\d+\]/g, "")]) {
    for (;;) {
      const control = shown.find((candidate) => candidate.name === name);
      if (control) return control;
      if (!name.includes(".")) break;
      name = name.slice(0, name.lastIndexOf("."));
    }
  }
  return null;
}

/**
 * A form that can't be sent twice at once, and shows what was wrong at its fields. Nodes that
 * `work` returns are shown below it.
 *
 * @param {string} label  of the button
 * @param {(values: Record<string, string>, form: HTMLFormElement) => Promise<Node | Node[] | void>}
 *   work
 * @param {...Content} content
 */
export function sendForm(label, work, ...content) {
  const outcome = html.div({ "aria-live": "polite" });
  const submit = html.button(label);
  const form = html.form(
    {
      novalidate: true,
      submit: async (event) => {
        event.preventDefault();
        clearErrors(form);
        outcome.replaceChildren();
        if (areMissing(form)) return;
        submit.disabled = true;
        try {
          const result = await work(values(form), form);
          outcome.replaceChildren(...[result ?? []].flat());
        } catch (error) {
          if (error instanceof Problem && error.errors.length) {
            const { errorInWords } = await import("../texts/server-words.js");
            error.errors = error.errors.map(errorInWords);
          }
          outcome.replaceChildren(
            problemNotice(error instanceof Problem ? withShownErrors(form, error) : error),
          );
        } finally {
          submit.disabled = false;
        }
      },
    },
    content,
    html.div({ class: "buttons" }, submit),
    outcome,
  );
  return form;
}
