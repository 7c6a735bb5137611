// Rates of conversion with their intervals, and whether one is better than another.

/**
 * Bounds of the normal distribution for 95 % and one, two, three… comparisons at once (Bonferroni),
 * for of many variants some lead by chance.
 */
const BOUNDS = [1.96, 2.241, 2.394, 2.498, 2.576, 2.638, 2.69, 2.734, 2.773, 2.807];

/** @typedef {{clicks: number, conversions: number}} Counted */
/** @typedef {{low: number, high: number}} Span */
/**
 * @typedef {{kind: "none" | "few" | "odd"} |
 *   {kind: "even" | "early" | "better", best: number, by: number, span: Span}} Verdict
 */

/** @param {Counted} counted */
export const rateOf = ({ clicks, conversions }) => (clicks ? conversions / clicks : 0);

/**
 * The interval of a rate (Wilson), which holds for few clicks too.
 *
 * @param {Counted} counted
 * @param {number} [bound]
 * @returns {Span}
 */
export function interval({ clicks, conversions }, bound = BOUNDS[0]) {
  if (!clicks) return { low: 0, high: 1 };
  const rate = conversions / clicks;
  const square = bound ** 2;
  const center = rate + square / (2 * clicks);
  const half = bound * Math.sqrt((rate * (1 - rate)) / clicks + square / (4 * clicks ** 2));
  const whole = 1 + square / clicks;
  return { low: Math.max(0, (center - half) / whole), high: Math.min(1, (center + half) / whole) };
}

/**
 * The interval of the difference of two rates (Newcombe, from those of Wilson).
 *
 * @param {Counted} first
 * @param {Counted} second
 * @param {number} [bound]
 * @returns {Span}
 */
export function difference(first, second, bound) {
  const [a, b] = [first, second].map((counted) => ({
    rate: rateOf(counted),
    ...interval(counted, bound),
  }));
  const by = a.rate - b.rate;
  return {
    low: by - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: by + Math.hypot(a.high - a.rate, b.rate - b.low),
  };
}

/**
 * Which of several is best, and whether that is certain.
 *
 * @param {Counted[]} all  two at least
 * @returns {Verdict}
 */
export function verdict(all) {
  if (!all.some(({ conversions }) => conversions)) return { kind: "none" };
  if (all.some(({ clicks, conversions }) => conversions > clicks)) return { kind: "odd" };
  if (all.some(({ clicks }) => !clicks)) return { kind: "few" };
  const order = all.map((_, index) => index).sort((a, b) => rateOf(all[b]) - rateOf(all[a]));
  const [best, ...others] = order;
  const bound = BOUNDS[Math.min(others.length, BOUNDS.length) - 1];
  const spans = others.map((other) => difference(all[best], all[other], bound));
  const by = rateOf(all[best]) - rateOf(all[others[0]]);
  const isBetter = spans.every(({ low }) => low > 0);
  return { kind: isBetter ? "better" : by > 0 ? "early" : "even", best, by, span: spans[0] };
}
