// Creates a link, or edits one. An edit sends only what was changed.
import { currentAddress, go, hash, linkHash, withScheme } from "../frame/address.js";
import { may } from "../frame/session.js";
import { setting } from "../shared/setting.js";
import { announce } from "../shared/announcement.js";
import { applications as allApplications, call, Problem } from "../shared/api.js";
import { copyButton } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, find, html } from "../shared/element.js";
import { field, input, values } from "../shared/fields.js";
import { areMissing, clearErrors, withShownErrors } from "../shared/forms.js";
import { linkPath, nameIn } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, fill, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { bodyOf, furtherMembers, manyHash, patchOf, rulesIn, valuesOf } from "./form/body.js";
import { draftOf, dropDraft, keepDraft } from "./form/draft.js";
import { inWordsOfLink } from "./form/errors.js";
import {
  addressFields,
  applicationField,
  campaignFields,
  limitFields,
  payloadFields,
  platformFields,
  routeFields,
  socialFields,
} from "./form/fields.js";
import { formPreview } from "./form/preview.js";
import { showMany } from "./form/many.js";
import { namesAreRight, rulesFields } from "./form/rules-editor.js";
import { slugCheck } from "./form/slug-check.js";
import "./styles.js";

const formTexts = pageTexts.form;
const manyTexts = pageTexts.many;
/** The setting of the application that was chosen last. */
const LAST = "waymark-application";
/** 412 Precondition Failed: the link has another entity tag by now. */
const CHANGED = 412;

/**
 * What the form is about.
 *
 * @typedef {object} Subject
 * @property {Session} session
 * @property {Application[]} applications
 * @property {Stored | null} stored  the link to edit; none for a new one
 * @property {Link | null} source  the link that a new one is a copy of
 * @property {Values | null} draft  what was typed before, and is shown instead
 */

/** @type {ShowPage} */
export function show(main, session, [domain, slug]) {
  const isNew = !domain && may(session, "links");
  if (isNew && currentAddress().query.get("many")) return showMany(main, session);
  if (isNew) {
    main.firstElementChild?.append(anchor(manyHash(), manyTexts.open, { class: "button quiet" }));
  }
  const section = html.section({ "aria-label": texts.form.destination });
  main.append(section);
  load(section, async () => {
    const copied = domain ? null : currentAddress().query.get("copy");
    const name = copied ? nameIn(copied) : { domain, slug };
    const [applications, answer] = await Promise.all([
      allApplications(),
      name.domain ? call("GET", linkPath(name)) : null,
    ]);
    const stored = answer && !copied ? { link: answer.content, etag: answer.etag } : null;
    const source = answer && copied ? answer.content : null;
    /** @type {Subject} */
    const subject = { session, applications, stored, source, draft: null };
    return applications.length || stored
      ? withDraft(section, subject)
      : emptyNotice(
          formTexts.noApplication,
          formTexts.noApplicationDetail,
          anchor(hash(["applications"]), texts.pages.applications, { class: "button" }),
        );
  });
  return undefined;
}

/**
 * The name of the form's draft. That of a version which somebody has changed since would undo what
 * they did.
 *
 * @param {Subject} subject
 */
function draftName({ stored, source }) {
  if (source) return `copy of ${source.domain}/${source.slug}`;
  return stored ? `${stored.link.domain}/${stored.link.slug} ${stored.etag}` : "new";
}

/**
 * The form, and above it the offer to go on with what was typed before.
 *
 * @param {HTMLElement} section
 * @param {Subject} subject
 */
function withDraft(section, subject) {
  const draft = draftOf(draftName(subject), subject.session);
  const content = editor(subject);
  if (!draft) return content;
  const offer = html.div(
    { class: "notice", role: "status" },
    html.strong(subject.stored ? formTexts.draftOfEdit : formTexts.draft),
    html.p([draft["urls.web"] || draft.slug || draft.title, " "], formTexts.draftDetail),
    html.div(
      { class: "buttons" },
      button(formTexts.goOnWithDraft, () => fill(section, editor({ ...subject, draft }))),
      button(formTexts.dropDraft, () => {
        dropDraft(draftName(subject));
        offer.remove();
        find('[name="urls.web"]')?.focus();
      }),
    ),
  );
  return [offer, content];
}

/**
 * What a new link begins with: what the address names, in the application that has the domain or
 * was chosen last.
 *
 * @param {Application[]} applications
 * @param {Link | null} source
 * @returns {Values}
 */
