// Where the person is. All state is in the fragment, `#/links?app=shop`, so that Back and shared
// addresses work.

/** @returns {Address} */
export function currentAddress() {
  const [path, search = ""] = location.hash.slice(1).split("?");
  return {
    segments: path.split("/").filter(Boolean).map(decoded),
    query: new URLSearchParams(search),
  };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The fragment of an address, which anchors have as their `href`.
 *
 * @param {string[]} segments
 * @param {Query} [query]
 */
export function hash(segments, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const path = "#/" + segments.map(encodeURIComponent).join("/");
  return String(search) ? `${path}?${search}` : path;
}

/**
 * @param {Name} link
 * @param {...string} rest
 */
export const linkHash = (link, ...rest) => hash(["links", link.domain, link.slug, ...rest]);

/**
 * Goes to another address, as a click on a link does.
 *
 * @param {string} target
 */
export function go(target) {
  if (location.hash === target) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = target;
}

/**
 * Changes parameters of the address without a new entry in the history, and without showing the
 * screen again.
 *
 * @param {Query} changes
 */
export function refine(changes) {
  const { segments, query } = currentAddress();
  history.replaceState(
    history.state,
    "",
    hash(segments, { ...Object.fromEntries(query), ...changes }),
  );
}

/**
 * The present address with other parameters; an empty one is removed.
 *
 * @param {Query} changes
 */
export function hashWith(changes) {
  const { segments, query } = currentAddress();
  return hash(segments, { ...Object.fromEntries(query), ...changes });
}

/**
 * An address as address bars take it: without a scheme it is a host.
 *
 * @param {string} [text]
 */
export const withScheme = (text = "") =>
  /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(text) ? `https://${text}` : text;
