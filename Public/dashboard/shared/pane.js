// A part of a screen that is loaded: its skeleton, its problem with a way to retry, and its
// content.
import { Problem } from "./api.js";
import { english, html } from "./element.js";
import { formatText, texts } from "./texts.js";

/** A quick answer should not take away what is seen. */
const PATIENCE = 150;

/**
 * The last load of each container.
 *
 * @type {WeakMap<Element, object>}
 */
const latest = new WeakMap();

/**
 * Fills the container with what `work` makes. A later load of the same container wins over an
 * earlier one that is slower.
 *
 * @param {HTMLElement} container
 * @param {() => Promise<Content>} work
 */
export async function load(container, work) {
  const turn = {};
  latest.set(container, turn);
  container.setAttribute("aria-busy", "true");
  const isEmpty = !container.firstChild;
  if (isEmpty) container.replaceChildren(skeleton());
  const timer = setTimeout(() => {
    if (!isEmpty && latest.get(container) === turn) container.replaceChildren(skeleton());
  }, PATIENCE);
  let content;
  try {
    content = await work();
  } catch (error) {
    content = problemNotice(error, () => load(container, work));
  }
  clearTimeout(timer);
  if (latest.get(container) !== turn) return;
  container.removeAttribute("aria-busy");
  fill(container, content);
}

/**
 * @param {Element} container
 * @param {Content} content
 * @returns {void}
 */
export function fill(container, content) {
  container.replaceChildren(...html.div(content).childNodes);
}

export function skeleton() {
  return html.div(
    { class: "skeleton", role: "status" },
    html.span({ class: "unseen" }, texts.loading),
    [1, 2, 3, 4].map(() => html.div({ class: "bone" })),
  );
}

/**
 * @param {unknown} error
 * @param {() => void} [retry]
 * @param {string} [label]  of its button
 */
export function problemNotice(error, retry, label = texts.retry) {
  if (!(error instanceof Problem)) console.error(error);
  const problem =
    error instanceof Problem
      ? error
      : new Problem({ title: texts.errors.unknown, detail: String(error) });
  // No second try gets a scope.
  if (problem.kind === "scope-missing") retry = undefined;
  return html.div(
    { class: "notice wrong", role: "alert" },
    html.strong(problem.title),
    problem.detail && html.p({ lang: problem.isEnglish && "en" }, problem.detail),
    problem.kind === "scope-missing" && html.p(texts.rights.ask),
    problem.errors.length > 0 &&
      html.ul(
        problem.errors.map(({ field, problem, isOurs }) =>
          html.li(field && html.code(field), field && " ", isOurs ? problem : english(problem)),
        ),
      ),
    retry && html.button({ type: "button", click: retry }, label),
  );
}

/**
 * What is shown where nothing is there yet.
 *
 * @param {string} title
 * @param {string} detail
 * @param {...Content} more
 */
export function emptyNotice(title, detail, ...more) {
  return html.div({ class: "notice" }, html.strong(title), html.p(detail), more);
}

/** @param {string} scope  that is missing */
export function rightsNotice(scope) {
  return html.div(
    { class: "notice", role: "status" },
    html.strong(texts.rights.title),
    html.p(formatText(texts.rights.detail, scope)),
  );
}
