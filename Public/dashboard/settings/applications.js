// Applications: the list, and one as a document to edit.
import { go, hash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { applications, call, Problem, path } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { anchor, button, facts, html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { showAssociation } from "./association.js";

const applicationTexts = pageTexts.applications;

/** @type {ShowPage} */
export function show(main, session, [id]) {
  if (id) showApplication(main, session, id);
  else showApplications(main, session);
}

/**
 * @param {HTMLElement} main
 * @param {Session} session
 */
function showApplications(main, session) {
  const list = html.section({ "aria-label": texts.pages.applications });
  if (may(session, "admin") && !session.app) {
    main.firstElementChild?.append(
      anchor(hash(["new-application"]), texts.newApplication, { class: "button" }),
    );
  }
  main.append(list, sameByAPI(curl("GET", "/api/v1/apps")));
  load(list, async () => {
    const all = await applications();
    if (!all.length) return emptyNotice(applicationTexts.none, applicationTexts.noneDetail);
    return table(
      texts.pages.applications,
      [
        applicationTexts.id,
        texts.fields.name,
        applicationTexts.domains,
        applicationTexts.linksHead,
      ],
      all.map((application) => [
        anchor(hash(["applications", application.id]), application.id, { class: "row-link" }),
        application.name ?? "–",
        application.domains?.join(", ") || applicationTexts.otherHosts,
        anchor(hash(["links"], { app: application.id }), applicationTexts.showLinks),
      ]),
      "list cards",
    );
  });
}

/**
 * @param {HTMLElement} main
 * @param {Session} session
 * @param {string} id
 */
function showApplication(main, session, id) {
  const section = html.section({ "aria-label": id });
  main.append(section);
  load(section, async () => {
    const { content, etag } = await call("GET", target(id));
    const association = html.section({ "aria-label": pageTexts.files.title });
    if (may(session, "links")) showAssociation(association, content);
    return [
      ...(may(session, "admin") ? editor(id, content, etag).flat() : summary(content)),
      association,
    ];
  });
}

/** @param {string} id */
const target = (id) => path`/api/v1/apps/${id}`;

/**
 * What keys without the scope `admin` see.
 *
 * @param {Application} application
 */
function summary({ id, name, domains, routes, platforms, appearance }) {
  /** @param {string[] | null | undefined} items */
  const lines = (items) => (items?.length ? items.map((item) => html.div(item)) : "–");
  return [
    facts("facts", [
      [texts.fields.name, name ?? "–"],
      [applicationTexts.id, id],
      [applicationTexts.domains, domains?.length ? lines(domains) : applicationTexts.otherHosts],
      [
        applicationTexts.platforms,
        lines(
          platforms?.map((/** @type {string} */ platform) => texts.platforms[platform] ?? platform),
        ),
      ],
      [applicationTexts.routes, lines(routes)],
      ...(appearance?.accentColor ? [[applicationTexts.accentColor, appearance.accentColor]] : []),
      ...(appearance?.iconURL
        ? [[applicationTexts.icon, html.span({ class: "destination" }, appearance.iconURL)]]
        : []),
    ]),
    html.p({ class: "soft" }, applicationTexts.readOnly),
    html.p(anchor(hash(["links"], { app: id }), applicationTexts.showLinks)),
    sameByAPI(curl("GET", target(id))),
  ];
}

/**
 * The application as a document.
 *
 * @param {string} id
 * @param {object} content
 * @param {string | null} etag
 */
function editor(id, content, etag) {
  const outcome = html.div();
  const text = html.textarea(
    {
      class: "code",
      rows: 24,
      spellcheck: "false",
      autocapitalize: "none",
      "aria-describedby": "document-hint",
    },
    JSON.stringify(content, null, 2),
  );
  const save = html.button(texts.save);
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    save.disabled = true;
    try {
      const { etag: fresh } = await call("PUT", target(id), { body: parsed(text.value), etag });
      announce(formatText(applicationTexts.saved, id));
      etag = fresh;
      outcome.replaceChildren();
    } catch (error) {
      outcome.replaceChildren(refusal(error, id, text));
    } finally {
      save.disabled = false;
    }
  };
  return [
    html.form(
      { submit },
      html.label(applicationTexts.document, text),
      html.small({ id: "document-hint" }, applicationTexts.documentHint),
      outcome,
      html.div(
        { class: "buttons" },
        save,
        html.a(
          { class: "button quiet", href: hash(["links"], { app: id }) },
          applicationTexts.showLinks,
        ),
        etag && button(texts.delete, () => remove(id), { class: "quiet apart" }),
      ),
    ),
    sameByAPI(curl("GET", target(id)), curl("PUT", target(id), content, etag)),
  ];
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem({
      title: pageTexts.form.invalidJSON,
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

/**
 * Each problem leads to its member in the document.
 *
 * @param {unknown} error
 * @param {string} id
 * @param {HTMLTextAreaElement} text
 */
function refusal(error, id, text) {
  if (!(error instanceof Problem)) return problemNotice(error);
  if (error.status === 412) {
    return problemNotice(
      new Problem({ title: error.title, detail: applicationTexts.conflict }),
      () => go(hash(["applications", id])),
      pageTexts.form.loadTheirs,
    );
  }
  const notice = problemNotice(error);
  for (const code of notice.querySelectorAll("li code")) {
    code.replaceWith(button(code.textContent, () => selectMember(text, code.textContent ?? "")));
  }
  return notice;
}

/**
 * Selects a member by the last name of its path.
 *
 * @param {HTMLTextAreaElement} text
 * @param {string} field
 */
function selectMember(text, field) {
  let start = 0;
  for (const name of field.replaceAll(/\[\d+\]/g, "").split(".")) {
    const found = text.value.indexOf(`"${name}"`, start);
    if (found < 0) break;
    start = found;
  }
  const lineEnd = text.value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, lineEnd < 0 ? text.value.length : lineEnd);
}

/** @param {string} id */
function remove(id) {
  confirm({
    title: formatText(applicationTexts.deleteTitle, id),
    detail: applicationTexts.deleteDetail,
    action: texts.delete,
    work: async () => {
      await call("DELETE", target(id));
      announce(formatText(applicationTexts.deleted, id));
      go(hash(["applications"]));
    },
  });
}