function beginning(applications, source) {
  const [slug, domain] = ["slug", "domain"].map((name) => currentAddress().query.get(name) ?? "");
  if (source) return { ...valuesOf(source), slug, domain: source.domain };
  const application =
    applications.find(({ domains }) => domains?.includes(domain)) ??
    applications.find(({ id }) => id === setting(LAST)) ??
    applications[0];
  return { app: application?.id ?? "", slug, domain };
}

/** @param {Subject} subject */
function editor(subject) {
  const { session, applications, source, draft } = subject;
  let { stored } = subject;
  const original = stored ? valuesOf(stored.link) : beginning(applications, source);
  const first = { ...original, ...draft };
  const before = bodyOf(original);
  const outcome = html.div();
  const command = html.div();
  // What depends on the application.
  const names = html.div();
  const route = html.div();
  const destination = input("urls.web", first["urls.web"], {
    type: "url",
    inputmode: "url",
    placeholder: "https://www.example.com/",
  });
  const submit = html.button(stored ? texts.save : texts.form.submit);
  const check = slugCheck((slug) => {
    const control = /** @type {HTMLInputElement} */ (form.elements.namedItem("slug"));
    control.value = slug;
    control.focus();
    typed();
  });
  const checksSlug = !stored && may(session, "links");
  const preview = formPreview(applications, stored?.link ?? null);
  const campaign = campaignFields(first);

  /**
   * What the form holds, with what a stored link has for good.
   *
   * @returns {Values}
   */
  const current = () => {
    const held = values(form);
    return { ...held, app: held.app ?? stored?.link.app ?? "" };
  };
  /** The body of the request. */
  const body = () => {
    const held = current();
    const whole = bodyOf(held);
    const content = stored
      ? patchOf(before, whole)
      : { ...(source && furtherMembers(source)), ...whole };
    // A patch merges the payload's members, so that a new one replaces the old one only after that
    // is gone.
    if (!rulesIn(held.rules)) throw fieldProblem("rules", pageTexts.rules.invalid);
    if (held.metadata?.trim()) content.metadata = parsedPayload(held.metadata);
    else if (held.dropMetadata) content.metadata = null;
    if (held.password) content.password = held.password;
    else if (held.dropPassword) content.password = null;
    return content;
  };
  /** What follows the fields. */
  const showAll = () => {
    const held = current();
    const whole = bodyOf(held);
    const leads = ["urls", "route", "routeParameters", "rules"];
    preview.show(
      held,
      stored !== null &&
        leads.every((name) => JSON.stringify(whole[name]) === JSON.stringify(before[name])),
    );
    if (checksSlug) {
      const app = applications.find(({ id }) => id === held.app);
      check.look({ ...held, domain: held.domain || app?.domains?.[0] || location.host });
    }
    try {
      const shown = body();
      if (shown.password) shown.password = "…";
      command.replaceChildren(
        sameByAPI(
          stored
            ? curl("PATCH", linkPath(stored.link), shown, stored.etag)
            : curl("POST", "/api/v1/links", shown),
        ),
      );
    } catch {
      // The payload is not complete yet.
    }
  };
  const typed = () => {
    keepDraft(draftName(subject), session, values(form));
    showAll();
  };
  /**
   * Shows the fields that depend on the application.
   *
   * @param {Values} held
   */
  const choose = (held) => {
    const application = applications.find(({ id }) => id === held.app);
    route.replaceChildren(routeFields(application, held) ?? "");
    campaign.show(held.app || stored?.link.app);
    if (!stored) fill(names, addressFields(application, held, checksSlug ? check.element : null));
    showAll();
  };
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    clearErrors(form);
    outcome.replaceChildren();
    const isIncomplete = areMissing(form);
    if (!namesAreRight(form) || isIncomplete) return;
    submit.disabled = true;
    try {
      const { content } = stored
        ? await call("PATCH", linkPath(stored.link), { body: body(), etag: stored.etag })
        : await call("POST", "/api/v1/links", { body: body() });
      dropDraft(draftName(subject));
      setting(LAST, content.app);
      announce(stored ? formTexts.saved : await copied(content));
      if (may(session, "read")) go(linkHash(content));
      else outcome.replaceChildren(created(content));
    } catch (error) {
      refused(error);
    } finally {
      submit.disabled = false;
    }
  };
  /** @param {unknown} error */
  const refused = (error) => {
    if (!(error instanceof Problem)) {
      outcome.replaceChildren(problemNotice(error));
      return;
    }
    if (stored && error.status === CHANGED) {
      outcome.replaceChildren(conflict(stored.link));
      return;
    }
    if (error.kind === "slug-taken") {
      error.errors = [{ field: "slug", problem: formTexts.taken, isOurs: true }];
    }
    error.errors = error.errors.map(inWordsOfLink);
    const rest = error.status === CHANGED ? error : withShownErrors(form, error);
    outcome.replaceChildren(problemNotice(rest));
  };
  /** @param {Link} link  that somebody else has changed */
  const conflict = (link) => {
    const saveAnyway = async () => {
      const fresh = await call("GET", linkPath(link));
      stored = { link: fresh.content, etag: fresh.etag };
      form.requestSubmit();
    };
    return html.div(
      { class: "notice wrong", role: "alert" },
      html.strong(formTexts.conflict),
      html.p(formTexts.conflictDetail),
      html.div(
        { class: "buttons" },
        html.button(
          { type: "button", click: () => go(linkHash(link, "edit")) },
          formTexts.loadTheirs,
        ),
        button(formTexts.saveMine, () => saveAnyway().catch(refused)),
      ),
    );
  };

  /** @type {HTMLFormElement} */
  const form = html.form(
    {
      novalidate: true,
      submit: send,
      input: typed,
      change: (event) => {
        if (/^urls\.|imageURL$/.test(event.target.name)) {
          event.target.value = withScheme(event.target.value.trim());
        }
        typed();
      },
      keydown: (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
          event.preventDefault();
          form.requestSubmit();
        }
      },
    },
    source &&
      html.p(
        { class: "soft" },
        formatText(
          source.hasMetadata ? formTexts.copyOfSecret : formTexts.copyOf,
          `${source.domain}/${source.slug}`,
        ),
      ),
    !stored &&
      applicationField(applications, first, (app) => choose({ ...values(form), domain: "", app })),
    field(texts.form.destination, destination, formTexts.destinationHint),
    route,
    names,
    field(
      texts.fields.title,
      input("title", first.title, { maxlength: 200, spellcheck: "true" }),
      formTexts.titleHint,
    ),
    field(texts.fields.tags, input("tags", first.tags), formTexts.tagsHint),
    field(
      texts.fields.folder,
      input("folder", first.folder, { maxlength: 200 }),
      formTexts.folderHint,
    ),
    field(texts.fields.note, html.textarea({ name: "note", rows: 2, maxlength: 2000 }, first.note)),
    platformFields(first),
    campaign.element,
    rulesFields(first.rules ?? ""),
    limitFields(first, stored?.link),
    socialFields(first),
    payloadFields(stored?.link.hasMetadata ?? false),
    first["urls.web.fallback"] &&
      html.input({ type: "hidden", name: "urls.web.fallback", value: first["urls.web.fallback"] }),
    outcome,
    html.div(
      { class: "buttons" },
      submit,
      may(session, "read") &&
        anchor(stored ? linkHash(stored.link) : hash(["links"]), texts.cancel, {
          class: "button quiet",
          click: () => dropDraft(draftName(subject)),
        }),
    ),
  );
  choose(first);
  // The focus moves once the fields are in the page.
  setTimeout(() => {
    if (form.isConnected) destination.focus();
  });
  return [html.div({ class: "columns wide" }, form, preview.element), command];
}

/**
 * Copies the address of a new link, and says what was done.
 *
 * @param {Link} link
 */
async function copied({ smartlink }) {
  try {
    await navigator.clipboard.writeText(smartlink);
    return formatText(formTexts.createdCopied, smartlink);
  } catch {
    return formatText(texts.form.created, smartlink);
  }
}

/**
 * The new link, for keys that can't open its page.
 *
 * @param {Link} link
 */
function created({ smartlink }) {
  return html.div(
    { class: "notice good", role: "status" },
    html.strong(formatText(texts.form.created, smartlink)),
    html.div({ class: "buttons" }, copyButton(smartlink)),
  );
}

/**
 * @param {string} field
 * @param {string} problem
 * @param {string} [detail]
 */
const fieldProblem = (field, problem, detail) =>
  new Problem({ title: problem, detail, errors: [{ field, problem }] });

/** @param {string} text */
function parsedPayload(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fieldProblem("metadata", formTexts.invalidJSON, String(error));
  }
}
