// Starts the dashboard: the frame around all screens, and which screen an address is.
import { showApplication, showApplications } from "./applications.js";
import {
  anchor, announcementRegion, button, current, element, emptyNotice, hash, listen, may, Problem, problemNotice, readSession,
  rightsNotice, say, setScreenKeys, setSignedIn, showHelp, SIGNED_OUT, signInWithLink, signOut, texts,
} from "./base.js";
import { showDomains } from "./domains.js";
import { showExplainPage } from "./explain.js";
import { showImport, showImportForm } from "./import.js";
import { showKeys } from "./keys.js";
import { showLink } from "./link.js";
import { showLinkForm } from "./link-form.js";
import { showLinks } from "./links.js";
import { showOverview } from "./overview.js";
import { showSignIn } from "./sign-in.js";
import { showSystem } from "./system.js";
import { showWizard } from "./wizard.js";

const main = element("main", { id: "main" });
const header = element("header");
/** @type {Session | null} */
let session = null;
let shown = "";

const PAGES = Object.keys(texts.pages);

// Title, scope and content of the page that an address is.
/** @param {string[]} segments @returns {[string, Scope, ShowPage] | undefined} */
function page([place = PAGES[0], ...rest]) {
  const [domain, slug, third] = rest;
  const name = { domain, slug };
  /** @type {Record<string, [string, Scope, ShowPage]>} */
  const pages = {
    "links/2": [slug, "read", (main, session) => showLink(main, session, name)], "new/0": [texts.form.create, "links", showLinkForm],
    "links/3": [say(texts.form.edit, slug), "links", (main, session) => showLinkForm(main, session, name)],
    "applications/1": [domain, "read", (main, session) => showApplication(main, session, domain)],
    "new-application/0": [texts.applications.create, "admin", showWizard], "import/1": [texts.pages.import, "links", (main) => showImport(main, domain)],
  };
  /** @type {Record<string, [Scope, ShowPage]>} */
  const lists = {
    overview: ["read", showOverview], links: ["read", showLinks], import: ["links", showImportForm], explain: ["read", showExplainPage],
    applications: ["read", showApplications], domains: ["read", showDomains], keys: ["admin", showKeys], system: ["read", showSystem],
  };
  if (third !== undefined && third !== "edit") return undefined;
  return pages[`${place}/${rest.length}`] ?? (rest.length || !lists[place] ? undefined : [texts.pages[place], ...lists[place]]);
}

function render() {
  if (!session) return;
  const { segments } = current();
  const screen = segments.join("/");
  const isSame = shown === screen;
  const had = document.activeElement;
  const again = had?.closest(".periods") ? ".periods [aria-current]" : `[name="${had?.getAttribute("name")}"]`;
  shown = screen;
  setScreenKeys([]);
  const [title, scope, show] = page(segments) ?? [texts.unknownPage, null, showUnknown];
  document.title = `${title} – Waymark`;
  // Charts and filters replace what they change; everything else begins afresh.
  if (!isSame || !main.querySelector("[data-stays]")) main.replaceChildren(element("div", { class: "head" }, element("h1", { tabindex: -1 }, title)));
  if (scope && !may(session, scope)) main.append(rightsNotice(scope));
  else show(main, session);
  for (const anchor of header.querySelectorAll("nav a")) {
    const isHere = anchor.getAttribute("href") === hash([segments[0] ?? PAGES[0]]);
    if (isHere) anchor.setAttribute("aria-current", "page"); else anchor.removeAttribute("aria-current");
  }
  // A new page begins at its heading, and the focus is never lost with what had it.
  if (!main.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ (isSame && main.querySelector(again) || main.querySelector("h1"))?.focus({ preventScroll: true });
    if (!isSame) window.scrollTo(0, 0);
  }
}

/** @param {HTMLElement} main */
function showUnknown(main) {
  main.append(emptyNotice(texts.unknownPage, texts.unknownPageDetail, anchor(hash([PAGES[0]]), texts.pages[PAGES[0]])));
}

/** @param {Session} session */
function showHeader(session) {
  header.replaceChildren(
    anchor(hash([PAGES[0]]), "Waymark", { class: "brand" }),
    element("nav", { "aria-label": texts.navigation }, PAGES.map((name) => anchor(hash([name]), texts.pages[name]))),
    element("span", { class: "who", title: session.scopes.join(", ") }, session.name),
    element("button", { type: "button", class: "quiet", "aria-label": texts.keyboard.title, click: showHelp }, "?"),
    button(texts.signOut, leave));
  header.hidden = false;
}

async function leave() {
  try {
    await signOut();
    askForKey();
  } catch (error) {
    main.prepend(problemNotice(error));
  }
}

/** @param {string} [notice] */
function askForKey(notice) {
  session = null;
  shown = "";
  setSignedIn(false);
  header.hidden = true;
  document.title = `${texts.signIn.submit} – Waymark`;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  showSignIn(main, { notice, done: start });
}

async function start() {
  const usesLink = location.hash.startsWith("#sign-in=");
  try {
    await signInWithLink();
    session = await readSession();
  } catch (error) {
    if (error instanceof Problem && (error.status === 0 || error.status >= 500)) main.replaceChildren(problemNotice(error, start));
    else askForKey(usesLink ? texts.signIn.linkEnded : undefined);
    return;
  }
  setSignedIn(true);
  showHeader(session);
  if (!location.hash) history.replaceState(null, "", hash([PAGES[0]]));
  main.replaceChildren();
  render();
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  main.querySelector("h1")?.focus();
}

header.hidden = true;
document.body.replaceChildren(
  element("a", { class: "skip", href: "#main", click: skip }, texts.skip), header, main,
  element("footer", {}, anchor("/_/reference", texts.apiReference),
    anchor("/_/association", texts.association), anchor("/readyz", texts.health)),
  announcementRegion());
window.addEventListener("hashchange", render);
document.addEventListener(SIGNED_OUT, () => { if (session) askForKey(texts.signIn.ended); });
listen();
start();
