// What needs attention: clicks that lead nowhere, and what is wrong with webhooks, certificates and
// association files.
import { currentAddress, hash, linkHash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { kindsOf } from "../applications/association-files.js";
import { endpointState, isFailing } from "../settings/webhook-state.js";
import { applications, call, get, withQuery } from "../shared/api.js";
import { anchor, english, html } from "../shared/element.js";
import { pluralText, timeElement } from "../shared/formats.js";
import { nameIn, stateBadge } from "../shared/link-parts.js";
import { formatText, texts } from "../shared/texts.js";

const overviewTexts = texts.overview;
/** Items that are seen without unfolding the others. */
const FEW = 3;
/** A certificate that ends this soon should have been renewed. */
const DAYS = 14;
/** Applications whose files are checked: each check takes the server some milliseconds. */
const APPLICATIONS = 5;
/** How long an answer about association files holds: they change with their application. */
const MINUTES = 5;
/**
 * The last check of association files.
 *
 * @type {{session: Session, at: number, items: Promise<Content[]>} | null}
 */
let lastCheck = null;

/**
 * A notice; nothing where all is well.
 *
 * @param {Session} session
 * @param {Clicks} clicks
 */
export async function needsAttention(session, clicks) {
  // What one key may not ask, or one answer lacks, hides nothing else.
  const [links, ...others] = (
    await Promise.allSettled([
      deadLinks(session, clicks),
      brokenLinks(),
      may(session, "admin") ? failingWebhooks() : [],
      endingCertificates(),
      may(session, "links") ? brokenFiles(session) : [],
    ])
  ).map((result) => (result.status === "fulfilled" ? result.value : []));
  const service = others.flat();
  return (
    (links.length > 0 || service.length > 0) &&
    html.div(
      { class: "notice" },
      html.strong(overviewTexts.attention),
      links.length > 0 && [html.p(overviewTexts.attentionDetail), list(links)],
      service.length > 0 && list(service),
    )
  );
}

/** @param {Content[]} items */
function list(items) {
  const elements = items.map((item) => html.li(item));
  if (items.length <= FEW) return html.ul(elements);
  return [
    html.ul(elements.slice(0, FEW)),
    html.details(
      html.summary(formatText(overviewTexts.more, items.length - FEW)),
      html.ul(elements.slice(FEW)),
    ),
  ];
}

/**
 * Links that had clicks in the period and lead nowhere now, and addresses that people asked for
 * without a link.
 *
 * @param {Session} session
 * @param {Clicks} clicks
 * @returns {Promise<Content[]>}
 */
async function deadLinks(session, { from, to, top }) {
  const app = currentAddress().query.get("app");
  const [expired, exhausted, unknown] = await Promise.all([
    ...["expired", "exhausted"].map((state) =>
      get(withQuery("/api/v1/links", { state, sort: "-clicks", limit: "100", app })),
    ),
    get(withQuery("/api/v1/clicks", { interval: "total", top: "unknown", from, to })),
  ]);
  /** @type {Content[]} */
  const items = [];
  for (const link of /** @type {Link[]} */ ([...expired.links, ...exhausted.links])) {
    const clicked = top.links?.find(
      ({ domain, slug }) => domain === link.domain && slug === link.slug,
    );
    if (!clicked) continue;
    items.push([
      anchor(linkHash(link), link.title ?? link.smartlink),
      " ",
      stateBadge(link.state),
      " ",
      clickCount(clicked.people),
    ]);
  }
  for (const { value, people } of unknown.top.unknown) {
    const creation = hash(["new"], nameIn(value));
    items.push([
      html.span({ class: "destination" }, value),
      " ",
      html.span({ class: "state" }, overviewTexts.unknown),
      " ",
      clickCount(people),
      " ",
      may(session, "links") &&
        anchor(creation, texts.form.submit, {
          "aria-label": formatText(overviewTexts.createOf, value),
        }),
    ]);
  }
  return items;
}

/**
 * How many links the last checks found broken.
 *
 * @returns {Promise<Content[]>}
 */
async function brokenLinks() {
  const verified = "broken";
  const app = currentAddress().query.get("app");
  const { links, total } = await get(
    withQuery("/api/v1/links", { verified, app, limit: "1", count: "true" }),
  );
  if (!links.length) return [];
  return [
    anchor(
      hash(["links"], { verified, app }),
      pluralText(overviewTexts.brokenLinks, total ?? links.length),
    ),
  ];
}

/** @param {number} people */
const clickCount = (people) => pluralText(texts.clicks.number, people);

/** @returns {Promise<Content[]>} */
async function failingWebhooks() {
  /** @type {Webhook[]} */
  const webhooks = (await get("/api/v1/webhooks")).webhooks;
  return webhooks
    .filter(isFailing)
    .map((webhook) => [
      anchor(
        hash(["webhooks", webhook.id]),
        formatText(overviewTexts.webhookOf, webhook.name ?? webhook.url),
      ),
      " ",
      endpointState(webhook),
    ]);
}

/** @returns {Promise<Content[]>} */
async function endingCertificates() {
  /** @type {Domain[]} */
  const domains = (await get("/api/v1/domains")).domains;
  const soon = Date.now() + DAYS * 86_400_000;
  return domains
    .filter(
      ({ certificate, problem }) =>
        problem || (certificate && new Date(certificate.until).getTime() < soon),
    )
    .map(({ domain, certificate, problem }) => [
      anchor(hash(["domains"]), formatText(overviewTexts.certificateOf, domain)),
      " ",
      certificate &&
        html.span({ class: "state wrong" }, texts.until, " ", timeElement(certificate.until)),
      " ",
      problem && english(problem.detail),
    ]);
}

/**
 * Errors of the association files, as a check names them.
 *
 * @param {Session} session
 */
async function brokenFiles(session) {
  const isFresh = lastCheck?.session === session && lastCheck.at > Date.now() - MINUTES * 60_000;
  if (!lastCheck || !isFresh) lastCheck = { session, at: Date.now(), items: checkedFiles() };
  return lastCheck.items;
}

/** @returns {Promise<Content[]>} */
async function checkedFiles() {
  const apps = (await applications()).slice(0, APPLICATIONS);
  const checks = apps.flatMap((app) => kindsOf(app).map((kind) => ({ id: app.id, kind })));
  const reports = await Promise.allSettled(
    checks.map(({ id, kind }) =>
      call("POST", "/api/v1/association/lint", { body: { application: id, kind } }),
    ),
  );
  return reports.flatMap((report, index) => {
    const errors = report.status === "fulfilled" ? report.value.content.errors : 0;
    const { id, kind } = checks[index];
    return errors
      ? [
          [
            anchor(hash(["applications", id]), formatText(overviewTexts.fileOf, kind, id)),
            " ",
            html.span({ class: "state wrong" }, pluralText(overviewTexts.errors, errors)),
          ],
        ]
      : [];
  });
}
