// What can be undone for some seconds: changes, by changing back, and deletions of links, which
// wait that long. They are sent at once when the dashboard is left.

import { announce } from "../shared/announcement.js";
import { button } from "../shared/element.js";
import { texts } from "../shared/texts.js";
import { go } from "./address.js";

const SECONDS = 10;
/**
 * What deletes a link, by its domain and slug.
 *
 * @type {Map<string, () => Promise<void>>}
 */
const waiting = new Map();
/**
 * Takes back the last change or deletion; nothing once it is too late.
 *
 * @type {() => void}
 */
let undoLast = () => {};

export const undo = () => undoLast();

/** @param {Name} link */
export const isDeleted = ({ domain, slug }) => waiting.has(`${domain}/${slug}`);

/**
 * Deletes links in some seconds, unless somebody undoes it.
 *
 * @param {string[]} names  of links, as domain/slug
 * @param {string} text
 * @param {() => Promise<unknown>} work
 */
export function deleteLater(names, text, work) {
  /** @param {string} [message]  shown where the links are there again */
  const finish = (message) => {
    clearTimeout(timer);
    for (const name of names) waiting.delete(name);
    if (!message) return;
    announce(message);
    // A form that is being filled in stays.
    if (/^#\/links(\?|$)/.test(location.hash)) go(location.hash);
  };
  const send = () =>
    work().then(
      () => finish(),
      ({ message }) => finish(message),
    );
  const timer = setTimeout(send, SECONDS * 1000);
  for (const name of names) waiting.set(name, send);
  undoLast = () => {
    if (waiting.get(names[0]) === send) finish(texts.undone);
  };
  announce([text, " ", button(texts.undo, undoLast)], SECONDS);
}

/**
 * Offers for some seconds to take back what was just changed.
 *
 * @param {string} text
 * @param {() => Promise<string>} work  takes it back, and says so
 */
export function offerUndo(text, work) {
  let isOver = false;
  /** @returns {Promise<void>} */
  const take = async () => {
    if (isOver) return;
    isOver = true;
    announce(await work().catch(({ message }) => message));
  };
  setTimeout(() => {
    isOver = true;
  }, SECONDS * 1000);
  undoLast = take;
  announce([text, " ", button(texts.undo, take)], SECONDS);
}

/** Sends the deletions that wait. */
export const sendDeletions = () =>
  Promise.all([...new Set(waiting.values())].map((send) => send()));
window.addEventListener("pagehide", sendDeletions);
