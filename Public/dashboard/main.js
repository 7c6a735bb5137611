// Starts the dashboard: the frame around all screens, and which screen an address is.
import { currentAddress, hash } from "./frame/address.js";
import { takeSession } from "./frame/early.js";
import { listenForShortcuts, setPageShortcuts } from "./frame/keyboard.js";
import { closeMenu, markInMenu, showMenu } from "./frame/menu.js";
import { mayOpen, menu, openPlaces, pageAt, setSignedIn } from "./frame/pages.js";
import { keepScrollPosition } from "./frame/scroll-position.js";
import { keepAuthorization, TOKEN, takeAuthorization, takeToken } from "./frame/session.js";
import { announcementRegion } from "./shared/announcement.js";
import { call, Problem, SIGNED_OUT } from "./shared/api.js";
import { anchor, find, html } from "./shared/element.js";
import { languageChoice } from "./frame/language-choice.js";
import { problemNotice, rightsNotice, skeleton } from "./shared/pane.js";
import { formatText, texts } from "./shared/texts.js";

const main = html.main({ id: "main" });
const header = html.header();
/**
 * Null while nobody is signed in.
 *
 * @type {Session | null}
 */
let session = null;
/** The segments of the address that is shown; empty where none is. */
let shownScreen = "";
/** Counts calls of `render`, and ends of sessions: what loads for an earlier one is not shown. */
let renderings = 0;

/** @param {string} name  as in the table of pages */
const loadModule = (name) => import(`./${name}.js`);
/** The first page of the menu. */
const home = () => menu()[0][0];

/** @param {string[]} segments */
function titleOf([name, first, slug, third]) {
  if (third) return formatText(texts.form.edit, slug);
  const ownName = name === "applications" ? (slug ?? first) : slug;
  return ownName ?? openPlaces()[name] ?? texts.pages[name] ?? texts.newApplication;
}

/** Shows the page of the address. */
async function render() {
  if (!session) return;
  const { segments } = currentAddress();
  if (!segments.length) segments.push(home());
  const screen = segments.join("/");
  const isSame = shownScreen === screen;
  const focusSelector = selectorOf(document.activeElement);
  const page = pageAt(segments);
  const title = page ? titleOf(segments) : texts.unknownPage;
  renderings += 1;
  const rendering = renderings;
  const restoreScrollPosition = keepScrollPosition(main, isSame);
  const begin = () =>
    main.replaceChildren(html.div({ class: "head" }, html.h1({ tabindex: -1 }, title)));
  document.title = `${title} – Waymark`;
  markInMenu(header, hash([segments[0]]));
  /** @type {ShowPage} */
  let show;
  if (page && !mayOpen(session, page)) {
    show = () => main.append(rightsNotice(page.scope ?? ""));
  } else {
    main.setAttribute("aria-busy", "true");
    // On a slow line the page is there before its module.
    if (!isSame) {
      begin();
      main.append(skeleton());
    }
    try {
      ({ show } = await loadModule(page?.module ?? "frame/unknown-page"));
    } catch (error) {
      show = () => main.append(problemNotice(error, render));
    }
    // Another page was asked for meanwhile, or the session ended.
    if (rendering !== renderings || !session) return;
  }
  main.removeAttribute("aria-busy");
  shownScreen = screen;
  setPageShortcuts([]);
  // Charts and filters replace what they change; everything else begins afresh.
  if (!isSame || !main.querySelector("[data-stays]")) begin();
  show(main, session, segments.slice(1));
  // A new page begins at its heading, and the focus is never lost with what had it.
  const isLost = !main.contains(document.activeElement);
  if (isLost) ((isSame && find(focusSelector)) || find("h1"))?.focus({ preventScroll: true });
  restoreScrollPosition(() => {
    if (isLost && isSame && document.activeElement === find("h1")) {
      find(focusSelector)?.focus({ preventScroll: true });
    }
  });
}

/**
 * The selector of what takes the place of an element when the page is shown again.
 *
 * @param {Element | null} element
 */
function selectorOf(element) {
  const nav = element?.closest(".periods")?.getAttribute("aria-label");
  return nav
    ? `.periods[aria-label="${nav}"] [aria-current]`
    : `[name="${element?.getAttribute("name")}"]`;
}

async function signOut() {
  try {
    await (await import("./frame/undo.js")).sendDeletions();
    const { content } = await call("DELETE", "/_/session");
    if (content?.logoutURL) location.assign(content.logoutURL);
    else askForKey();
  } catch (error) {
    main.prepend(problemNotice(error));
  }
}

/**
 * Ends what the page knows of the session, and shows the form for a key.
 *
 * @param {string} [notice]  why
 */
async function askForKey(notice) {
  session = null;
  shownScreen = "";
  renderings += 1;
  main.removeAttribute("aria-busy");
  setSignedIn(null);
  header.hidden = true;
  document.title = `${texts.signIn.submit} – Waymark`;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  (await loadModule("frame/sign-in")).show(main, { notice, done: start });
}

/** Signs in by the link in the address, or goes on with the session of the browser. */
async function start() {
  keepAuthorization();
  const { token, kind } = takeToken();
  const isInvitation = kind === "invitation";
  // The page loads while the session is read.
  const page = pageAt(currentAddress().segments);
  if (page) loadModule(page.module).catch(() => {});
  try {
    if (token && kind === "report") {
      header.hidden = true;
      return await (await loadModule("reports/shared")).show(main, token);
    }
    if (token && isInvitation) {
      header.hidden = true;
      return await (await loadModule("people/invitation")).show(main, token, start);
    }
    if (token) return await (await loadModule("frame/sign-in")).askToSignIn(main, token, start);
    session = (await call("GET", "/_/session", { begun: takeSession() })).content;
    const waiting = takeAuthorization();
    if (waiting) return location.replace(waiting);
    setSignedIn(session);
    if (session) showMenu(header, session, signOut);
    if (session?.demo) (await loadModule("frame/demonstration")).show(header);
  } catch (error) {
    const isUnavailable = error instanceof Problem && (error.status === 0 || error.status >= 500);
    if (isUnavailable) {
      main.replaceChildren(problemNotice(error, start));
    } else {
      const { invitationEnded, linkEnded } = texts.signIn;
      askForKey(token && (isInvitation ? invitationEnded : linkEnded));
    }
    return;
  }
  if (!location.hash) history.replaceState(null, "", hash([home()]));
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
  html.a({ class: "skip", href: "#main", click: skip }, texts.skip),
  header,
  main,
  html.footer(
    anchor("/_/reference", texts.apiReference),
    anchor("/_/association", texts.association),
    anchor("/readyz", texts.health),
    languageChoice(),
  ),
  announcementRegion,
);
window.addEventListener("hashchange", () => {
  closeMenu(header);
  if (TOKEN.test(location.hash) || location.hash.startsWith("#authorize=")) start();
  else render();
});
document.addEventListener(SIGNED_OUT, () => {
  if (session) askForKey(texts.signIn.ended);
});
listenForShortcuts();
start();
