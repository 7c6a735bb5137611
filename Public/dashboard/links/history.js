// The versions of a link as a time line: who changed what, with the values before and after, and
// ways back to a version.
import { go, hash, linkHash } from "../frame/address.js";
import { keyName, may } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { call, get, withQuery } from "../shared/api.js";
import { changedValues } from "../shared/changed-values.js";
import { openDialog } from "../shared/dialog.js";
import { anchor, button, html } from "../shared/element.js";
import { formatList, formatMoment, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { address, linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { conditions, destinations } from "./rules.js";

const historyTexts = pageTexts.history;
const linkTexts = pageTexts.link;
/** Never part of a version's values, and never restored. */
const SECRETS = ["metadata", "password"];
/** @type {Record<string, string>} */
const NAMES = {
  ...texts.fields,
  urls: pageTexts.list.destination,
  rules: pageTexts.rules.title,
  campaign: pageTexts.form.campaign,
  social: pageTexts.form.card,
  metadata: pageTexts.form.payload,
  password: pageTexts.form.password,
  queryParameters: linkTexts.queryParameters,
  forwardQuery: linkTexts.forwardQuery,
  minimumVersion: linkTexts.minimumVersion,
  aliases: linkTexts.aliases,
  disabled: texts.states.disabled,
};
const NAMING = { name: fieldName, value: shownValue };

/**
 * @param {Session} session
 * @param {Stored} stored
 * @param {() => Promise<void>} changed  called after a version was restored
 * @param {(at: string) => void} showThen  shows who went where at a moment
 * @returns {Promise<Content>}
 */
export async function timeLine(session, stored, changed, showThen) {
  const target = linkPath(stored.link) + "/history";
  /** @type {LinkHistory} */
  const first = await get(target);
  if (!first.changes.length && !first.cursor) return linkTexts.noHistory;
  /** @type {LinkChange[]} */
  const changes = [];
  const list = html.ol({ class: "time-line" });
  const more = html.div();
  /** @param {LinkHistory} part */
  const add = (part) => {
    changes.push(...part.changes);
    list.append(
      ...part.changes.map((change) => entry(session, stored, change, changes, changed, showThen)),
    );
    more.replaceChildren();
    const { cursor } = part;
    if (!cursor) return;
    const older = button(historyTexts.older, () =>
      load(more, async () => {
        add(await get(withQuery(target, { cursor })));
        return [...more.childNodes].filter((node) => node instanceof HTMLButtonElement);
      }),
    );
    more.replaceChildren(older);
  };
  add(first);
  return [
    list,
    more,
    may(session, "admin") &&
      html.p(anchor(hash(["audit"], { action: "link.*" }), linkTexts.inAudit)),
  ];
}

/**
 * @param {Session} session
 * @param {Stored} stored
 * @param {LinkChange} change
 * @param {LinkChange[]} changes  all that are shown, newest first
 * @param {() => Promise<void>} changed
 * @param {(at: string) => void} showThen
 */
function entry(session, stored, change, changes, changed, showThen) {
  const { version, at, by, fields, before, after } = change;
  const isCreation = !fields.length;
  const isStored = Boolean(before ?? after);
  const isNewest = change === changes[0];
  const hidden = SECRETS.filter((name) => fields.includes(name));
  const label = formatText(historyTexts.version, version);
  return html.li(
    html.div(
      { class: "entry-head" },
      html.strong(label),
      isNewest && html.span({ class: "state active" }, historyTexts.now),
      timeElement(at),
      html.span({ class: "soft" }, by ? keyName(by.name) : "–"),
      isCreation && html.span({ class: "soft" }, linkTexts.createdEntry),
    ),
    isStored
      ? changedValues(isCreation ? null : (before ?? {}), after ?? {}, NAMING)
      : html.p(
          !isCreation && [formatList(fields.map(fieldName)), ". "],
          html.span({ class: "soft" }, historyTexts.notStored),
        ),
    hidden.length > 0 &&
      isStored &&
      html.p(
        { class: "soft" },
        formatText(historyTexts.secret, formatList(hidden.map(fieldName))),
      ),
    html.div(
      { class: "buttons" },
      isStored &&
        button(historyTexts.then, () => showThen(at), {
          class: "quiet small",
          "aria-label": formatText(texts.labelled, label, historyTexts.then),
        }),
      !isNewest &&
        isStored &&
        may(session, "links") &&
        button(
          historyTexts.restore,
          () => restore(stored, change, changes, changed),
          {
            class: "quiet small",
            "aria-label": formatText(texts.labelled, label, historyTexts.restore),
          },
        ),
    ),
  );
}

/**
 * Asks, with what will change, and restores.
 *
 * @param {Stored} stored
 * @param {LinkChange} change
 * @param {LinkChange[]} changes
 * @param {() => Promise<void>} changed
 */
function restore({ link, etag }, { version, at }, changes, changed) {
  const difference = differenceTo(version, changes);
  const title = formatText(historyTexts.restoreOf, version);
  const dialog = openDialog(
    title,
    html.p(formatText(historyTexts.restoreDetail, formatMoment(at))),
    difference
      ? (changedValues(difference.now, difference.then, NAMING) ?? html.p(historyTexts.same))
      : html.p({ class: "soft" }, historyTexts.noPreview),
    sendForm(historyTexts.restore, async () => {
      const { content } = await call("POST", linkPath(link) + ":restore", {
        body: { version },
        etag,
      });
      dialog.close();
      announce(formatText(historyTexts.restored, version));
      if (content.slug === link.slug) await changed();
      else go(linkHash(content));
    }),
    button(texts.cancel, () => dialog.close(), { autofocus: true }),
  );
}

/**
 * What restoring a version changes: the newest value of each field that changed since, and the one
 * before its first change. Null where values of a change in between are not stored.
 *
 * @param {number} version
 * @param {LinkChange[]} changes  newest first
 */
export function differenceTo(version, changes) {
  /** @type {Record<string, unknown>} */
  const now = {};
  /** @type {Record<string, unknown>} */
  const then = {};
  for (const { version: later, fields, before, after } of changes) {
    if (later <= version) break;
    if (!(before ?? after)) return null;
    for (const field of fields) {
      if (SECRETS.includes(field)) continue;
      if (!(field in now)) now[field] = after?.[field];
      then[field] = before?.[field];
    }
  }
  return { now, then };
}

/** @param {string} field */
function fieldName(field) {
  return NAMES[field] ?? field;
}

/**
 * A value of a link in words.
 *
 * @param {string} field
 * @param {any} value
 * @returns {Content}
 */
function shownValue(field, value) {
  if (value === undefined || value === null || value === "") return "–";
  if (typeof value === "boolean") return value ? historyTexts.yes : historyTexts.no;
  if (field === "validFrom" || field === "expiresAt") return timeElement(value);
  if (field === "rules" && Array.isArray(value)) {
    return value.length ? value.map((rule, index) => ruleText(rule, index)) : "–";
  }
  if (Array.isArray(value)) return value.length ? formatList(value.map(String)) : "–";
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  if (!members.length) return "–";
  return members.map(([name, member]) =>
    html.div(formatText(texts.labelled, texts.platforms[name] ?? name, memberText(member))),
  );
}

/** @param {any} member */
function memberText(member) {
  if (typeof member !== "object") return String(member);
  return member.fallback
    ? formatText(pageTexts.form.orElse, address(member), member.fallback)
    : address(member) || JSON.stringify(member);
}

/**
 * @param {Rule} rule
 * @param {number} index
 */
const ruleText = ({ name, when, to }, index) =>
  html.div(
    { class: "rule" },
    html.div(html.strong(name ?? formatText(pageTexts.rules.numbered, index + 1))),
    html.div(conditions(when ?? {})),
    html.div("→ ", destinations(to)),
  );
