// All pages: the module of each, the scope that it needs, and which of them the key of the session
// may open.
import { texts } from "../shared/texts.js";
import { may } from "./session.js";

/**
 * Pages by the first segment of their address and the number of the others. Modules are loaded at
 * their first use: a phone parses no page that it does not show.
 *
 * @type {Record<string, Page>}
 */
const PAGES = {
  "overview/0": { module: "reports/overview", scope: "read" },
  "links/0": { module: "links/list", scope: "read" },
  "links/2": { module: "links/link", scope: "read" },
  "links/3": { module: "links/form", scope: "links" },
  "new/0": { module: "links/form", scope: "create" },
  "import/0": { module: "links/import", scope: "links" },
  "import/1": { module: "links/import", scope: "links" },
  "verification/0": { module: "links/verification", scope: "read" },
  "changes/0": { module: "links/planned-changes", scope: "links" },
  "explain/0": { module: "links/explain", scope: "read" },
  "applications/0": { module: "applications/list", scope: "read" },
  "applications/1": { module: "applications/application", scope: "read" },
  "new-application/0": {
    module: "applications/wizard",
    scope: "admin",
    isForAll: true,
  },
  "domains/0": { module: "settings/domains", scope: "read" },
  "webhooks/0": { module: "settings/webhooks", scope: "admin" },
  "webhooks/1": { module: "settings/webhook", scope: "admin" },
  "people/0": { module: "people/people", scope: "admin" },
  "account/0": { module: "people/account" },
  "audit/0": { module: "settings/audit", scope: "admin" },
  "keys/0": { module: "settings/keys", scope: "admin" },
  "system/0": { module: "settings/system" },
};

/** @param {string[]} segments  of an address */
export function pageAt([name, ...rest]) {
  return rest[2] && rest[2] !== "edit" ? undefined : PAGES[`${name}/${rest.length}`];
}

/**
 * @param {Session} session
 * @param {Page} page
 */
export const mayOpen = (session, { scope, isForAll }) =>
  (!scope || may(session, scope)) && !(isForAll && session.app);

/**
 * The session whose key opens pages.
 *
 * @type {Session | null}
 */
let signedIn = null;

/** @param {Session | null} session */
export const setSignedIn = (session) => {
  signedIn = session;
};

/**
 * Titles of the places that the key may open; none while nobody is signed in.
 *
 * @returns {Record<string, string>}
 */
export function openPlaces() {
  const titles = {
    ...texts.pages,
    new: texts.links.create,
    "new-application": texts.newApplication,
    account: texts.account,
  };
  /** @param {string} name */
  const isOpen = (name) => signedIn && mayOpen(signedIn, PAGES[`${name}/0`]);
  return Object.fromEntries(Object.entries(titles).filter(([name]) => isOpen(name)));
}

/**
 * The menu: a place and its title each. Where the list of links is closed, the form of a new one
 * stands for it.
 */
export function menu() {
  const open = openPlaces();
  return Object.entries(open.links ? open : { new: open.new, ...open }).filter(
    ([name]) => name in texts.pages || (name === "new" && !open.links),
  );
}
