// What the server says is wrong, in the words of the dashboard.
import { pageTexts } from "../shared/page-texts.js";

/**
 * A problem with its title, and what to do where that does not depend on the request.
 *
 * @param {ProblemContent} problem
 * @returns {ProblemContent}
 */
export function problemInWords(problem) {
  const kind = (problem.type ?? "").split(":").pop() ?? "";
  const title = pageTexts.problems[kind];
  if (!title) return problem;
  const detail = pageTexts.problemDetails[kind];
  return { ...problem, title, detail: detail ?? problem.detail, isEnglish: !detail };
}

/**
 * A message about a field. One that the dashboard does not know stays as it is.
 *
 * @param {FieldError} error
 * @returns {FieldError}
 */
export function errorInWords(error) {
  if (error.isOurs) return error;
  const known = Object.entries(pageTexts.formErrors).find(([part]) => error.problem.includes(part));
  return known ? { ...error, problem: known[1], isOurs: true } : error;
}
