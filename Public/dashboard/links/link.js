// One link: its address, its state, its QR code, who goes where, and its clicks.
import { currentAddress, go, hash, linkHash } from "../frame/address.js";
import { setPageShortcuts } from "../frame/keyboard.js";
import { may } from "../frame/session.js";
import { dates } from "../reports/period.js";
import { reportKeys, reportTarget, showReport } from "../reports/report.js";
import { announce } from "../shared/announcement.js";
import { call, get, withQuery } from "../shared/api.js";
import { copy, copyButton } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { openDialog } from "../shared/dialog.js";
import { anchor, button, facts, find, html, table } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { formatCount, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import {
  address,
  addressButton,
  cardPreview,
  linkPath,
  managerFacts,
  PLATFORMS,
  stateBadge,
} from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { deleteLink } from "./deletion.js";
import { showExplain } from "./explain.js";
import { copyHash } from "./form/body.js";
import { codeSection } from "./qr-code.js";
import { showResults } from "./results/results.js";
import { rulesTable } from "./rules.js";
import { verifiedSection } from "./verified.js";

const linkTexts = pageTexts.link;

/**
 * The link that each head shows.
 *
 * @type {WeakMap<Element, Stored>}
 */
const shown = new WeakMap();
/**
 * Reloads the results of its rules, for each head.
 *
 * @type {WeakMap<Element, () => void>}
 */
const shownResults = new WeakMap();

/** @type {ShowPage} */
export function show(main, session, [domain, slug]) {
  const name = { domain, slug };
  const clicks = find("[data-stays]");
  const shownHead = find("#link-head");
  if (clicks && shownHead) {
    // Only period or breakdown have changed.
    clicks.replaceWith(clicksSection(name));
    shownResults.get(shownHead)?.();
    setPageShortcuts(shortcuts(session, name, shownHead));
    return;
  }
  const head = html.section({ id: "link-head", "aria-label": linkTexts.about });
  const results = html.section({ "aria-labelledby": "results-title", hidden: true });
  main.append(head, results);
  /** @returns {Promise<void>} */
  const reload = () =>
    load(head, async () => {
      const { content, etag } = await call("GET", linkPath(name));
      if (!head.isConnected) return null;
      const stored = { link: content, etag };
      shown.set(head, stored);
      if (!find("[data-stays]")) {
        main.append(clicksSection(name), ...belowClicks(session, head, reload));
      }
      setPageShortcuts(shortcuts(session, name, head));
      const showRules = () => showResults(results, session, stored, reload);
      shownResults.set(head, showRules);
      showRules();
      return linkHead(session, stored, reload);
    });
  reload().then(() => {
    if (currentAddress().query.get("show") === "code") find("details.code summary")?.focus();
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

/**
 * @param {Session} session
 * @param {HTMLElement} head  has shown the link
 * @param {() => Promise<void>} reload  shows the head again
 */
function belowClicks(session, head, reload) {
  const stored = () => /** @type {Stored} */ (shown.get(head));
  const { link } = stored();
  const explain = html.section({ "aria-labelledby": "explain-title" });
  const showThen = showExplain(explain, link);
  /**
   * @param {string} title
   * @param {() => Promise<Content>} work
   */
  const fold = (title, work) => {
    const container = html.div();
    const show = () => load(container, work);
    const details = html.details(
      {
        toggle: () => {
          if (details.open) show();
        },
      },
      html.summary(title),
      container,
    );
    return { details, show };
  };
  const history = fold(linkTexts.history, async () => {
    const { timeLine } = await import("./history.js");
    const changed = async () => {
      await reload();
      await history.show();
      showThen(null);
      history.details.querySelector("summary")?.focus();
    };
    return timeLine(session, stored(), changed, showThen);
  });
  return [
    explain,
    fold(linkTexts.app, () => activityOf(link)).details,
    history.details,
    sameByAPI(
      curl("GET", linkPath(link)),
      curl("GET", reportTarget(`${link.domain}/${link.slug}`)),
      curl("POST", "/api/v1/explain", { url: link.smartlink }),
    ),
  ];
}

/**
 * The address of a link, what can be done with it, and what it has.
 *
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
      announce(content.disabled ? linkTexts.disabled : linkTexts.enabled);
      await reload();
      if (document.activeElement === document.body) find("#toggle")?.focus();
    } catch (error) {
      outcome.replaceChildren(problemNotice(error, reload));
    }
  };
  const h1 = find("h1");
  const title = link.title ?? link.slug;
  if (h1) h1.textContent = title;
  document.title = `${title} – Waymark`;
  return [
    html.p({ class: "big" }, addressButton(link), " ", stateBadge(link.state)),
    html.div(
      { class: "buttons" },
      copyButton(link.smartlink),
      html.a(
        { class: "button quiet", href: link.smartlink, target: "_blank", rel: "noreferrer" },
        linkTexts.open,
      ),
      writes && html.a({ class: "button quiet", href: linkHash(link, "edit") }, texts.edit),
      writes && anchor(copyHash(link), linkTexts.duplicate, { class: "button quiet" }),
      writes &&
        button(link.disabled ? linkTexts.enable : linkTexts.disable, toggle, { id: "toggle" }),
      writes && button(linkTexts.rename, () => rename(link, etag)),
      writes &&
        button(texts.delete, () => deleteLink(link, () => go(hash(["links"]))), {
          class: "quiet apart",
        }),
    ),
    outcome,
    html.div({ class: "columns" }, linkFacts(link), codeSection(link)),
    link.state === "active" && verifiedSection(session, link),
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
  const { total, series } = await get(withQuery(linkPath(link) + "/events", { from, to }));
  const names = Object.keys(pageTexts.activity);
  const days = series.filter((/** @type {Record<string, number>} */ day) =>
    names.some((name) => day[name]),
  );
  return [
    facts(
      "totals",
      names.map((name) => [pageTexts.activity[name], formatCount(total[name])]),
    ),
    html.p({ class: "soft" }, linkTexts.activityHint),
    days.length
      ? table(
          linkTexts.app,
          [texts.units.day, ...names.map((name) => pageTexts.activity[name])],
          days.map((/** @type {any} */ day) => [
            timeElement(day.start),
            ...names.map((name) => formatCount(day[name])),
          ]),
          "plain numbers cards",
        )
      : linkTexts.noActivity,
  ];
}

/**
 * @param {Link} link
 * @param {string | null} etag
 */
function rename(link, etag) {
  const dialog = openDialog(
    linkTexts.rename,
    html.p(linkTexts.renameDetail),
    sendForm(
      linkTexts.rename,
      async ({ slug }) => {
        const { content } = await call("POST", linkPath(link) + ":rename", {
          body: { slug },
          etag,
        });
        dialog.close();
        go(linkHash(content));
      },
      field(linkTexts.newSlug, input("slug", link.slug, { maxlength: 128 })),
    ),
  );
}

/**
 * What a link has; what it does not have is left out.
 *
 * @param {Link} link
 */
function linkFacts(link) {
  const { clicks, maxClicks, redeem } = link;
  const hasCard = Object.values(link.social ?? {}).some(Boolean);
  const tags = link.tags.map((tag) =>
    html.a({ class: "tag", href: hash(["links"], { tag }) }, tag),
  );
  const queryParameters = Object.entries(link.queryParameters ?? {}).map(([name, value]) =>
    html.div(html.code(`${name}=${value}`)),
  );
  const campaign = given(link.campaign).map(([name, value]) => `${name}: ${value}`);
  const versions = given(link.minimumVersion).map(
    ([platform, version]) => `${texts.platforms[platform]} ${version}`,
  );
  /** @type {Content[][]} */
  const rows = [
    [texts.fields.app, anchor(hash(["applications", link.app]), link.app)],
    ...PLATFORMS.map((platform) => [texts.platforms[platform], address(link.urls[platform])]),
    [texts.fields.route, link.route],
    ...Object.entries(link.routeParameters).map(([name, value]) => [`:${name}`, value]),
    [linkTexts.queryParameters, queryParameters.length > 0 && queryParameters],
    [linkTexts.forwardQuery, link.forwardQuery ? linkTexts.forwardsQuery : linkTexts.dropsQuery],
    [linkTexts.minimumVersion, versions.join(", ")],
    [linkTexts.aliases, link.aliases?.join(", ")],
    [texts.fields.folder, link.folder],
    ...managerFacts(link.managedBy, linkTexts),
    [texts.fields.note, link.note && html.span({ class: "lines" }, link.note)],
    [texts.fields.tags, tags.length > 0 && tags],
    [pageTexts.form.campaign, campaign.join(", ")],
    [pageTexts.form.card, hasCard && cardPreview(link.social ?? {}, link.domain, link.app)],
    [texts.links.clicks, countOf(clicks, maxClicks)],
    [linkTexts.importedClicks, link.importedClicks && formatCount(link.importedClicks)],
    [pageTexts.form.password, link.hasPassword && linkTexts.hasPassword],
    [linkTexts.redeems, link.hasMetadata && countOf(redeem.used, redeem.limit)],
    [texts.fields.validFrom, link.validFrom && timeElement(link.validFrom)],
    [texts.fields.expiresAt, link.expiresAt && timeElement(link.expiresAt)],
    [texts.links.created, timeElement(link.createdAt)],
    [linkTexts.updated, timeElement(link.updatedAt)],
  ];
  return facts(
    "facts",
    rows.filter(([, value]) => value),
  );
}

/**
 * The members that have a value.
 *
 * @param {Record<string, string | null> | null} [object]
 */
const given = (object) => Object.entries(object ?? {}).filter(([, value]) => value);

/**
 * @param {number} number
 * @param {number | null} maximum
 */
const countOf = (number, maximum) =>
  maximum
    ? formatText(linkTexts.ofMaximum, formatCount(number), formatCount(maximum))
    : formatCount(number);

/**
 * @param {Session} session
 * @param {Name} name
 * @param {HTMLElement} head  has shown the link
 */
function shortcuts(session, name, head) {
  const shortcutTexts = pageTexts.keyboard;
  const writes = may(session, "links");
  const link = () => /** @type {Stored} */ (shown.get(head)).link;
  return [
    { key: "y", text: shortcutTexts.copy, run: () => copy(link().smartlink) },
    {
      key: "q",
      text: shortcutTexts.code,
      run: () => {
        find("details.code")?.setAttribute("open", "");
        find("details.code summary")?.focus();
      },
    },
    ...(writes
      ? [
          { key: "e", text: shortcutTexts.edit, run: () => go(linkHash(name, "edit")) },
          { key: "o", text: shortcutTexts.toggle, run: () => find("#toggle")?.click() },
          {
            key: "#",
            text: shortcutTexts.delete,
            run: () => deleteLink(link(), () => go(hash(["links"]))),
          },
        ]
      : []),
    ...reportKeys(),
  ];
}
