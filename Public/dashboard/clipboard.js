// Copies text, also where the page is not a secure context and has no clipboard API.
import { announce } from "./announcement.js";
import { button, html } from "./element.js";
import { say, texts } from "./texts.js";

/** @param {string} text */
export async function copy(text) {
  announce(await copied(text) ? say(texts.copied, text.length > 80 ? texts.theText : text) : texts.notCopied);
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = html.textarea({ class: "unseen", "aria-hidden": "true" }, text);
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

/** @param {string} text @param {string} [label] */
export function copyButton(text, label = texts.copy) {
  return button(label, () => copy(text));
}
