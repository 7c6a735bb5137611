// Creates a link, or edits one. An edit sends only what was changed.
import { currentAddress, go, hash, linkHash } from "../frame/address.js";
import { may, setting } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { applications, call, Problem } from "../shared/api.js";
import { copyButton } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, find, html } from "../shared/element.js";
import { field, input, values } from "../shared/fields.js";
import { areMissing, clearErrors, withShownErrors } from "../shared/forms.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, fill, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { bodyOf, patchOf, valuesOf } from "./form-body.js";
import {
  campaignFields,
  limitFields,
  nameFields,
  payloadFields,
  platformFields,
  routeFields,
  socialFields,
} from "./form-fields.js";
import { whoGoesWhere } from "./visitors.js";

const formTexts = pageTexts.form;
/** The setting of the application that was chosen last. */
const LAST = "waymark-application";
/** 412 Precondition Failed: the link has another entity tag by now. */
const CHANGED = 412;

/** @type {ShowPage} */
export function show(main, session, [domain, slug]) {
  const section = html.section({ "aria-label": texts.form.destination });
  main.append(section);
  load(section, async () => {
    const [apps, stored] = await Promise.all([
      applications(),
      domain ? call("GET", linkPath({ domain, slug })) : null,
    ]);
    return apps.length || stored
      ? editor(session, apps, stored && { link: stored.content, etag: stored.etag })
      : emptyNotice(
          formTexts.noApplication,
          formTexts.noApplicationDetail,
          anchor(hash(["applications"]), texts.pages.applications, { class: "button" }),
        );
  });
}

/**
 * What a new link begins with: what the address names, in the application that has the domain or
 * was chosen last.
 *
 * @param {Application[]} applications
 * @returns {Values}
 */
function beginning(applications) {
  const [slug, domain] = ["slug", "domain"].map((name) => currentAddress().query.get(name) ?? "");
  const application =
    applications.find(({ domains }) => domains?.includes(domain)) ??
    applications.find(({ id }) => id === setting(LAST)) ??
    applications[0];
  return { app: application?.id ?? "", slug, domain };
}

/**
 * @param {Session} session
 * @param {Application[]} applications
 * @param {Stored | null} stored  the link to edit; none for a new one
 */
function editor(session, applications, stored) {
  const first = stored ? valuesOf(stored.link) : beginning(applications);
  const before = bodyOf(first);
  const application = applications.find(({ id }) => id === first.app);
  const host = stored?.link.domain ?? (first.domain || application?.domains?.[0] || location.host);
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

  /** The body of the request. */
  const body = () => {
    const current = values(form);
    const whole = bodyOf({ ...current, app: current.app ?? stored?.link.app });
    const content = stored ? patchOf(before, whole) : whole;
    // A patch merges the payload's members, so that a new one replaces the old one only after that
    // is gone.
    if (current.metadata?.trim()) content.metadata = parsedPayload(current.metadata);
    else if (current.dropMetadata) content.metadata = null;
    return content;
  };
  const showCommand = () => {
    try {
      command.replaceChildren(
        sameByAPI(
          stored
            ? curl("PATCH", linkPath(stored.link), body(), stored.etag)
            : curl("POST", "/api/v1/links", body()),
        ),
      );
    } catch {
      // The payload is not complete yet.
    }
  };
  /**
   * Shows the fields that depend on the application.
   *
   * @param {Values} current
   */
  const choose = (current) => {
    route.replaceChildren(
      routeFields(
        applications.find(({ id }) => id === current.app),
        current,
      ) ?? "",
    );
    if (!stored) {
      fill(
        names,
        nameFields(
          applications,
          current,
          (app) => {
            choose({ ...values(form), domain: "", app });
            find("select[name=app]")?.focus();
          },
          may(session, "links"),
        ),
      );
    }
    showCommand();
  };
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    clearErrors(form);
    outcome.replaceChildren();
    if (areMissing(form)) return;
    submit.disabled = true;
    try {
      const { content } = stored
        ? await call("PATCH", linkPath(stored.link), { body: body(), etag: stored.etag })
        : await call("POST", "/api/v1/links", { body: body() });
      setting(LAST, content.app);
      announce(stored ? formTexts.saved : formatText(texts.form.created, content.smartlink));
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
    if (error.kind === "slug-taken") error.errors = [{ field: "slug", problem: formTexts.taken }];
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

  const form = html.form(
    { novalidate: true, submit: send, input: showCommand },
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
    campaignFields(first),
    limitFields(first),
    socialFields(first, host, application?.name ?? first.app),
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
        }),
    ),
  );
  choose(first);
  const where = html.aside();
  if (stored) {
    const { link } = stored;
    load(where, () => whoGoesWhere(link.smartlink, link.rules));
  } else if (may(session, "read")) {
    where.append(
      html.h2(pageTexts.explain.whoGoesWhere),
      html.p({ class: "soft" }, formTexts.explainedLater),
    );
  }
  // The focus moves once the fields are in the page.
  setTimeout(() => {
    if (form.isConnected) destination.focus();
  });
  return [html.div({ class: "columns wide" }, form, where), command];
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

/** @param {string} text */
function parsedPayload(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem({
      title: formTexts.invalidJSON,
      detail: String(error),
      errors: [{ field: "metadata", problem: formTexts.invalidJSON }],
    });
  }
}
