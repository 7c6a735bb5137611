/**
 * @template Value
 * @typedef {{ value: Value, error: null } | { value: null, error: Error }} Outcome
 */

/**
 * In milliseconds. A timer that fires so much later was stopped, because the app was in the
 * background. The time of day shows it: `performance.now()` stands still meanwhile in some
 * browsers.
 */
const slack = 1_000;

/**
 * Waits for the outcome of the work, at most until the limit.
 *
 * @template Value
 * @param {Promise<Value>} work
 * @param {number} limit in milliseconds
 * @param {{ now(): number }} clock
 * @returns {Promise<{
 *     inTime: Outcome<Value> | null, mayNavigate: () => boolean, settled: Promise<Outcome<Value>>
 * }>} `mayNavigate` returns false long after the limit; `settled` is for an outcome that comes late
 */
export async function withinLimit(work, limit, clock) {
    const start = clock.now();
    /** @type {any} */
    let timer;
    /** @type {Promise<Outcome<Value>>} */
    const settled = work.then(
        (value) => ({ value, error: null }),
        (error) => ({ value: null, error }),
    );
    /** @type {Promise<null>} */
    const pause = new Promise((resolve) => {
        timer = setTimeout(resolve, limit, null);
    });
    const first = await Promise.race([settled, pause]);
    clearTimeout(timer);
    const mayNavigate = () => clock.now() - start <= limit + slack;
    return { inTime: mayNavigate() ? first : null, mayNavigate, settled };
}
