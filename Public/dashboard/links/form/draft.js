// What was typed into the form of a link and is not saved yet. It outlives the page and the
// session, and ends with the browser's tab.

const PREFIX = "waymark-draft ";

/**
 * @param {string} name  of the form: a link's domain/slug, or that of a new one
 * @param {Session} session  whose draft it is
 * @returns {Values | null}
 */
export function draftOf(name, session) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
    return draft?.of === session.name ? draft.values : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {Session} session
 * @param {Values} values
 */
export function keepDraft(name, session, { metadata: _, password: __, ...values }) {
  // Private data for apps, and what visitors must know, are not stored in the browser.
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify({ of: session.name, values }));
  } catch {
    // Without storage nothing is kept.
  }
}

/** @param {string} name */
export function dropDraft(name) {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept.
  }
}
