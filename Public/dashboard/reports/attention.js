// What needs attention: clicks that lead nowhere, and what is wrong with webhooks, certificates and
// association files.
import { current, hash, linkHash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { kindsOf } from "../settings/association-files.js";
import { endpointState, isFailing } from "../settings/webhook-state.js";
import { applications, call, get } from "../shared/api.js";
import { anchor, html } from "../shared/element.js";
import { counted, time } from "../shared/formats.js";
import { stateBadge } from "../shared/link-parts.js";
import { say, texts } from "../shared/texts.js";

const t = texts.overview;
/** Items that are seen without unfolding the others. */
const FEW = 3;
/** A certificate that ends this soon should have been renewed. */
const DAYS = 14;
/** Applications whose files are checked: each check takes the server some milliseconds. */
const APPLICATIONS = 5;
/** How long an answer about association files holds: they change with their application. */
const MINUTES = 5;
/** @type {{session: Session, at: number, items: Promise<Content[]>} | null} */
let files = null;

/**
 * @param {Session} session
 * @param {Clicks} clicks
 */
export async function needsAttention(session, clicks) {
  // What one key may not ask, or one answer lacks, hides nothing else.
  const [links, ...others] = (
    await Promise.allSettled([
      deadLinks(session, clicks),
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
      html.strong(t.attention),
      links.length > 0 && [html.p(t.attentionDetail), list(links)],
      service.length > 0 && list(service),
    )
  );
}

/** @param {Content[]} items */
function list(items) {
  const [first, rest] = [items.slice(0, FEW), items.slice(FEW)].map((some) =>
    html.ul(some.map((item) => html.li(item))),
  );
  return [
    first,
    rest.firstChild && html.details(html.summary(say(texts.clicks.all, items.length)), rest),
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
  const app = current().query.get("app");
  const [expired, exhausted, unknown] = await Promise.all([
    ...["expired", "exhausted"].map((state) =>
      get(`/api/v1/links?state=${state}&limit=200${app ? "&app=" + encodeURIComponent(app) : ""}`),
    ),
    get(`/api/v1/clicks?interval=total&top=unknown&from=${from}&to=${to}`),
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
    const [domain, ...slug] = value.split("/");
    const make = hash(["new"], { domain, slug: slug.join("/") });
    items.push([
      html.span({ class: "destination" }, value),
      " ",
      html.span({ class: "state" }, t.unknown),
      " ",
      clickCount(people),
      " ",
      may(session, "links") &&
        anchor(make, texts.form.submit, { "aria-label": say(t.createOf, value) }),
    ]);
  }
  return items;
}

/** @param {number} people */
const clickCount = (people) => counted(texts.clicks.number, people);

/** @returns {Promise<Content[]>} */
async function failingWebhooks() {
  /** @type {Webhook[]} */
  const webhooks = (await get("/api/v1/webhooks")).webhooks;
  return webhooks
    .filter(isFailing)
    .map((one) => [
      anchor(hash(["webhooks", one.id]), say(t.webhookOf, one.name ?? one.url)),
      " ",
      endpointState(one),
    ]);
}

/** @returns {Promise<Content[]>} */
async function endingCertificates() {
  /** @type {Domain[]} */
  const domains = (await get("/api/v1/domains")).domains;
  const soon = Date.now() + DAYS * 86_400_000;
  return domains
    .filter(
      ({ certificate: one, problem }) => problem || (one && new Date(one.until).getTime() < soon),
    )
    .map(({ domain, certificate, problem }) => [
      anchor(hash(["domains"]), say(t.certificateOf, domain)),
      " ",
      certificate && html.span({ class: "state wrong" }, texts.until, " ", time(certificate.until)),
      " ",
      problem?.detail,
    ]);
}

/**
 * Errors of the association files, as a check names them.
 *
 * @param {Session} session
 */
async function brokenFiles(session) {
  const isFresh = files?.session === session && files.at > Date.now() - MINUTES * 60_000;
  if (!files || !isFresh) files = { session, at: Date.now(), items: checkedFiles() };
  return files.items;
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
  return reports.flatMap((report, place) => {
    const errors = report.status === "fulfilled" ? report.value.content.errors : 0;
    const { id, kind } = checks[place];
    return errors
      ? [
          [
            anchor(hash(["applications", id]), say(t.fileOf, kind, id)),
            " ",
            html.span({ class: "state wrong" }, counted(t.errors, errors)),
          ],
        ]
      : [];
  });
}
