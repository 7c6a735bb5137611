// Creates a link, or edits one. An edit sends only what was changed.
import {
  announce, button, call, clearErrors, curl, element, emptyNotice, field, get, go, hash, input, linkHash, load, Problem,
  problemNotice, sameByAPI, say, showErrors, texts, values,
} from "./base.js";
import { bodyOf, patchOf, valuesOf } from "./link-body.js";
import {
  campaignFields, limitFields, nameFields, payloadFields, platformFields, routeFields, socialFields,
} from "./link-fields.js";
import { linkPath } from "./link-parts.js";
import { whoGoesWhere } from "./visitors.js";

const t = texts.form;

/** @param {HTMLElement} main @param {Session} _ @param {Name} [name]  of the link to edit */
export function showLinkForm(main, _, name) {
  const place = element("section", { "aria-label": t.destination });
  main.append(place);
  load(place, async () => {
    const [{ apps }, stored] = await Promise.all([get("/api/v1/apps"), name ? call("GET", linkPath(name)) : null]);
    const editor = new LinkEditor(apps, stored && { link: stored.content, etag: stored.etag });
    // The focus moves once the fields are in the page.
    setTimeout(() => { if (place.contains(editor.form)) editor.destination.focus(); });
    return apps.length || name ? editor.content() : emptyNotice(t.noApplication, t.noApplicationDetail,
      element("a", { class: "button", href: hash(["applications"]) }, texts.pages.applications));
  });
}

class LinkEditor {
  /** @param {Application[]} applications @param {Stored | null} stored */
  constructor(applications, stored) {
    this.applications = applications;
    this.stored = stored;
    const first = stored ? valuesOf(stored.link) : { app: applications[0]?.id ?? "" };
    this.before = bodyOf(first);
    this.outcome = element("div");
    this.command = element("div");
    this.destination = input("urls.web", first["urls.web"], { type: "url", inputmode: "url", placeholder: "https://www.example.com/" });
    this.submit = element("button", { type: "submit" }, stored ? texts.save : t.submit);
    this.names = element("div");
    this.route = element("div");
    this.form = element("form", { novalidate: true, submit: (event) => this.send(event), input: () => this.showCommand() },
      field(t.destination, this.destination, t.destinationHint), this.route, this.names,
      field(texts.fields.title, input("title", first.title, { maxlength: 200, spellcheck: "true" }), t.titleHint),
      field(texts.fields.tags, input("tags", first.tags), t.tagsHint),
      field(texts.fields.note, element("textarea", { name: "note", rows: 2, maxlength: 2000 }, first.note)),
      platformFields(first), campaignFields(first), limitFields(first), socialFields(first), payloadFields(stored?.link.hasMetadata ?? false),
      first["urls.web.fallback"] && element("input", { type: "hidden", name: "urls.web.fallback", value: first["urls.web.fallback"] }),
      this.outcome, element("div", { class: "buttons" }, this.submit,
        element("a", { class: "button quiet", href: stored ? linkHash(stored.link) : hash(["links"]) }, texts.cancel)));
    this.choose(first);
  }

  // Shows the fields that depend on the application.
  /** @param {Record<string, string>} now */
  choose(now) {
    const application = this.applications.find(({ id }) => id === now.app);
    this.route.replaceChildren(routeFields(application, now) ?? "");
    if (!this.stored) {
      this.names.replaceChildren(...nameFields(this.applications, now, (app) => {
        this.choose({ slug: values(this.form).slug ?? "", app });
        /** @type {HTMLElement | null} */ (this.names.querySelector("select[name=app]"))?.focus();
      }));
    }
    this.showCommand();
  }

  content() {
    const where = element("aside", {});
    if (this.stored) load(where, () => whoGoesWhere(/** @type {Stored} */ (this.stored).link.smartlink));
    else where.append(element("h2", {}, texts.explain.whoGoesWhere), element("p", { class: "soft" }, t.explainedLater));
    return [element("div", { class: "columns wide" }, this.form, where), this.command];
  }

  // The body of the request.
  /** @returns {Record<string, unknown>} */
  body() {
    const now = values(this.form);
    const body = bodyOf({ ...now, app: now.app ?? this.stored?.link.app });
    const change = this.stored ? patchOf(this.before, body) : body;
    // A patch merges the payload's members, so that a new one replaces the old one only after that is gone.
    if (now.metadata?.trim()) change.metadata = parsedPayload(now.metadata);
    else if (now.dropMetadata) change.metadata = null;
    return change;
  }

  showCommand() {
    let body;
    try {
      body = this.body();
    } catch {
      return;
    }
    this.command.replaceChildren(sameByAPI(this.stored
      ? curl("PATCH", linkPath(this.stored.link), body, this.stored.etag) : curl("POST", "/api/v1/links", body)));
  }

  /** @param {SubmitEvent} event */
  async send(event) {
    event.preventDefault();
    clearErrors(this.form);
    this.outcome.replaceChildren();
    this.submit.disabled = true;
    try {
      const body = this.body();
      const { content } = this.stored
        ? await call("PATCH", linkPath(this.stored.link), { body, etag: this.stored.etag }) : await call("POST", "/api/v1/links", { body });
      announce(this.stored ? t.saved : say(t.created, content.smartlink));
      go(linkHash(content));
    } catch (error) {
      this.refused(error);
    } finally {
      this.submit.disabled = false;
    }
  }

  /** @param {unknown} error */
  refused(error) {
    if (error instanceof Problem && error.status === 412) {
      this.outcome.replaceChildren(this.conflict());
      return;
    }
    if (error instanceof Problem) {
      if (error.kind === "slug-taken") error.errors = [{ field: "slug", problem: t.taken }];
      error.errors = showErrors(this.form, error.errors);
    }
    this.outcome.replaceChildren(problemNotice(error));
  }

  conflict() {
    const { link } = /** @type {Stored} */ (this.stored);
    const saveAnyway = async () => {
      const fresh = await call("GET", linkPath(link));
      this.stored = { link: fresh.content, etag: fresh.etag };
      this.form.requestSubmit();
    };
    return element("div", { class: "notice wrong", role: "alert" }, element("strong", {}, t.conflict), element("p", {}, t.conflictDetail),
      element("div", { class: "buttons" },
        element("button", { type: "button", click: () => go(linkHash(link, "edit")) }, t.loadTheirs),
        button(t.saveMine, () => saveAnyway().catch((error) => this.refused(error)))));
  }
}

/** @param {string} text */
function parsedPayload(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem({ title: t.invalidJSON, detail: String(error), errors: [{ field: "metadata", problem: t.invalidJSON }] });
  }
}
