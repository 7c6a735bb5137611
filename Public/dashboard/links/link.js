// One link: its address, its state, its QR code, who goes where, and its clicks.
import { current, go, hash, linkHash } from "../frame/address.js";
import { setScreenKeys } from "../frame/keyboard.js";
import { keyName, may } from "../frame/session.js";
import { dates } from "../reports/period.js";
import { reportKeys, reportTarget, showReport } from "../reports/report.js";
import { announce } from "../shared/announcement.js";
import { call, get, query } from "../shared/api.js";
import { copy, copyButton } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { openDialog } from "../shared/dialog.js";
import { anchor, button, facts, find, html, table } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { count, time } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import {
  address,
  addressButton,
  cardPreview,
  linkPath,
  PLATFORMS,
  stateBadge,
} from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load, problemNotice } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { showExplain } from "./explain.js";
import { deleteLink } from "./list.js";
import { codeSection } from "./qr-code.js";
import { rulesTable } from "./rules.js";

const t = pageTexts.link;

/** @type {Stored | null} */
let loaded = null;

/** @type {ShowPage} */
export function show(main, session, [domain, slug]) {
  const name = { domain, slug };
  const clicks = find("[data-stays]");
  if (clicks) {
    // Only period or breakdown have changed.
    clicks.replaceWith(clicksSection(name));
    setScreenKeys(shortcuts(session, name));
    return;
  }
  const head = html.section({ "aria-label": t.about });
  main.append(head);
  const reload = () =>
    load(head, async () => {
      const { content, etag } = await call("GET", linkPath(name));
      if (!head.isConnected) return null;
      loaded = { link: content, etag };
      if (!find("[data-stays]")) main.append(clicksSection(name), ...belowClicks(content));
      setScreenKeys(shortcuts(session, name));
      return linkHead(session, loaded, reload);
    });
  reload().then(() => {
    if (current().query.get("show") === "code") find("details.code summary")?.focus();
  });
}

/** @param {Name} name */
function clicksSection(name) {
  const section = html.section({ "data-stays": true, "aria-labelledby": "clicks-title" });
  showReport(section, {
    link: `${name.domain}/${name.slug}`,
    title: html.h2({ id: "clicks-title" }, texts.clicks.title),
    empty: () => emptyNotice(texts.clicks.none, texts.clicks.noneDetail),
  });
  return section;
}

/** @param {Link} link */
function belowClicks(link) {
  const explain = html.section({ "aria-labelledby": "explain-title" });
  showExplain(explain, link);
  const fold = (title = "", /** @type {(link: Link) => Promise<Content>} */ work) => {
    const place = html.div();
    const made = html.details(
      {
        toggle: () => {
          if (made.open) load(place, () => work(link));
        },
      },
      html.summary(title),
      place,
    );
    return made;
  };
  return [
    explain,
    fold(t.app, activityOf),
    fold(t.history, changesOf),
    sameByAPI(
      curl("GET", linkPath(link)),
      curl("GET", reportTarget(`${link.domain}/${link.slug}`)),
      curl("POST", "/api/v1/explain", { url: link.smartlink }),
    ),
  ];
}

/**
 * @param {Session} session
 * @param {Stored} stored
 * @param {() => Promise<void>} reload
 */
function linkHead(session, { link, etag }, reload) {
  const outcome = html.div();
  const writes = may(session, "links");
  const toggle = async () => {
    try {
      const { content } = await call("PATCH", linkPath(link), {
        body: { disabled: !link.disabled },
        etag,
      });
      announce(content.disabled ? t.disabled : t.enabled);
      await reload();
      if (document.activeElement === document.body) find("#toggle")?.focus();
    } catch (error) {
      outcome.replaceChildren(problemNotice(error, reload));
    }
  };
  const h1 = find("h1");
  if (h1) h1.textContent = link.title ?? link.slug;
  return [
    html.p({ class: "big" }, addressButton(link), " ", stateBadge(link.state)),
    html.div(
      { class: "buttons" },
      copyButton(link.smartlink),
      html.a(
        { class: "button quiet", href: link.smartlink, target: "_blank", rel: "noreferrer" },
        t.open,
      ),
      writes && html.a({ class: "button quiet", href: linkHash(link, "edit") }, texts.edit),
      writes && button(link.disabled ? t.enable : t.disable, toggle, { id: "toggle" }),
      writes && button(t.rename, () => rename(link, etag)),
      writes &&
        button(texts.delete, () => deleteLink(link, () => go(hash(["links"]))), {
          class: "quiet apart",
        }),
    ),
    outcome,
    html.div({ class: "columns" }, linkFacts(link), codeSection(link)),
    link.rules?.length && [html.h2(pageTexts.rules.title), rulesTable(link.rules)],
  ];
}

/**
 * What apps did with the link in the period.
 *
 * @param {Link} link
 */
