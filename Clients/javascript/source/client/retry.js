/** @typedef {import("../../waymark.js").RetryPolicy} RetryPolicy */

/** In milliseconds. Longer waits make no difference to an app. */
const day = 86_400_000;

/**
 * The wait after an attempt, counted from 1, in milliseconds; null if the request should not be
 * repeated.
 *
 * @param {RetryPolicy} policy
 * @param {number} attempt
 * @param {number | null} retryAfter in milliseconds
 * @param {number} fraction in 0 ..< 1: devices that lost a server at the same time must not return
 *     at the same time
 */
export function waitAfter(policy, attempt, retryAfter, fraction) {
    if (attempt >= policy.attempts) return null;
    const whole = Math.min(policy.firstWait * 2 ** Math.min(attempt - 1, 30), policy.longestWait);
    const wait = whole / 2 + (whole / 2) * fraction;
    if (retryAfter === null) return wait;
    return retryAfter > policy.longestWait ? null : Math.max(wait, retryAfter);
}

/**
 * An IMF-fixdate, the only form that every engine parses alike: 29 characters; others in GMT have
 * more.
 */
const date = /^[A-Z].{24} GMT$/;

/**
 * The value of `Retry-After` (RFC 9110, section 10.2.3) in milliseconds: a number of seconds or an
 * IMF-fixdate; null for anything else.
 *
 * @param {string | null} text
 * @param {number} now in milliseconds
 */
export function readRetryAfter(text, now) {
    const trimmed = (text || "").trim();
    const wait = /^[0-9]+$/.test(trimmed)
        ? Number(trimmed) * 1_000
        : date.test(trimmed)
          ? Date.parse(trimmed) - now
          : NaN;
    return isNaN(wait) ? null : Math.min(Math.max(wait, 0), day);
}
