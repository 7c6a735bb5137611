// The filters of the list of links: lists of applications and domains, suggestions of tags and
// campaigns.
import { currentAddress } from "../../frame/address.js";
import { applications, get } from "../../shared/api.js";
import { html } from "../../shared/element.js";
import { field, input, select } from "../../shared/fields.js";
import { compareTexts } from "../../shared/formats.js";
import { pageTexts } from "../../shared/page-texts.js";
import { fill } from "../../shared/pane.js";
import { formatText, texts } from "../../shared/texts.js";
import { folderTree, knownFolders } from "./folders.js";

const listTexts = pageTexts.list;
/** @type {Record<string, string>} */
const checkStates = pageTexts.verification.states;
/** Filters that are folded away. */
const MORE = ["app", "domain", "folder", "tag", "campaign", "createdFrom", "createdTo"];
const FILTERS = ["search", "state", "sort", "verified", ...MORE];
/**
 * Tags and campaigns of the links that were seen.
 *
 * @type {{tag: Set<string>, campaign: Set<string>}}
 */
const seen = { tag: new Set(), campaign: new Set() };
/** @typedef {keyof typeof seen} Suggested */
/**
 * Applications, and whether the further filters are unfolded.
 *
 * @type {{applications: Promise<Application[]> | null, isOpen: boolean}}
 */
const cache = { applications: null, isOpen: false };

/** Loads the applications once, and again after a failure. */
export function knownApplications() {
  cache.applications ??= applications().catch((error) => {
    cache.applications = null;
    throw error;
  });
  return cache.applications;
}

/**
 * What the address asks for.
 *
 * @returns {Record<string, string>}
 */
export function filters() {
  const { query } = currentAddress();
  return Object.fromEntries(
    FILTERS.filter((name) => query.get(name)).map((name) => [name, query.get(name) ?? ""]),
  );
}

/** @param {string} name */
export const filterLabel = (name) =>
  ({ search: listTexts.search, verified: pageTexts.verification.title })[name] ??
  texts.clickFields[name] ??
  texts.links.state;

/** What is set, in words, by filter. */
export async function filterTexts() {
  const { sort, ...set } = filters();
  const apps = set.app ? await knownApplications().catch(() => []) : [];
  return Object.entries(set).map(([name, value]) => {
    const text =
      name === "app"
        ? apps.find(({ id }) => id === value)?.name
        : { state: texts.states, verified: checkStates }[name]?.[value];
    return { name, text: formatText(texts.labelled, filterLabel(name), text || value) };
  });
}

/**
 * Filters that are known to find something, by their texts.
 *
 * @param {Session} session
 */
export async function knownFilters(session) {
  const apps = await knownApplications().catch(() => []);
  const [folders] = await Promise.all([knownFolders(), suggestNewest()]);
  /** @type {Record<string, string[][]>} */
  const values = {
    tag: [...seen.tag].map((tag) => [tag, tag]),
    campaign: [...seen.campaign].map((campaign) => [campaign, campaign]),
    app: session.app ? [] : apps.map(({ id, name }) => [id, name ?? id]),
    domain: [...new Set(apps.flatMap(({ domains }) => domains ?? []))].map((one) => [one, one]),
    folder: folders.map(({ folder }) => [folder, folder]),
    state: Object.entries(texts.states),
    verified: Object.entries(checkStates),
  };
  return new Map(
    Object.entries(values).flatMap(([name, options]) =>
      options.map(([value, text]) => [
        formatText(texts.labelled, filterLabel(name), text),
        { name, value },
      ]),
    ),
  );
}

/**
 * Adds what links have to the suggestions.
 *
 * @param {Link[]} links
 */
export function suggest(links) {
  for (const { tags, campaign } of links) {
    for (const tag of tags) seen.tag.add(tag);
    if (campaign?.name) seen.campaign.add(campaign.name);
  }
}

/** Adds those of the newest links. Without them the fields work all the same. */
async function suggestNewest() {
  const { links } = await get("/api/v1/links?limit=200").catch(() => ({ links: [] }));
  suggest(links);
}

/** Tags of the links that were seen. */
export const knownTags = () => [...seen.tag].sort(compareTexts);

/**
 * A tag or campaign as it is written in links, whatever its case was when it was typed.
 *
 * @param {string} name
 * @param {string} value
 */
export function asWritten(name, value) {
  if ((name !== "tag" && name !== "campaign") || seen[name].has(value)) return value;
  const text = value.trim();
  return [...seen[name]].find((known) => known.toLowerCase() === text.toLowerCase()) ?? text;
}

/** @param {Session} session */
export function moreFilters(session) {
  const { query } = currentAddress();
  /** @param {string} name */
  const value = (name) => query.get(name) ?? "";
  const container = html.div({ class: "filters" });
  const fold = html.details(
    {
      class: "whole",
      open: cache.isOpen,
      toggle: () => {
        cache.isOpen = fold.open;
        if (fold.open) show();
      },
    },
    html.summary(listTexts.more),
    container,
  );
  const show = async () => {
    if (container.firstChild) return;
    const [apps, folders] = await Promise.all([
      knownApplications().catch(() => []),
      knownFolders(),
    ]);
    const domains = [...new Set(apps.flatMap(({ domains }) => domains ?? []))].sort(compareTexts);
    /**
     * @param {string} name
     * @param {string[][]} options
     */
    const choice = (name, options) => {
      const set = value(name);
      const unlisted = set && !options.some(([option]) => option === set) ? [[set, set]] : [];
      return field(
        texts.clickFields[name],
        select(name, [["", listTexts.anyState], ...options, ...unlisted], set),
      );
    };
    /** @param {string} name */
    const day = (name) =>
      field(texts.clickFields[name], input(name, value(name), { type: "date" }));
    fill(container, [
      !session.app &&
        choice(
          "app",
          apps.map(({ id, name }) => [id, name ?? id]),
        ),
      choice(
        "domain",
        domains.map((domain) => [domain, domain]),
      ),
      (folders.length > 0 || value("folder")) && choice("folder", folderTree(folders)),
      suggested("tag", value("tag")),
      suggested("campaign", value("campaign")),
      day("createdFrom"),
      day("createdTo"),
    ]);
    await suggestNewest();
    for (const name of /** @type {Suggested[]} */ (["tag", "campaign"])) {
      const options = [...seen[name]].sort(compareTexts).map((value) => html.option({ value }));
      container.querySelector(`#known-${name}`)?.replaceChildren(...options);
    }
  };
  if (fold.open) show();
  return fold;
}

/**
 * @param {Suggested} name
 * @param {string} value
 */
function suggested(name, value) {
  const tagField = field(
    texts.clickFields[name],
    input(name, value, { maxlength: 200, list: `known-${name}` }),
  );
  tagField.append(html.datalist({ id: `known-${name}` }));
  return tagField;
}
