// Starts the dashboard: the frame around all screens, and which screen an address is.
import { current, hash } from "./address.js";
import { announcementRegion } from "./announcement.js";
import { Problem, SIGNED_OUT } from "./api.js";
import { showApplication, showApplications } from "./applications.js";
import { showDomains } from "./domains.js";
import { element } from "./element.js";
import { showExplainPage } from "./explain.js";
import { showImport } from "./import.js";
import { listen, setScreenKeys, setSignedIn, showHelp } from "./keyboard.js";
import { showKeys } from "./keys.js";
import { showLinkForm } from "./link-form.js";
import { showLink } from "./link.js";
import { showLinks } from "./links.js";
import { emptyNotice, problemNotice } from "./pane.js";
import { showOverview } from "./overview.js";
import { current as currentSession, signOut } from "./session.js";
import { showSignIn } from "./sign-in.js";
import { showSystem } from "./system.js";
import { texts } from "./texts.js";
import { showWizard } from "./wizard.js";

const main = element("main", { id: "main" });
const header = element("header");
/** @type {Session | null} */
let session = null;
let shown = "";

/** @param {string[]} segments @param {Session} session @returns {string} the title */
function showScreen(segments, session) {
    const [place = "overview", first, second, third] = segments;
    if (place === "overview" && first === undefined) return showOverview(main, session);
    if (place === "links" && third === "edit") return showLinkForm(main, session, { domain: first, slug: second });
    if (place === "links" && second !== undefined && third === undefined) return showLink(main, session, { domain: first, slug: second });
    if (place === "links" && first === undefined) return showLinks(main, session);
    if (place === "new-application") return showWizard(main, session);
    if (place === "import" && second === undefined) return showImport(main, session, first);
    if (place === "new") return showLinkForm(main, session);
    if (place === "keys" && first === undefined) return showKeys(main, session);
    if (first === undefined) {
        const screens = { explain: showExplainPage, domains: showDomains, system: showSystem };
        for (const [name, show] of Object.entries(screens)) if (name === place) return show(main, session);
    }
    if (place === "applications" && first === undefined) return showApplications(main, session);
    if (place === "applications" && second === undefined) return showApplication(main, session, first);
    main.replaceChildren(element("h1", { tabindex: -1 }, texts.unknownPage), emptyNotice(texts.unknownPage, texts.unknownPageDetail,
        element("a", { href: hash(["links"]) }, texts.links.title)));
    return texts.unknownPage;
}

function render() {
    if (!session) return;
    setScreenKeys([]);
    const { segments } = current();
    const title = showScreen(segments, session);
    document.title = `${title} – Waymark`;
    for (const anchor of header.querySelectorAll("nav a")) {
        const isHere = anchor.getAttribute("href") === hash([segments[0] ?? "overview"]);
        if (isHere) anchor.setAttribute("aria-current", "page"); else anchor.removeAttribute("aria-current");
    }
    // A new screen begins at its heading; other parameters of the same one leave the focus where it is.
    const screen = segments.join("/");
    if (shown !== screen && !main.contains(document.activeElement)) {
        main.querySelector("h1")?.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
    shown = screen;
}

/** @param {Session} session */
function showHeader(session) {
    const item = (/** @type {string[]} */ place, /** @type {string} */ text) => element("a", { href: hash(place) }, text);
    header.replaceChildren(
        element("a", { class: "brand", href: hash(["overview"]) }, "Waymark"),
        element("nav", { "aria-label": texts.navigation }, item(["overview"], texts.overview.title), item(["links"], texts.links.title),
            item(["import"], texts.imports.title), item(["explain"], texts.explain.page), item(["applications"], texts.applications.title),
            item(["domains"], texts.domains.title), item(["keys"], texts.keys.title), item(["system"], texts.system.title)),
        element("span", { class: "who", title: session.scopes.join(", ") }, session.name),
        element("button", { type: "button", class: "quiet", "aria-label": texts.keyboard.title, click: showHelp }, "?"),
        element("button", { type: "button", class: "quiet", click: leave }, texts.signOut));
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
    try {
        session = await currentSession();
    } catch (error) {
        if (error instanceof Problem && (error.status === 0 || error.status >= 500)) main.replaceChildren(problemNotice(error, start));
        else askForKey();
        return;
    }
    setSignedIn(true);
    showHeader(session);
    if (!location.hash) history.replaceState(null, "", hash(["overview"]));
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
    element("footer", {}, element("a", { href: "/_/openapi.json" }, texts.reference),
        element("a", { href: "/_/association" }, texts.association), element("a", { href: "/readyz" }, texts.health)),
    announcementRegion());
window.addEventListener("hashchange", render);
document.addEventListener(SIGNED_OUT, () => { if (session) askForKey(texts.signIn.ended); });
listen();
start();
