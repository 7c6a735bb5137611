// The document of an application as fields of a form, and back. What no field shows stays as it is.

/** Members that a form shows as text, and those that are lists: one entry a line. */
const TEXTS = [
  "name",
  "web.baseURL",
  "ios.urlScheme",
  "ios.appStoreID",
  "android.package",
  "android.urlScheme",
  "appearance.accentColor",
  "appearance.iconURL",
  "onRoot",
  "onUnknown",
  "onExpired",
  "redirectStatus",
  "forwardQuery",
];
const LISTS = ["domains", "ios.appIDs", "android.sha256CertFingerprints"];

/**
 * What a field shows.
 *
 * @param {any} document
 * @param {string} path  such as `ios.urlScheme`
 */
export function textOf(document, path) {
  const value = path.split(".").reduce((part, name) => part?.[name], document);
  return Array.isArray(value) ? value.join("\n") : String(value ?? "");
}

/**
 * A document with what was changed in a form.
 *
 * @param {Application} document
 * @param {Record<string, string>} values
 * @returns {Application}
 */
export function patched(document, values) {
  const result = structuredClone(document);
  for (const path of [...TEXTS, ...LISTS].filter((path) => path in values)) {
    const text = words(values[path]).join("\n");
    const isList = LISTS.includes(path);
    const entered = isList ? text : values[path].trim();
    if (entered === textOf(document, path)) continue;
    write(result, path.split("."), isList ? listOf(path, text) : valueOf(path, entered));
  }
  return result;
}

/** @param {string} text */
export const words = (text) => text.split(/[\s,]+/).filter(Boolean);

/**
 * Hosts, also of addresses that somebody has pasted.
 *
 * @param {string} text
 */
export const hosts = (text) =>
  words(text).map((word) => word.replace(/^https?:\/\//i, "").replace(/[/?#].*$/, ""));

/**
 * @param {string} path
 * @param {string} text
 */
function listOf(path, text) {
  const entries = path === "domains" ? hosts(text) : words(text);
  return entries.length ? entries : undefined;
}

/**
 * @param {string} path
 * @param {string} text
 */
function valueOf(path, text) {
  if (!text) return undefined;
  if (path === "redirectStatus") return Number(text);
  return path === "forwardQuery" ? text === "true" : text;
}

/**
 * Sets a member, or takes it away, and with the last one what contained it.
 *
 * @param {any} object
 * @param {string[]} path
 * @param {unknown} value
 */
function write(object, [name, ...rest], value) {
  if (rest.length) {
    object[name] ??= {};
    write(object[name], rest, value);
    if (!Object.keys(object[name]).length) delete object[name];
  } else if (value === undefined) {
    delete object[name];
  } else {
    object[name] = value;
  }
}
