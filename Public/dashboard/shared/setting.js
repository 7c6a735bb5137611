// Settings of this browser.

/**
 * A setting, after it is changed to `value`. Without storage there is none.
 *
 * @param {string} name
 * @param {string | null} [value]
 */
export function setting(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
