// Makes elements. Text is always text: there is no way to pass markup.

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} made @param {Record<string, Attribute>} attributes */
function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
}

/**
 * An element. Functions among the attributes become listeners: `{click: run}`.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Content} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...nodes(children));
  return made;
}

/**
 * An element of a drawing.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Content} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  set(made, attributes);
  made.append(...nodes(children));
  return made;
}

/** @param {Content[]} children @returns {(Node | string)[]} */
function nodes(children) {
  const result = [];
  for (const child of /** @type {Child[]} */ (children.flat(9))) {
    if (child !== null && child !== undefined && child !== false) {
      result.push(child instanceof Node ? child : String(child));
    }
  }
  return result;
}

/**
 * A table with a name for assistive technology. On narrow screens each row becomes a card, so every cell carries the
 * head of its column, and roles that survive `display: block`.
 *
 * @param {string} caption
 * @param {string[]} heads
 * @param {Content[][]} rows
 * @param {string} [className]
 */
export function table(caption, heads, rows, className = "") {
  return element("table", { class: className, role: "table" },
    element("caption", {}, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" },
      heads.map((head) => element("th", { scope: "col", role: "columnheader" }, head)))),
    element("tbody", { role: "rowgroup" }, rows.map((cells) => element("tr", { role: "row" },
      cells.map((cell, column) => element("td", { role: "cell", "data-label": heads[column] || null }, cell))))));
}

// A button that sends nothing.
/** @param {Content} label @param {(event: any) => void} click @param {Record<string, Attribute>} [more] */
export const button = (label, click, more) => element("button", { type: "button", class: "quiet", click, ...more }, label);

/** @param {string} href @param {Content} text @param {Record<string, Attribute>} [more] */
export const anchor = (href, text, more) => element("a", { href, ...more }, text);

/** @param {...Content} fields */
export const pair = (...fields) => element("div", { class: "pair" }, fields);
