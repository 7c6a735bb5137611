// Starts the dashboard: the frame around all screens, and which screen an address is.
import { current, hash } from "./frame/address.js";
import { listen, setScreenKeys, showHelp } from "./frame/keyboard.js";
import { mayOpen, menu, openPlaces, pageAt, setSignedIn } from "./frame/pages.js";
import { keepPlace } from "./frame/scroll-position.js";
import { keyName, takeToken } from "./frame/session.js";
import { sendDeletions } from "./frame/undo.js";
import { region } from "./shared/announcement.js";
import { call, get, Problem, SIGNED_OUT } from "./shared/api.js";
import { anchor, button, find, html } from "./shared/element.js";
import { emptyNotice, problemNotice, rightsNotice } from "./shared/pane.js";
import { say, texts } from "./shared/texts.js";

const main = html.main({ id: "main" });
const header = html.header();
/** @type {Session | null} */
let session = null;
let shown = "";
let turn = 0;

const module = (name = "") => import(`./${name}.js`);
/** The first page of the menu. */
const home = () => menu()[0][0];

/** @param {string[]} segments */
function titleOf([place, first, slug, third]) {
  if (third) return say(texts.form.edit, slug);
  const own = place === "applications" ? (slug ?? first) : slug;
  return own ?? openPlaces()[place] ?? texts.pages[place] ?? texts.newApplication;
}

async function render() {
  if (!session) return;
  const { segments } = current();
  if (!segments.length) segments.push(home());
  const screen = segments.join("/");
  const isSame = shown === screen;
  const again = wayBack(document.activeElement);
  const page = pageAt(segments);
  const title = page ? titleOf(segments) : texts.unknownPage;
  const own = (turn += 1);
  /** @type {ShowPage} */
  let show = showUnknown;
  if (page && !mayOpen(session, page)) show = () => main.append(rightsNotice(page.scope ?? ""));
  else if (page) {
    main.setAttribute("aria-busy", "true");
    try {
      ({ show } = await module(page.module));
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
  const place = keepPlace(main, isSame);
  // Charts and filters replace what they change; everything else begins afresh.
  if (!isSame || !main.querySelector("[data-stays]")) {
    main.replaceChildren(html.div({ class: "head" }, html.h1({ tabindex: -1 }, title)));
  }
  show(main, session, segments.slice(1));
  for (const anchor of header.querySelectorAll("nav a")) {
    const isHere = anchor.getAttribute("href") === hash([segments[0]]);
    if (isHere) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  // A new page begins at its heading, and the focus is never lost with what had it.
  const isLost = !main.contains(document.activeElement);
  if (isLost) ((isSame && find(again)) || find("h1"))?.focus({ preventScroll: true });
  place(() => {
    if (isLost && isSame && document.activeElement === find("h1"))
      find(again)?.focus({
        preventScroll: true,
      });
  });
}

/**
 * The selector of what takes the place of an element when the page is shown again.
 *
 * @param {Element | null} element
 */
function wayBack(element) {
  const nav = element?.closest(".periods")?.getAttribute("aria-label");
  return nav
    ? `.periods[aria-label="${nav}"] [aria-current]`
    : `[name="${element?.getAttribute("name")}"]`;
}

/** @type {ShowPage} */
function showUnknown(main) {
  const first = home();
  main.append(
    emptyNotice(
      texts.unknownPage,
      texts.unknownPageDetail,
      anchor(hash([first]), openPlaces()[first]),
    ),
  );
}

/** @param {Session} session */
function showHeader(session) {
  header.replaceChildren(
    anchor(hash([home()]), "Waymark", { class: "brand" }),
    html.nav(
      { "aria-label": texts.navigation },
      menu().map(([place, title]) => anchor(hash([place]), title)),
    ),
    html.span({ class: "who", title: session.scopes.join(", ") }, keyName(session.name)),
    button("?", showHelp, { "aria-label": texts.keyboard.title }),
    button(texts.signOut, leave),
  );
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
  setSignedIn(null);
  header.hidden = true;
  document.title = `${texts.signIn.submit} – Waymark`;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  (await module("frame/sign-in")).show(main, { notice, done: start });
}

async function start() {
  const token = takeToken();
  // The page loads while the session is read.
  const page = pageAt(current().segments);
  if (page) module(page.module).catch(() => {});
  try {
    if (token) return await (await module("frame/sign-in")).ask(main, token, start);
    setSignedIn((session = await get("/_/session")));
    if (session) showHeader(session);
  } catch (error) {
    if (error instanceof Problem && (error.status === 0 || error.status >= 500))
      main.replaceChildren(problemNotice(error, start));
    else askForKey(token ? texts.signIn.linkEnded : undefined);
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
  ),
  region,
);
window.addEventListener("hashchange", () =>
  location.hash.startsWith("#sign-in=") ? start() : render(),
);
document.addEventListener(SIGNED_OUT, () => {
  if (session) askForKey(texts.signIn.ended);
});
listen();
start();
