// Starts the dashboard: the frame around all screens, and which screen an address is.
import {
  anchor, announcementRegion, button, current, emptyNotice, hash, html, listen, may, Problem, problemNotice, readSession,
  rightsNotice, say, setScreenKeys, setSignedIn, showHelp, SIGNED_OUT, signInWithLink, signOut, texts,
} from "./base.js";

const main = html.main({ id: "main" });
const header = html.header();
/** @type {Session | null} */
let session = null;
let shown = "";
let turn = 0;

const PAGES = Object.keys(texts.pages);

/**
 * Module and scope of each page, by the first segment of its address and the number of the others. Modules are loaded at their
 * first use: a phone parses no page that it does not show.
 *
 * @type {Record<string, [string, Scope]>}
 */
const MODULES = {
  "overview/0": ["overview", "read"], "links/0": ["links", "read"], "links/2": ["link", "read"], "links/3": ["link-form", "links"], "new/0": ["link-form", "links"],
  "import/0": ["import", "links"], "import/1": ["import", "links"], "explain/0": ["explain", "read"], "applications/0": ["applications", "read"],
  "applications/1": ["applications", "read"], "new-application/0": ["wizard", "admin"], "domains/0": ["domains", "read"],
  "webhooks/0": ["webhooks", "admin"], "webhooks/1": ["webhook", "admin"], "keys/0": ["keys", "admin"], "system/0": ["system", "read"],
};
const module = (/** @type {string} */ name) => import(`./${name}.js`);

/** @param {string[]} segments @returns {[string, string, Scope] | undefined}  title, module and scope of the page */
function page([place = PAGES[0], ...rest]) {
  const found = MODULES[`${place}/${rest.length}`];
  const [first, slug, third] = rest;
  if (!found || third && third !== "edit") return undefined;
  /** @type {Record<string, string>} */
  const titles = {
    new: texts.form.create, "new-application": texts.applications.create, applications: first, links: third ? say(texts.form.edit, slug) : slug,
  };
  return [(rest.length || !texts.pages[place] ? titles[place] : "") || texts.pages[place], ...found];
}

async function render() {
  if (!session) return;
  const { segments } = current();
  const screen = segments.join("/");
  const isSame = shown === screen;
  const had = document.activeElement;
  const again = had?.closest(".periods") ? ".periods [aria-current]" : `[name="${had?.getAttribute("name")}"]`;
  const [title, name, scope] = page(segments) ?? [texts.unknownPage];
  const own = turn += 1;
  /** @type {ShowPage} */
  let show = showUnknown;
  if (scope && !may(session, scope)) show = () => main.append(rightsNotice(scope));
  else if (name) {
    main.setAttribute("aria-busy", "true");
    try {
      ({ show } = await module(name));
    } catch (error) {
      show = () => main.append(problemNotice(error, render));
    }
    // Another page was asked for meanwhile, or the session ended.
    if (own !== turn || !session) return;
  }
  main.removeAttribute("aria-busy");
  shown = screen;
  setScreenKeys([]);
  document.title = `${title} – Waymark`;
  // Charts and filters replace what they change; everything else begins afresh.
  if (!isSame || !main.querySelector("[data-stays]")) main.replaceChildren(html.div({ class: "head" }, html.h1({ tabindex: -1 }, title)));
  show(main, session, segments.slice(1));
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

/** @type {ShowPage} */
function showUnknown(main) {
  main.append(emptyNotice(texts.unknownPage, texts.unknownPageDetail, anchor(hash([PAGES[0]]), texts.pages[PAGES[0]])));
}

/** @param {Session} session */
function showHeader(session) {
  header.replaceChildren(
    anchor(hash([PAGES[0]]), "Waymark", { class: "brand" }),
    html.nav({ "aria-label": texts.navigation }, PAGES.map((name) => anchor(hash([name]), texts.pages[name]))),
    html.span({ class: "who", title: session.scopes.join(", ") }, session.name),
    button("?", showHelp, { "aria-label": texts.keyboard.title }),
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
async function askForKey(notice) {
  session = null;
  shown = "";
  turn += 1;
  main.removeAttribute("aria-busy");
  setSignedIn(false);
  header.hidden = true;
  document.title = `${texts.signIn.submit} – Waymark`;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  (await module("sign-in")).show(main, { notice, done: start });
}

async function start() {
  const usesLink = location.hash.startsWith("#sign-in=");
  // The page loads while the session is read.
  const [, name] = page(current().segments) ?? [];
  if (name) module(name).catch(() => {});
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
  html.a({ class: "skip", href: "#main", click: skip }, texts.skip), header, main,
  html.footer(anchor("/_/reference", texts.apiReference),
    anchor("/_/association", texts.association), anchor("/readyz", texts.health)),
  announcementRegion());
window.addEventListener("hashchange", render);
document.addEventListener(SIGNED_OUT, () => { if (session) askForKey(texts.signIn.ended); });
listen();
start();
