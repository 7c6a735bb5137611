// Form fields with a label, a hint and a place for what the server says is wrong.
import { html } from "./element.js";

/** Of all forms so far: it makes the IDs of fields unique. */
let fieldCount = 0;

/**
 * A control with its label. Its name is the field's path in the API, such as `urls.web`.
 *
 * @param {string} label
 * @param {Control} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  fieldCount += 1;
  const id = `field-${fieldCount}`;
  control.id = id;
  const error = html.span({ class: "error", id: `${id}-error` });
  control.setAttribute("aria-describedby", hint ? `${id}-hint ${id}-error` : `${id}-error`);
  return html.div(
    { class: "field" },
    html.label({ for: id }, label),
    hint && html.small({ id: `${id}-hint` }, hint),
    control,
    error,
  );
}

/**
 * @param {string} name
 * @param {string} [value]
 * @param {Record<string, Attribute>} [more]
 */
export function input(name, value, more) {
  return html.input({
    name,
    value,
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    ...more,
  });
}

/**
 * @param {string} name
 * @param {string[][]} options  value and text
 * @param {string} [value]
 */
export function select(name, options, value) {
  return html.select(
    { name },
    options.map(([optionValue, text]) =>
      html.option({ value: optionValue, selected: optionValue === value }, text),
    ),
  );
}

/**
 * What a form holds, by name. A box that is not ticked has no entry.
 *
 * @param {HTMLFormElement} form
 */
export function values(form) {
  /** @type {Record<string, string>} */
  const result = {};
  for (const [name, value] of new FormData(form)) result[name] = String(value);
  return result;
}
