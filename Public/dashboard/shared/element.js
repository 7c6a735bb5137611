// Makes elements: html.p({ class: "soft" }, text). Text is always text: there is no way to pass
// markup. Functions among the attributes become listeners: { click: run }.

/** Depth to which children may be nested in lists. */
const DEPTH = 9;

/** @param {Child} child */
const isShown = (child) => child !== null && child !== undefined && child !== false;

/**
 * @param {string} namespace
 * @param {string} tag
 * @param {any[]} parts  attributes, if the first is a plain object, and children
 */
function make(namespace, tag, parts) {
  const element = document.createElementNS(namespace, tag);
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (isShown(value)) element.setAttribute(name, String(value));
  }
  element.append(...parts.flat(DEPTH).filter(isShown));
  return element;
}

/**
 * An object that has a function for each tag: `html.p`.
 *
 * @param {string} namespace
 * @returns {any}
 */
const maker = (namespace) =>
  new Proxy(
    {},
    {
      get:
        (_, tag) =>
        (/** @type {any[]} */ ...parts) =>
          make(namespace, String(tag), parts),
    },
  );

/** @type {Makers<HTMLElementTagNameMap>} */
export const html = maker("http://www.w3.org/1999/xhtml");
/** @type {Makers<SVGElementTagNameMap>} */
export const svg = maker("http://www.w3.org/2000/svg");

/** @param {Content} head */
const labelOf = (head) => (typeof head === "string" && head ? head : null);

/**
 * A table with a name for assistive technology. On narrow screens each row becomes a card, so every
 * cell carries the head of its column, and roles that survive `display: block`.
 *
 * @param {Content} caption
 * @param {Content[]} heads
 * @param {Content[][]} rows
 * @param {string} [className]
 */
export function table(caption, heads, rows, className = "") {
  return html.table(
    { class: className, role: "table" },
    html.caption(caption),
    html.thead(
      { role: "rowgroup" },
      html.tr(
        { role: "row" },
        heads.map((head) => html.th({ scope: "col", role: "columnheader" }, head)),
      ),
    ),
    html.tbody(
      { role: "rowgroup" },
      rows.map((cells) =>
        html.tr(
          { role: "row" },
          cells.map((cell, column) =>
            html.td({ role: "cell", "data-label": labelOf(heads[column]) }, cell),
          ),
        ),
      ),
    ),
  );
}

/**
 * A button that sends nothing.
 *
 * @param {Content} label
 * @param {(event: any) => void} click
 * @param {Record<string, Attribute>} [more]
 */
export const button = (label, click, more) =>
  html.button({ type: "button", class: "quiet", click, ...more }, label);

/**
 * @param {string} href
 * @param {Content} text
 * @param {Record<string, Attribute>} [more]
 */
export const anchor = (href, text, more) => html.a({ href, ...more }, text);

/**
 * Text that the server has written.
 *
 * @param {Content} text
 */
export const english = (text) => html.span({ lang: "en" }, text);

/** @param {...Content} fields */
export const pair = (...fields) => html.div({ class: "pair" }, fields);

/**
 * Names and their values.
 *
 * @param {"facts" | "totals"} kind
 * @param {Content[][]} rows
 */
export const facts = (kind, rows) =>
  html.dl(
    { class: kind },
    rows.map(([name, value]) => html.div(html.dt(name), html.dd(value))),
  );

/**
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const find = (selector) => document.querySelector(selector);
