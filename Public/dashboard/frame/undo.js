// Deletions of links that wait some seconds, so that they can be undone. They are sent at once when
// the dashboard is left.

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
/** Takes back the last deletion; nothing once it was sent. */
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

/** Sends the deletions that wait. */
export const sendDeletions = () =>
  Promise.all([...new Set(waiting.values())].map((send) => send()));
window.addEventListener("pagehide", sendDeletions);
