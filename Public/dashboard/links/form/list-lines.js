// The lines of a pasted list as links, and what is wrong with each before anything is created.
import { withScheme } from "../../frame/address.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText } from "../../shared/texts.js";
import { linkAt, slugOf } from "./slug-check.js";

const manyTexts = pageTexts.many;
/** Slugs that are looked up at a time. */
const AT_ONCE = 8;

/**
 * A line of the list. `problem` says why it can't be a link.
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {number} number  from 1
 * @property {string} url
 * @property {string} slug  empty for a random one
 * @property {string} title
 * @property {string} problem
 */

/**
 * Lines with a URL, and behind it a slug and a title. From a spreadsheet they are divided by tabs,
 * else by spaces or commas.
 *
 * @param {string} text
 * @returns {Line[]}
 */
export function linesOf(text) {
  return text
    .split(/\r?\n/)
    .map((line, index) => {
      const divider = line.includes("\t") ? /\t/ : /\s*[,;]\s+|\s+/;
      const parts = line.trim().split(divider);
      const [url = "", slug = "", ...title] = parts.map((part) => part.trim());
      return {
        text: line,
        number: index + 1,
        url: withScheme(url),
        slug,
        title: title.join(" "),
        problem: "",
      };
    })
    .filter((line) => line.text.trim());
}

/**
 * Says at each line what is wrong with it.
 *
 * @param {Line[]} lines
 * @param {string} domain
 */
export async function checkLines(lines, domain) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  for (const line of lines) {
    line.problem = problemOf(line);
    if (line.problem || !line.slug) continue;
    const first = seen.get(line.slug);
    if (first) line.problem = formatText(manyTexts.twice, first);
    else seen.set(line.slug, line.number);
  }
  const open = lines.filter(({ slug, problem }) => slug && !problem);
  const look = async () => {
    for (let line = open.pop(); line; line = open.pop()) {
      const owner = await linkAt(domain, line.slug);
      if (owner) line.problem = formatText(pageTexts.form.takenBy, owner.title ?? owner.slug);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
}

/** @param {Line} line */
function problemOf({ url, slug }) {
  try {
    const { protocol } = new URL(url);
    if (/^(javascript|data|vbscript):$/.test(protocol)) return manyTexts.scheme;
  } catch {
    return pageTexts.formErrors["is not an absolute URL"];
  }
  const possible = slugOf(slug);
  return possible === slug ? "" : formatText(manyTexts.slug, possible || "…");
}
