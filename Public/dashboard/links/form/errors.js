// What the server says is wrong with a link, in the words of its form.
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";

/**
 * @param {FieldError} error
 * @returns {FieldError}
 */
export function inWords({ field, problem }) {
  // A form without routes has no field for one.
  const asked = field === "route" && problem.includes("urls") ? "urls.web" : field;
  const known = Object.entries(pageTexts.formErrors).find(([part]) => problem.includes(part));
  const words = known?.[1] ?? problem;
  // Rules have many fields of one name: their errors are listed.
  const [, index, member] = /^rules\[(\d+)\]\.?(?:when\.)?(\w*)/.exec(field) ?? [];
  if (!index) return { field: asked, problem: words };
  /** @type {Record<string, string>} */
  const labels = { ...texts.clickFields, ...pageTexts.rules };
  const rule = formatText(pageTexts.rules.numbered, Number(index) + 1);
  return { field: [rule, labels[member]].filter(Boolean).join(", "), problem: words };
}
