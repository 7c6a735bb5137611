// The hosts of all applications.
import { anchor, curl, element, emptyNotice, get, hash, load, sameByAPI, say, table, texts } from "./base.js";

const t = texts.domains;

/** @param {HTMLElement} main */
export function showDomains(main) {
  const list = element("section", { "aria-label": texts.pages.domains });
  main.append(list, element("details", { class: "panel" }, element("summary", {}, t.add), element("ol", {}, t.steps.map((step) => element("li", {}, step)))),
    sameByAPI(curl("GET", "/api/v1/apps")));
  load(list, async () => {
    /** @type {Application[]} */
    const apps = (await get("/api/v1/apps")).apps;
    const hosts = apps.flatMap((app) => (app.domains ?? []).map((domain) => ({ domain, app })));
    const others = apps.filter(({ domains }) => !domains?.length).map(({ id }) => id).join(", ");
    return [hosts.length ? table(texts.pages.domains, [texts.fields.domain, texts.fields.app, t.address, t.root, t.unknown, texts.links.actions], hosts.map(({ domain, app }) => [
      element("strong", {}, domain), anchor(hash(["applications", app.id]), app.id),
      app.baseURL ?? `https://${domain}`, app.onRoot ?? "–", app.onUnknown ?? "–",
      element("div", { class: "row-buttons" }, element("a", { href: hash(["overview"], { domain }), "aria-label": say(t.clicksOf, domain) }, texts.clicks.title),
        element("a", { href: `https://${domain}/.well-known/apple-app-site-association`, rel: "noreferrer", target: "_blank", "aria-label": say(t.filesOf, domain) }, t.files)),
    ]), "list cards") : emptyNotice(t.none, t.noneDetail), others && element("p", {}, say(t.others, others))];
  });
}
