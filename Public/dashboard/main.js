// Starts the dashboard: the frame around all screens, and which screen an address is.
import {
  anchor, button, call, current, emptyNotice, find, get, hash, html, listen, may, Problem, problemNotice, region,
  rightsNotice, say, sendDeletions, setScreenKeys, setSignedIn, showHelp, SIGNED_OUT, takeToken, texts,
} from "./base.js";

const main = html.main({ id: "main" });
const header = html.header();
/** @type {Session | null} */
let session = null;
let shown = "";
let turn = 0;

const PAGES = Object.keys(texts.pages);

/**
 * Modules of pages that are not in the menu, by the first segment of their address and the number of the others. Modules are loaded
 * at their first use: a phone parses no page that it does not show.
 *
 * @type {Record<string, string>}
 */
const MODULES = {
  "links/2": "link", "links/3": "link-form", "new/0": "link-form", "import/1": "import", "applications/1": "applications",
  "new-application/0": "wizard", "webhooks/1": "webhook",
};
/** The scope that a module needs, if it is not `read`. */
/** @type {Record<string, Scope>} */
const SCOPES = { "link-form": "links", import: "links", wizard: "admin", webhooks: "admin", webhook: "admin", keys: "admin" };
const module = (name = "") => import(`./${name}.js`);

/** @param {string[]} segments @returns {[string, string] | undefined}  title and module of the page */
function page([place = PAGES[0], ...rest]) {
  const name = MODULES[`${place}/${rest.length}`] ?? (!rest.length && PAGES.find((page) => page === place));
  const [first, slug, third] = rest;
  if (!name || third && third !== "edit") return undefined;
  /** @type {Record<string, string>} */
  const titles = { link: slug, "link-form": slug ? say(texts.form.edit, slug) : texts.form.create, wizard: texts.applications.create, applications: first };
  return [titles[name] ?? texts.pages[place], name];
}

async function render() {
  if (!session) return;
  const { segments } = current();
  const screen = segments.join("/");
  const isSame = shown === screen;
  const had = document.activeElement;
  const again = had?.closest(".periods") ? ".periods [aria-current]" : `[name="${had?.getAttribute("name")}"]`;
  const [title, name = ""] = page(segments) ?? [texts.unknownPage];
  const scope = SCOPES[name] ?? "read";
  const own = turn += 1;
  /** @type {ShowPage} */
  let show = showUnknown;
  if (!may(session, scope)) show = () => main.append(rightsNotice(scope));
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
    (isSame && find(again) || find("h1"))?.focus({ preventScroll: true });
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
    await sendDeletions();
    await call("DELETE", "/_/session");
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
  const token = takeToken();
  // The page loads while the session is read.
  const [, name] = page(current().segments) ?? [];
  if (name) module(name).catch(() => {});
  try {
    if (token) return await (await module("sign-in")).ask(main, token, start);
    showHeader(session = await get("/_/session"));
  } catch (error) {
    if (error instanceof Problem && (error.status === 0 || error.status >= 500)) main.replaceChildren(problemNotice(error, start));
    else askForKey(token ? texts.signIn.linkEnded : undefined);
    return;
  }
  setSignedIn(true);
  if (!location.hash) history.replaceState(null, "", hash([PAGES[0]]));
  main.replaceChildren();
  render();
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  find("h1")?.focus();
}

header.hidden = true;
document.body.replaceChildren(
  html.a({ class: "skip", href: "#main", click: skip }, texts.skip), header, main,
  html.footer(anchor("/_/reference", texts.apiReference),
    anchor("/_/association", texts.association), anchor("/readyz", texts.health)),
  region);
window.addEventListener("hashchange", () => location.hash.startsWith("#sign-in=") ? start() : render());
document.addEventListener(SIGNED_OUT, () => { if (session) askForKey(texts.signIn.ended); });
listen();
start();
