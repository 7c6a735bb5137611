// Finds sections of the documentation: those whose words begin with each word of the question.

/**
 * A section: the name and title of its page, its heading and anchor, its words, and how it begins.
 *
 * @typedef {{page: string, title: string, heading: string, anchor: string, words: string,
 *   start: string}} Section
 */

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * How well one of the words fits: as a whole, or as the beginning of one.
 *
 * @param {string[]} words
 * @param {string} asked
 */
function fit(words, asked) {
  let best = 0;
  for (const word of words) {
    if (word === asked || word === `${asked}s`) return 2;
    if (word.startsWith(asked)) best = 1;
  }
  return best;
}

/**
 * @param {Section[]} sections
 * @param {string} question
 * @param {number} [most]
 */
export function search(sections, question, most = 12) {
  const asked = wordsOf(question).slice(0, 8);
  if (!asked.length) return [];
  /** @type {{section: Section, score: number}[]} */
  const found = [];
  for (const section of sections) {
    const heading = wordsOf(section.heading);
    const title = wordsOf(section.title);
    const words = section.words.split(" ");
    let score = 0;
    for (const word of asked) {
      const value =
        fit(heading, word) * 10 + fit(title, word) * 6 + fit(words, word) * 2;
      if (!value) {
        score = 0;
        break;
      }
      score += value;
    }
    // A page as a whole answers better than one of its sections that fits as well.
    if (score) found.push({ section, score: score + (section.anchor ? 0 : 1) });
  }
  // The list of changes names everything once.
  for (const each of found) {
    if (each.section.page === "changelog") each.score /= 2;
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => section);
}
