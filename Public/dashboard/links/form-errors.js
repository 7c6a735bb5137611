// What the server says is wrong with a link, in the words of its form.
import { pageTexts } from "../shared/page-texts.js";

/**
 * @param {FieldError} error
 * @returns {FieldError}
 */
export function inWords({ field, problem }) {
  // A form without routes has no field for one.
  const asked = field === "route" && problem.includes("urls") ? "urls.web" : field;
  const known = Object.entries(pageTexts.formErrors).find(([part]) => problem.includes(part));
  return { field: asked, problem: known?.[1] ?? problem };
}
