// Which links of the list are selected: on all its pages, until other filters are set.

/** All links, for the API, which wants a condition. */
const EVERYTHING = { createdFrom: "1970-01-01" };

/**
 * What is selected: by name, as domain/slug, with the link as it was then, or all links that match
 * the filters.
 */
export const selected = {
  names: /** @type {Map<string, Link>} */ (new Map()),
  isAll: false,
  /** The filters that it was selected with. */
  among: "",
};

export function clearSelection() {
  selected.names.clear();
  selected.isAll = false;
}

/**
 * Ends a selection that was made among other links.
 *
 * @param {Record<string, string>} conditions
 */
export function keepSelection(conditions) {
  const among = JSON.stringify(conditions);
  if (selected.among !== among) clearSelection();
  selected.among = among;
}

/**
 * The selection for the API.
 *
 * @param {Record<string, string>} conditions
 * @returns {LinkSelection}
 */
export function selectionBody(conditions) {
  if (!selected.isAll) return { links: [...selected.names.keys()] };
  return Object.keys(conditions).length ? conditions : EVERYTHING;
}
