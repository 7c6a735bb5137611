// The page /_/reference: every call of the OpenAPI document, with its parameters, bodies and
// answers, and an example of each.
import { get } from "../shared/api.js";
import { anchor, html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { fill, load } from "../shared/pane.js";
import { callDetails, prose } from "./call.js";
import { Schemas } from "./schemas.js";

const referenceTexts = pageTexts.reference;
const METHODS = ["get", "post", "put", "patch", "delete"];
const calls = html.div({ id: "calls" });

async function content() {
  const [api, { problems }] = await Promise.all([get("/_/openapi.json"), get("/_/problems")]);
  const reference = { schemas: new Schemas(api), problems };
  // Once the calls are in the page.
  setTimeout(openTarget);
  return [
    sections(api, reference),
    html.h2({ id: "problems" }, referenceTexts.problems),
    table(
      referenceTexts.problems,
      [referenceTexts.type, referenceTexts.status, referenceTexts.meaning, referenceTexts.remedy],
      problems.map((/** @type {any} */ { type, status, title, cause, remedy }) => [
        html.code(type),
        status,
        prose(`${title}. ${cause}`),
        prose(remedy),
      ]),
      "cards",
    ),
  ];
}

/**
 * A section for each tag that has calls.
 *
 * @param {any} api  the OpenAPI document
 * @param {import("./call.js").Reference} reference
 */
function sections(api, reference) {
  /** @type {Map<string, Content[]>} */
  const callsByTag = new Map();
  for (const [path, operations] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((name) => operations[name])) {
      const operation = operations[method];
      const [tag] = operation.tags;
      const call = { path, method, operation, shared: operations.parameters ?? [] };
      callsByTag.set(tag, [...(callsByTag.get(tag) ?? []), callPanel(reference, call)]);
    }
  }
  return api.tags
    .filter((/** @type {any} */ { name }) => callsByTag.has(name))
    .map((/** @type {any} */ { name, description }, /** @type {number} */ index) =>
      html.section(
        { "aria-labelledby": `tag-${index}` },
        html.h2({ id: `tag-${index}`, lang: "en" }, name),
        html.p(prose(description)),
        callsByTag.get(name),
      ),
    );
}

/**
 * A call whose details are made when it is unfolded: there are hundreds.
 *
 * @param {import("./call.js").Reference} reference
 * @param {import("./call.js").Call} call
 */
function callPanel(reference, call) {
  const { path, method, operation } = call;
  const details = html.div();
  const panel = html.details(
    {
      class: "panel call",
      id: operation.operationId,
      toggle: () => {
        if (panel.open && !details.firstChild) fill(details, callDetails(reference, call));
      },
    },
    html.summary(
      html.code({ class: "method" }, method.toUpperCase()),
      " ",
      html.code(path),
      " ",
      html.span({ class: "soft", lang: "en" }, operation.summary),
    ),
    details,
  );
  return panel;
}

/** Unfolds the call that the address names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

/** Hides the calls that lack a word of the search. */
function filterCalls() {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const call of calls.querySelectorAll("details.call")) {
    const text = call.querySelector("summary")?.textContent?.toLowerCase() ?? "";
    call.toggleAttribute("hidden", !words.every((word) => text.includes(word)));
  }
  for (const section of calls.querySelectorAll("section")) {
    section.hidden = !section.querySelector("details.call:not([hidden])");
  }
}

document.title = `${referenceTexts.title} – Waymark`;
const search = html.input({ type: "search", id: "search", input: filterCalls });
document
  .querySelector("main")
  ?.replaceChildren(
    html.h1(referenceTexts.title),
    html.p(referenceTexts.about, " ", anchor("/_/openapi.json", "openapi.json")),
    html.label({ for: "search" }, referenceTexts.search),
    search,
    calls,
  );
window.addEventListener("hashchange", openTarget);
load(calls, content);