async function activityOf(link) {
  const { from, to } = dates();
  const { total, series } = await get(query(linkPath(link) + "/events", { from, to }));
  const names = Object.keys(texts.activity);
  const days = series.filter((/** @type {Record<string, number>} */ day) =>
    names.some((name) => day[name]),
  );
  return [
    facts(
      "totals",
      names.map((name) => [texts.activity[name], count(total[name])]),
    ),
    html.p({ class: "soft" }, t.activityHint),
    days.length
      ? table(
          t.app,
          [texts.units.day, ...names.map((name) => texts.activity[name])],
          days.map((/** @type {any} */ day) => [
            time(day.start),
            ...names.map((name) => count(day[name])),
          ]),
          "plain numbers cards",
        )
      : t.noActivity,
  ];
}

/** @param {Link} link */
async function changesOf(link) {
  /** @type {{at: string, by: {id: string, name: string} | null, fields: string[]}[]} */
  const changes = (await get(linkPath(link) + "/history")).changes;
  return changes.length
    ? table(
        t.history,
        [t.updated, t.who, t.changed],
        changes.map(({ at, by, fields }) => [
          time(at),
          by ? keyName(by.name) : "–",
          fields.join(", ") || t.createdEntry,
        ]),
        "cards",
      )
    : t.noHistory;
}

/**
 * @param {Link} link
 * @param {string | null} etag
 */
function rename(link, etag) {
  const dialog = openDialog(
    t.rename,
    html.p(t.renameDetail),
    sendForm(
      t.rename,
      async ({ slug }) => {
        const { content } = await call("POST", linkPath(link) + ":rename", {
          body: { slug },
          etag,
        });
        dialog.close();
        go(linkHash(content));
      },
      field(t.newSlug, input("slug", link.slug, { maxlength: 128 })),
    ),
  );
}

/** @param {Link} link */
function linkFacts(link) {
  /** @type {Content[][]} */
  const rows = [
    [texts.fields.app, anchor(hash(["applications", link.app]), link.app)],
    ...PLATFORMS.filter((platform) => link.urls[platform]).map(
      (platform) =>
        /** @type {[string, string]} */ ([texts.platforms[platform], address(link.urls[platform])]),
    ),
  ];
  if (link.route) rows.push([texts.fields.route, link.route]);
  for (const [name, value] of Object.entries(link.routeParameters)) rows.push([`:${name}`, value]);
  const parameters = Object.entries(link.queryParameters ?? {});
  if (parameters.length) {
    rows.push([
      t.queryParameters,
      parameters.map(([name, value]) => html.div(html.code(`${name}=${value}`))),
    ]);
  }
  rows.push([t.forwardQuery, link.forwardQuery ? t.forwardsQuery : t.dropsQuery]);
  const versions = Object.entries(link.minimumVersion ?? {}).filter(([, version]) => version);
  if (versions.length) {
    rows.push([
      t.minimumVersion,
      versions.map(([platform, version]) => `${texts.platforms[platform]} ${version}`).join(", "),
    ]);
  }
  if (link.aliases?.length) rows.push([t.aliases, link.aliases.join(", ")]);
  if (link.note) rows.push([texts.fields.note, html.span({ class: "lines" }, link.note)]);
  if (link.tags.length)
    rows.push([
      texts.fields.tags,
      link.tags.map((tag) => html.a({ class: "tag", href: hash(["links"], { tag }) }, tag)),
    ]);
  const campaign = Object.entries(link.campaign ?? {})
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
  if (campaign) rows.push([pageTexts.form.campaign, campaign]);
  if (Object.values(link.social ?? {}).some(Boolean))
    rows.push([pageTexts.form.card, cardPreview(link.social ?? {}, link.domain, link.app)]);
  rows.push([
    texts.links.clicks,
    link.maxClicks
      ? say(t.ofMaximum, count(link.clicks), count(link.maxClicks))
      : count(link.clicks),
  ]);
  if (link.importedClicks) rows.push([t.importedClicks, count(link.importedClicks)]);
  if (link.hasMetadata)
    rows.push([
      t.redeems,
      link.redeem.limit
        ? say(t.ofMaximum, count(link.redeem.used), count(link.redeem.limit))
        : count(link.redeem.used),
    ]);
  if (link.validFrom) rows.push([texts.fields.validFrom, time(link.validFrom)]);
  if (link.expiresAt) rows.push([texts.fields.expiresAt, time(link.expiresAt)]);
  rows.push([texts.links.created, time(link.createdAt)], [t.updated, time(link.updatedAt)]);
  return facts("facts", rows);
}

/**
 * @param {Session} session
 * @param {Name} name
 */
function shortcuts(session, name) {
  const k = texts.keyboard;
  const writes = may(session, "links");
  const now = () => /** @type {Stored} */ (loaded);
  return [
    { key: "y", text: k.copy, run: () => copy(now().link.smartlink) },
    {
      key: "q",
      text: k.code,
      run: () => {
        find("details.code summary")?.click();
        find("details.code summary")?.focus();
      },
    },
    ...(writes
      ? [
          { key: "e", text: k.edit, run: () => go(linkHash(name, "edit")) },
          { key: "o", text: k.toggle, run: () => find("#toggle")?.click() },
          {
            key: "#",
            text: k.delete,
            run: () => deleteLink(now().link, () => go(hash(["links"]))),
          },
        ]
      : []),
    ...reportKeys(),
  ];
}
