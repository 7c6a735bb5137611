// The tests among the rules of a link: rules that share out the same visitors. And the rules once
// one of them has won.

/**
 * What takes part in a test: a rule by its place, or everybody whom no share takes.
 *
 * @typedef {{index: number | null, values: (string | null)[]}} Contestant  with the values of
 *   `rule` in reports
 */
/** @typedef {{contestants: Contestant[]}} Split */

/**
 * What reports call a rule.
 *
 * @param {Rule} rule
 * @param {number} index
 */
export const valueOf = ({ name }, index) => name ?? String(index + 1);

/**
 * For whom a rule is, but for its share.
 *
 * @param {Rule} rule
 */
const conditionsOf = ({ when: { percentage: _, ...others } = {} }) =>
  JSON.stringify(Object.entries(others).sort(([first], [second]) => (first < second ? -1 : 1)));

/** @param {Rule} rule */
const hasShare = ({ when }) => Boolean(when?.percentage);

/**
 * @param {Rule[]} rules
 * @returns {Split[]}
 */
export function splits(rules) {
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  rules.forEach((rule, index) => {
    const key = conditionsOf(rule);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  return [...groups]
    .filter(([, indices]) => indices.some((index) => hasShare(rules[index])))
    .map(([key, indices]) => {
      const contestants = indices.map((index) => ({
        index,
        values: [valueOf(rules[index], index)],
      }));
      const rest = key === "[]" ? restOf(rules, indices) : null;
      return { contestants: rest ? [...contestants, rest] : contestants };
    })
    .filter(({ contestants }) => contestants.length > 0);
}

/**
 * Those whom no share of a test for everyone takes; null where the shares take all of them. Reports
 * can't tell them from others where the test is for some visitors only.
 *
 * @param {Rule[]} rules
 * @param {number[]} indices  of the rules of the test
 * @returns {Contestant | null}
 */
function restOf(rules, indices) {
  const shares = indices.map((index) => rules[index].when?.percentage ?? 100);
  if (shares.reduce((sum, share) => sum + share, 0) >= 100) return null;
  // Later rules take their visitors out of the rest; earlier ones before anybody is shared out.
  const later = rules
    .map((rule, index) => ({ value: valueOf(rule, index), index }))
    .filter(({ index }) => index > indices[0] && !indices.includes(index));
  return { index: null, values: [null, ...later.map(({ value }) => value)] };
}

/**
 * The rules without a test: what has won is for all of its visitors, and the others end.
 *
 * @param {Rule[]} rules
 * @param {Split} split
 * @param {Contestant} winner
 * @returns {Rule[]}
 */
export function promoted(rules, { contestants }, { index }) {
  const others = contestants.map((contestant) => contestant.index).filter((at) => at !== index);
  const kept = rules.filter((_, at) => !others.includes(at));
  if (index === null) return kept;
  const rule = rules[index];
  const { percentage: _, ...when } = rule.when ?? {};
  const { when: __, ...rest } = rule;
  /** @type {Rule} */
  const whole = Object.keys(when).length ? { ...rest, when } : rest;
  // A later rule for some of the same visitors would never match behind it, so it goes ahead.
  const place = kept.indexOf(rule);
  const covered = kept.map((later, at) => at > place && isPartOf(when, later.when ?? {}));
  const last = covered.lastIndexOf(true);
  const before = kept.slice(0, Math.max(last, place) + 1).filter((one) => one !== rule);
  return [...before, whole, ...kept.slice(Math.max(last, place) + 1)];
}

/**
 * Whether a condition has all members of another, so that it is for some of its visitors at most.
 *
 * @param {Record<string, any>} whole
 * @param {Record<string, any>} part
 */
const isPartOf = (whole, part) =>
  Object.entries(whole).every(([name, value]) => {
    return JSON.stringify(part[name]) === JSON.stringify(value);
  });
