// A link as the fields of its form, and the form as a body for the API.
import { hash, withScheme } from "../../frame/address.js";
import { fromLocalInput, localInput } from "../../shared/formats.js";
import { address, PLATFORMS } from "../../shared/link-parts.js";

export const CAMPAIGN = ["source", "medium", "name", "term", "content"];
export const LABELS = /** @type {const} */ (["title", "note", "folder"]);
export const SOCIAL = ["title", "description", "imageURL"];

/**
 * What the form of a link holds.
 *
 * @param {Link} link
 * @returns {Values}
 */
export function valuesOf(link) {
  /** @type {Values} */
  const values = {
    app: link.app,
    route: link.route ?? "",
    tags: link.tags.join(", "),
    validFrom: localInput(link.validFrom),
    expiresAt: localInput(link.expiresAt),
    maxClicks: String(link.maxClicks ?? ""),
    redeemLimit: link.redeemLimit ? String(link.redeemLimit) : "",
    rules: link.rules?.length ? JSON.stringify(link.rules, null, 2) : "",
  };
  for (const platform of PLATFORMS) {
    const destination = link.urls[platform];
    values[`urls.${platform}`] = address(destination);
    values[`urls.${platform}.fallback`] =
      typeof destination === "object" ? (destination.fallback ?? "") : "";
  }
  for (const name of LABELS) values[name] = link[name] ?? "";
  for (const name of CAMPAIGN) values[`campaign.${name}`] = link.campaign?.[name] ?? "";
  for (const name of SOCIAL) values[`social.${name}`] = link.social?.[name] ?? "";
  for (const [name, value] of Object.entries(link.routeParameters)) {
    values[`routeParameters.${name}`] = value;
  }
  return values;
}

/**
 * The address of the form for a copy of a link.
 *
 * @param {Name} link
 */
export const copyHash = ({ domain, slug }) => hash(["new"], { copy: `${domain}/${slug}` });

/** The address of the form for a pasted list. */
export const manyHash = () => hash(["new"], { many: "1" });

/** What a copy takes over although the form has no field for it. */
const FURTHER = ["queryParameters", "minimumVersion", "redirectStatus", "onExpired", "clickDetail"];

/**
 * The members of a link that its form does not have, for a copy of it.
 *
 * @param {Link & Record<string, any>} link
 * @returns {LinkBody}
 */
export function furtherMembers(link) {
  const names = [...FURTHER, ...(link.ownSettings ?? [])];
  return Object.fromEntries(
    names.map((name) => [name, link[name]]).filter(([, value]) => hasContent(value)),
  );
}

/** @param {unknown} value */
const hasContent = (value) =>
  value !== null &&
  value !== undefined &&
  (typeof value !== "object" || Object.keys(value).length > 0);

/**
 * Tags of a text with commas, each once.
 *
 * @param {string} [text]
 */
export function tagsOf(text = "") {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}

/**
 * The rules in a JSON text; null if it is not a list of rules.
 *
 * @param {string} [text]
 * @returns {Rule[] | null}
 */
export function rulesIn(text = "") {
  try {
    const rules = JSON.parse(text.trim() || "[]");
    const isList =
      Array.isArray(rules) && rules.every((rule) => rule?.constructor === Object && "to" in rule);
    return isList ? rules : null;
  } catch {
    return null;
  }
}

/**
 * A member for each field that is filled in.
 *
 * @param {Values} values
 * @returns {LinkBody}
 */
export function bodyOf(values) {
  /** @type {LinkBody} */
  const body = {};
  for (const name of ["app", "domain", "slug", "route", ...LABELS]) {
    const value = values[name]?.trim();
    if (value) body[name] = value;
  }
  for (const name of ["validFrom", "expiresAt"]) {
    const time = fromLocalInput(values[name] ?? "");
    if (time) body[name] = time;
  }
  for (const name of ["maxClicks", "redeemLimit"]) {
    if (values[name]) body[name] = Number(values[name]);
  }
  const tags = tagsOf(values.tags);
  if (tags.length) body.tags = tags;
  const rules = rulesIn(values.rules);
  if (rules?.length) body.rules = rules;
  const urls = urlsOf(values);
  if (Object.keys(urls).length) body.urls = urls;
  const groups = { campaign: CAMPAIGN, social: SOCIAL, routeParameters: parameters(values) };
  for (const [group, names] of Object.entries(groups)) {
    const members = names.map((name) => {
      const value = values[`${group}.${name}`];
      return [name, name === "imageURL" ? withScheme(value?.trim()) : value];
    });
    const given = members.filter(([, value]) => value);
    if (given.length) body[group] = Object.fromEntries(given);
  }
  return body;
}

/**
 * Names of the route's parameters. Without a route there are none.
 *
 * @param {Values} values
 */
function parameters(values) {
  if (!values.route) return [];
  const prefix = "routeParameters.";
  const names = Object.keys(values).filter((name) => name.startsWith(prefix));
  return names.map((name) => name.slice(prefix.length));
}

/** @param {Values} values */
function urlsOf(values) {
  /** @type {Record<string, unknown>} */
  const urls = {};
  for (const platform of PLATFORMS) {
    const text = values[`urls.${platform}`]?.trim();
    const link = withScheme(text);
    const fallback = withScheme(values[`urls.${platform}.fallback`]?.trim());
    if (link) urls[platform] = fallback ? { link, fallback } : link;
  }
  return urls;
}

/**
 * What changes one body into the other, as a merge patch (RFC 7396). Members that the form does not
 * have stay as they are.
 *
 * @param {LinkBody} before
 * @param {LinkBody} after
 */
export function patchOf(before, after) {
  /** @type {LinkBody} */
  const patch = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = before[name];
    const value = after[name];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    if (isObject(old) && isObject(value)) patch[name] = patchOf(old, value);
    else patch[name] = value ?? null;
  }
  return patch;
}

/**
 * @param {unknown} value
 * @returns {value is LinkBody}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
