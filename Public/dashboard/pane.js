// A part of a screen that is loaded: its skeleton, its problem with a way to retry, and its content.
import { Problem } from "./api.js";
import { element } from "./element.js";
import { say, texts } from "./texts.js";

/** A quick answer should not flash a skeleton. */
const PATIENCE = 150;

/** @type {WeakMap<Element, object>} */
const latest = new WeakMap();

// Fills `place` with what `work` makes. A later load of the same place wins over an earlier one that is slower.
/** @param {HTMLElement} place @param {() => Promise<Content>} work */
export async function load(place, work) {
  const turn = {};
  latest.set(place, turn);
  place.setAttribute("aria-busy", "true");
  const timer = setTimeout(() => { if (latest.get(place) === turn) fill(place, skeleton()); }, PATIENCE);
  let content;
  try {
    content = await work();
  } catch (error) {
    content = problemNotice(error, () => load(place, work));
  }
  clearTimeout(timer);
  if (latest.get(place) !== turn) return;
  place.removeAttribute("aria-busy");
  fill(place, content);
}

/** @param {Element} place @param {Content} content */
export function fill(place, content) {
  place.replaceChildren(...element("div", {}, content).childNodes);
}

function skeleton() {
  return element("div", { class: "skeleton", role: "status" },
    element("span", { class: "unseen" }, texts.loading),
    [1, 2, 3, 4].map(() => element("div", { class: "bone" })));
}

/** @param {unknown} error @param {() => void} [retry] */
export function problemNotice(error, retry) {
  if (!(error instanceof Problem)) console.error(error);
  const problem = error instanceof Problem ? error : new Problem({ title: texts.errors.unknown, detail: String(error) });
  return element("div", { class: "notice wrong", role: "alert" },
    element("strong", {}, problem.title),
    problem.detail && element("p", {}, problem.detail),
    problem.errors.length > 0 && element("ul", {}, problem.errors.map(({ field, problem }) =>
      element("li", {}, field && element("code", {}, field), field && " ", problem))),
    retry && element("button", { type: "button", click: retry }, texts.retry));
}

// What is shown where nothing is there yet.
/** @param {string} title @param {string} detail @param {...Content} more */
export function emptyNotice(title, detail, ...more) {
  return element("div", { class: "notice" }, element("strong", {}, title), element("p", {}, detail), more);
}

/** @param {string} scope */
export function rightsNotice(scope) {
  return element("div", { class: "notice", role: "status" },
    element("strong", {}, texts.rights.title), element("p", {}, say(texts.rights.detail, scope)));
}
