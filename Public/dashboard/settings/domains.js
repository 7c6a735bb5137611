// The hosts of all applications, and their certificates.
import { hash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { applications, get } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { time } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";

const t = pageTexts.domains;

/** @type {ShowPage} */
export function show(main, session) {
  const isAdmin = may(session, "admin");
  const list = html.section({ "aria-label": texts.pages.domains });
  const steps = html.details(
    { class: "panel" },
    html.summary(t.add),
    html.ol(t.steps.map((step) => html.li(step))),
  );
  main.append(list, isAdmin ? steps : "", sameByAPI(curl("GET", "/api/v1/domains")));
  load(list, async () => {
    /** @type {[Application[], { domains: Domain[] }]} */
    const [apps, { domains }] = await Promise.all([applications(), get("/api/v1/domains")]);
    const others = apps
      .filter(({ domains }) => !domains?.length)
      .map(({ id }) => id)
      .join(", ");
    return [
      domains.length
        ? table(
            texts.pages.domains,
            [
              texts.fields.domain,
              texts.fields.app,
              t.certificate,
              ...(isAdmin ? [t.leads] : []),
              texts.links.actions,
            ],
            domains.map(({ domain, app: id, certificate, problem }) => {
              const app = apps.find((each) => each.id === id);
              const address = app?.domains?.includes(domain) && app.baseURL;
              return [
                html.div(
                  html.strong(domain),
                  address && html.div({ class: "soft" }, t.address, " ", address),
                ),
                id ? anchor(hash(["applications", id]), app?.name ?? id) : "–",
                html.div(
                  certificate ? [texts.until, " ", time(certificate.until)] : "–",
                  certificate?.renewsAt &&
                    html.div({ class: "soft" }, t.renews, " ", time(certificate.renewsAt)),
                  problem && html.div({ class: "soft problem" }, problem.detail),
                ),
                // Other keys don't learn them.
                ...(isAdmin
                  ? [
                      html.div(
                        { class: "problem" },
                        app?.onRoot && html.div(t.root, " ", app.onRoot),
                        app?.onUnknown && html.div(t.unknown, " ", app.onUnknown),
                        !app?.onRoot && !app?.onUnknown && "–",
                      ),
                    ]
                  : []),
                html.div(
                  { class: "row-buttons" },
                  anchor(hash(["overview"], { domain }), texts.clicks.title, {
                    "aria-label": say(t.clicksOf, domain),
                  }),
                  anchor(`https://${domain}/.well-known/apple-app-site-association`, t.files, {
                    rel: "noreferrer",
                    target: "_blank",
                    "aria-label": say(t.filesOf, domain),
                  }),
                ),
              ];
            }),
            "list cards",
          )
        : emptyNotice(t.none, t.noneDetail),
      others && html.p(say(t.others, others)),
    ];
  });
}
