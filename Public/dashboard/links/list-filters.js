// The filters of the list of links: lists of applications and domains, suggestions of tags and
// campaigns.
import { current } from "../frame/address.js";
import { applications, get } from "../shared/api.js";
import { html } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { fill } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

const t = texts.links;
const MORE = ["app", "domain", "tag", "campaign", "createdFrom", "createdTo"];
const FILTERS = ["search", "state", "sort", ...MORE];
/** Tags and campaigns of the links that were seen. */
const seen = { tag: new Set(), campaign: new Set() };
/** @typedef {keyof typeof seen} Suggested */
/** @type {Promise<Application[]> | null} */
let known = null;

/** @returns {Record<string, string>} */
export function filters() {
  const { query: now } = current();
  return Object.fromEntries(
    FILTERS.filter((name) => now.get(name)).map((name) => [name, now.get(name) ?? ""]),
  );
}

/** What is set, in words, by filter. */
export async function filterTexts() {
  const apps = await (known ??= applications());
  return Object.entries(filters())
    .filter(([name]) => name !== "sort")
    .map(([name, value]) => {
      const label = name === "search" ? t.search : (texts.clickFields[name] ?? t.state);
      const text =
        name === "app"
          ? apps.find(({ id }) => id === value)?.name
          : name === "state" && texts.states[value];
      return { name, text: `${label}: ${text || value}` };
    });
}

/** @param {Link[]} links */
export function suggest(links) {
  for (const { tags, campaign } of links) {
    for (const tag of tags) seen.tag.add(tag);
    if (campaign?.name) seen.campaign.add(campaign.name);
  }
}

/**
 * A tag or campaign as it is written in links, whatever its case was when it was typed.
 *
 * @param {string} name
 * @param {string} value
 */
export function asWritten(name, value) {
  if ((name !== "tag" && name !== "campaign") || seen[name].has(value)) return value;
  return (
    [...seen[name]].find((one) => one.toLowerCase() === value.trim().toLowerCase()) ?? value.trim()
  );
}

/** @param {Session} session */
export function moreFilters(session) {
  const { query: now } = current();
  const value = (name = "") => now.get(name) ?? "";
  const place = html.div({ class: "filters" });
  const fold = html.details(
    {
      class: "whole",
      open: MORE.some(value),
      toggle: () => {
        if (fold.open) show();
      },
    },
    html.summary(t.more),
    place,
  );
  const show = async () => {
    if (place.firstChild) return;
    known ??= applications();
    const apps = await known.catch(() => {
      known = null;
      return [];
    });
    const domains = [...new Set(apps.flatMap(({ domains }) => domains ?? []))].sort();
    const choice = (name = "", /** @type {string[][]} */ options) => {
      const set = value(name);
      const own = set && !options.some(([one]) => one === set) ? [[set, set]] : [];
      return field(
        texts.clickFields[name],
        select(name, [["", t.anyState], ...options, ...own], set),
      );
    };
    const day = (name = "") =>
      field(texts.clickFields[name], input(name, value(name), { type: "date" }));
    fill(place, [
      !session.app &&
        choice(
          "app",
          apps.map(({ id, name }) => [id, name ?? id]),
        ),
      choice(
        "domain",
        domains.map((domain) => [domain, domain]),
      ),
      suggested("tag", value("tag")),
      suggested("campaign", value("campaign")),
      day("createdFrom"),
      day("createdTo"),
    ]);
    const { links } = await get("/api/v1/links?limit=200").catch(() => ({ links: [] }));
    suggest(links);
    for (const name of /** @type {Suggested[]} */ (["tag", "campaign"])) {
      const options = [...seen[name]].sort().map((value) => html.option({ value }));
      place.querySelector(`#known-${name}`)?.replaceChildren(...options);
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
  const made = field(
    texts.clickFields[name],
    input(name, value, { maxlength: 200, list: `known-${name}` }),
  );
  made.append(html.datalist({ id: `known-${name}` }));
  return made;
}
