// The hosts of all applications, and their certificates.
import { anchor, applications, curl, emptyNotice, get, hash, html, load, sameByAPI, say, table, texts, time } from "./base.js";

const t = texts.domains;

/** @type {ShowPage} */
export function show(main) {
  const list = html.section({ "aria-label": texts.pages.domains });
  main.append(list, html.details({ class: "panel" }, html.summary(t.add), html.ol(t.steps.map((step) => html.li(step)))),
    sameByAPI(curl("GET", "/api/v1/domains")));
  load(list, async () => {
    /** @type {[Application[], { domains: Domain[] }]} */
    const [apps, { domains }] = await Promise.all([applications(), get("/api/v1/domains")]);
    const others = apps.filter(({ domains }) => !domains?.length).map(({ id }) => id).join(", ");
    return [domains.length ? table(texts.pages.domains, [texts.fields.domain, texts.fields.app, t.certificate, t.address, t.root, t.unknown, texts.links.actions], domains.map(({ domain, app: id, certificate, problem }) => {
      const app = apps.find((each) => each.id === id);
      return [
        html.strong(domain), id ? anchor(hash(["applications", id]), id) : "–",
        html.div(certificate ? [t.until, " ", time(certificate.until)] : "–",
          certificate?.renewsAt && html.div({ class: "soft" }, t.renews, " ", time(certificate.renewsAt)),
          problem && html.div({ class: "soft problem" }, problem.detail)),
        app?.domains?.includes(domain) ? app.baseURL ?? `https://${domain}` : "–", app?.onRoot ?? "–", app?.onUnknown ?? "–",
        html.div({ class: "row-buttons" }, html.a({ href: hash(["overview"], { domain }), "aria-label": say(t.clicksOf, domain) }, texts.clicks.title),
          html.a({ href: `https://${domain}/.well-known/apple-app-site-association`, rel: "noreferrer", target: "_blank", "aria-label": say(t.filesOf, domain) }, t.files)),
      ];
    }), "list cards") : emptyNotice(t.none, t.noneDetail), others && html.p(say(t.others, others))];
  });
}
