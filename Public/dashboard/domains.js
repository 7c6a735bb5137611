// The hosts of all applications.
import { hash } from "./address.js";
import { get } from "./api.js";
import { curl, sameByAPI } from "./command.js";
import { element, table } from "./element.js";
import { setScreenKeys } from "./keyboard.js";
import { emptyNotice, load, rightsNotice } from "./pane.js";
import { may } from "./session.js";
import { texts } from "./texts.js";

const t = texts.domains;

/** @param {HTMLElement} main @param {Session} session */
export function showDomains(main, session) {
    const list = element("section", { "aria-label": t.title });
    main.replaceChildren(element("h1", { tabindex: -1 }, t.title), may(session, "read") ? list : rightsNotice("read"));
    setScreenKeys([]);
    if (!may(session, "read")) return t.title;
    main.append(element("details", { class: "panel" }, element("summary", {}, t.add), element("ol", {}, t.steps.map((step) => element("li", {}, step)))),
        sameByAPI(curl("GET", "/api/v1/apps")));
    load(list, async () => {
        /** @type {Application[]} */
        const apps = (await get("/api/v1/apps")).apps;
        const hosts = apps.flatMap((app) => (app.domains ?? []).map((domain) => ({ domain, app })));
        const others = apps.filter(({ domains }) => !domains?.length).map(({ id }) => id).join(", ");
        return [hosts.length ? table(t.title, [texts.fields.domain, texts.fields.app, t.address, t.root, t.unknown, texts.links.actions], hosts.map(({ domain, app }) => [
            element("strong", {}, domain), element("a", { href: hash(["applications", app.id]) }, app.id),
            app.baseURL ?? `https://${domain}`, app.onRoot ?? "–", app.onUnknown ?? "–",
            element("div", { class: "row-buttons" }, element("a", { href: hash(["overview"], { domain }), "aria-label": t.clicksOf(domain) }, texts.clicks.title),
                element("a", { href: `https://${domain}/.well-known/apple-app-site-association`, rel: "noreferrer", target: "_blank", "aria-label": t.filesOf(domain) }, t.files)),
        ]), "list cards") : emptyNotice(t.none, t.noneDetail), others && element("p", {}, t.others(others))];
    });
    return t.title;
}
