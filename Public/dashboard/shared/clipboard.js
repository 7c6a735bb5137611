// Copies text.
import { announce } from "./announcement.js";
import { button } from "./element.js";
import { formatText, texts } from "./texts.js";

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce(formatText(texts.copied, text.length > 80 ? texts.theText : text));
  } catch {
    // The reference on plain HTTP has no clipboard.
    announce(texts.notCopied);
  }
}

/**
 * @param {string} text
 * @param {string} [label]
 */
export const copyButton = (text, label = texts.copy) => button(label, () => copy(text));
