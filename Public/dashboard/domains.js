// The hosts of all applications.
import { anchor, applications, curl, emptyNotice, hash, html, load, sameByAPI, say, table, texts } from "./base.js";

const t = texts.domains;

/** @type {ShowPage} */
export function show(main) {
  const list = html.section({ "aria-label": texts.pages.domains });
  main.append(list, html.details({ class: "panel" }, html.summary(t.add), html.ol(t.steps.map((step) => html.li(step)))),
    sameByAPI(curl("GET", "/api/v1/apps")));
  load(list, async () => {
    const apps = await applications();
    const hosts = apps.flatMap((app) => (app.domains ?? []).map((domain) => ({ domain, app })));
    const others = apps.filter(({ domains }) => !domains?.length).map(({ id }) => id).join(", ");
    return [hosts.length ? table(texts.pages.domains, [texts.fields.domain, texts.fields.app, t.address, t.root, t.unknown, texts.links.actions], hosts.map(({ domain, app }) => [
      html.strong(domain), anchor(hash(["applications", app.id]), app.id),
      app.baseURL ?? `https://${domain}`, app.onRoot ?? "–", app.onUnknown ?? "–",
      html.div({ class: "row-buttons" }, html.a({ href: hash(["overview"], { domain }), "aria-label": say(t.clicksOf, domain) }, texts.clicks.title),
        html.a({ href: `https://${domain}/.well-known/apple-app-site-association`, rel: "noreferrer", target: "_blank", "aria-label": say(t.filesOf, domain) }, t.files)),
    ]), "list cards") : emptyNotice(t.none, t.noneDetail), others && html.p(say(t.others, others))];
  });
}
