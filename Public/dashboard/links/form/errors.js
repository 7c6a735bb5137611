// What the server says is wrong with a link, in the words of its form.
import { errorInWords } from "../../texts/server-words.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";

/**
 * @param {FieldError} error
 * @returns {FieldError}
 */
export function inWordsOfLink(error) {
  const { field, problem } = error;
  // A form without routes has no field for one.
  const asked = field === "route" && problem.includes("urls") ? "urls.web" : field;
  const words = errorInWords(error);
  // Rules have many fields of one name: their errors are listed.
  const [, index, member] = /^rules\[(\d+)\]\.?(?:when\.)?(\w*)/.exec(field) ?? [];
  if (!index) return { ...words, field: asked };
  /** @type {Record<string, string>} */
  const labels = { ...texts.clickFields, ...pageTexts.rules };
  const rule = formatText(pageTexts.rules.numbered, Number(index) + 1);
  return { ...words, field: [rule, labels[member]].filter(Boolean).join(", ") };
}
