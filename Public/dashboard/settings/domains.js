// The hosts of all applications, and their certificates.
import { hash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { applications, get } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { associationStates } from "./association-fetches.js";

const domainTexts = pageTexts.domains;

/** @type {ShowPage} */
export function show(main, session) {
  const isAdmin = may(session, "admin");
  const list = html.section({ "aria-label": texts.pages.domains });
  const steps = html.details(
    { class: "panel" },
    html.summary(domainTexts.add),
    html.ol(domainTexts.steps.map((step) => html.li(step))),
  );
  main.append(list, isAdmin ? steps : "", sameByAPI(curl("GET", "/api/v1/domains")));
  load(list, async () => {
    /** @type {[Application[], { domains: Domain[] }]} */
    const [apps, { domains }] = await Promise.all([applications(), get("/api/v1/domains")]);
    const others = apps
      .filter((app) => !app.domains?.length)
      .map(({ id }) => id)
      .join(", ");
    return [
      domains.length
        ? table(
            html.span({ class: "unseen" }, texts.pages.domains),
            [
              texts.fields.domain,
              texts.fields.app,
              domainTexts.certificate,
              pageTexts.files.title,
              ...(isAdmin ? [domainTexts.leads] : []),
              texts.links.actions,
            ],
            domains.map((domain) => cells(domain, apps, isAdmin)),
            "list cards",
          )
        : emptyNotice(domainTexts.none, domainTexts.noneDetail),
      others && html.p(formatText(domainTexts.others, others)),
    ];
  });
}

/**
 * How long the certificate of a domain is valid, and why it was not renewed.
 *
 * @param {Domain | undefined} domain
 */
export function certificateOf(domain) {
  const { certificate, problem } = domain ?? {};
  return html.div(
    certificate ? [texts.until, " ", timeElement(certificate.until)] : "–",
    certificate?.renewsAt &&
      html.div({ class: "soft" }, domainTexts.renews, " ", timeElement(certificate.renewsAt)),
    problem && html.div({ class: "soft problem", lang: "en" }, problem.detail),
  );
}

/**
 * @param {Domain} domain
 * @param {Application[]} apps
 * @param {boolean} isAdmin
 */
function cells(domain, apps, isAdmin) {
  const { domain: host, app: id } = domain;
  const app = apps.find((candidate) => candidate.id === id);
  const address = app?.domains?.includes(host) && app.baseURL;
  // Other keys don't learn them.
  const redirects = html.div(
    { class: "problem" },
    app?.onRoot && html.div(domainTexts.root, " ", app.onRoot),
    app?.onUnknown && html.div(domainTexts.unknown, " ", app.onUnknown),
    !app?.onRoot && !app?.onUnknown && "–",
  );
  return [
    html.div(
      html.strong(host),
      address && html.div({ class: "soft" }, domainTexts.address, " ", address),
    ),
    id ? anchor(hash(["applications", id]), app?.name ?? id) : "–",
    certificateOf(domain),
    associationStates(domain.association),
    ...(isAdmin ? [redirects] : []),
    html.div(
      { class: "chips" },
      anchor(hash(["overview"], { domain: host }), texts.clicks.title, {
        "aria-label": formatText(domainTexts.clicksOf, host),
      }),
      anchor(`https://${host}/.well-known/apple-app-site-association`, domainTexts.files, {
        rel: "noreferrer",
        target: "_blank",
        "aria-label": formatText(domainTexts.filesOf, host),
      }),
    ),
  ];
}
