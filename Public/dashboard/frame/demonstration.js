// Says on every page that the server shows a demonstration.
import { html } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";

/** @param {HTMLElement} header */
export function show(header) {
  const { title, detail } = pageTexts.demonstration;
  header.append(html.aside({ class: "notice" }, html.strong(title), html.p(detail)));
}
