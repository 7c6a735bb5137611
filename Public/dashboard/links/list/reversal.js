// Takes a change of many links back: by the opposite change of those that it changed.
import { call, get, withQuery } from "../../shared/api.js";
import { selected } from "./selection.js";

/** Links of a page of the API, and of a change that can be taken back. */
const PAGE = "200";
const MOST = 2000;
/** Changes back: there is one for each folder or expiry that the links had. */
const MOST_CALLS = 20;

/** @typedef {{links: string[], change: Record<string, unknown>}} Step */

/**
 * The links of a selection as they are before a change; null where they are too many.
 *
 * @param {LinkSelection} selection
 * @returns {Promise<Link[] | null>}
 */
export async function linksBefore(selection) {
  if (Array.isArray(selection.links)) return [...selected.names.values()];
  /** @type {Link[]} */
  const links = [];
  /** @type {string | null} */
  let cursor = null;
  do {
    /** @type {LinkList} */
    const page = await get(withQuery("/api/v1/links", { ...selection, cursor, limit: PAGE }));
    links.push(...page.links);
    ({ cursor } = page);
  } while (cursor && links.length < MOST);
  return cursor ? null : links;
}

/**
 * The changes that restore what the links had.
 *
 * @param {Link[]} links
 * @param {string} action
 * @param {string[]} tags  of the action
 * @returns {Step[]}
 */
export function stepsBack(links, action, tags) {
  /**
   * @param {(link: Link) => unknown} isMeant
   * @param {Record<string, unknown>} change
   */
  const step = (isMeant, change) => ({ links: links.filter(isMeant).map(nameOf), change });
  /** @param {"folder" | "expiresAt"} member */
  const byValue = (member) =>
    [...new Set(links.map((link) => link[member]))].map((value) =>
      step((link) => link[member] === value, { patch: { [member]: value } }),
    );
  /** @type {Record<string, () => Step[]>} */
  const back = {
    disable: () => [step((link) => !link.disabled, { patch: { disabled: false } })],
    enable: () => [step((link) => link.disabled, { patch: { disabled: true } })],
    addTags: () =>
      tags.map((tag) => step((link) => !link.tags.includes(tag), { removeTags: [tag] })),
    removeTags: () =>
      tags.map((tag) => step((link) => link.tags.includes(tag), { addTags: [tag] })),
    folder: () => byValue("folder"),
    expiresAt: () => byValue("expiresAt"),
  };
  return (back[action]?.() ?? []).filter((one) => one.links.length > 0);
}

/** @param {Name} link */
const nameOf = ({ domain, slug }) => `${domain}/${slug}`;

/**
 * What takes a change back; null where that can't be done.
 *
 * @param {Link[] | null} links
 * @param {string} action
 * @param {string[]} tags
 */
export function reversal(links, action, tags) {
  const steps = links ? stepsBack(links, action, tags) : [];
  if (!steps.length || steps.length > MOST_CALLS) return null;
  return async () => {
    for (const { links, change } of steps) {
      const body = { select: { links }, ...change, dryRun: false };
      await call("PATCH", "/api/v1/links:batch", { body });
    }
  };
}
