// One application: a form, its JSON document, and what its association files do.
import { currentAddress, go, hash, hashWith, refine } from "../frame/address.js";
import { may } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { call, get, Problem, path } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { anchor, button, facts, find, html } from "../shared/element.js";
import { managerFacts } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { checkFiles, showAssociation } from "./association.js";
import { domainStates } from "./domain-states.js";
import { applicationForm } from "./form.js";
import { documentEditor } from "./json.js";
import { logoFields } from "./logo.js";
import { campaignTemplatesForm } from "./utm-templates.js";

const applicationTexts = pageTexts.applications;

/** @type {ShowPage} */
export function show(main, session, [id]) {
  const section = html.section({ "aria-label": id });
  main.append(section);
  load(section, async () => {
    /** @type {{content: Application, etag: string | null}} */
    const { content, etag } = await call("GET", target(id));
    const association = html.section({ "aria-label": pageTexts.files.title });
    const domains = html.div();
    /** @param {Application} application */
    const check = (application) => {
      const h1 = find("h1");
      if (h1) h1.textContent = application.name || id;
      if (!may(session, "links")) return;
      const files = checkFiles(application);
      showAssociation(association, application, files);
      if (may(session, "admin")) {
        load(domains, async () => {
          const { domains: all } = await get("/api/v1/domains");
          return domainStates(application, all, await files);
        });
      }
    };
    check(content);
    return [
      ...(may(session, "admin") ? editor(content, etag, domains, check) : summary(content)),
      may(session, "links") && part(() => campaignTemplatesForm(id)),
      association,
    ];
  });
}

/**
 * A part of the page that some servers don't have.
 *
 * @param {() => Promise<Content>} work
 */
function part(work) {
  const container = html.div();
  load(container, work);
  return container;
}

/** @param {string} id */
const target = (id) => path`/api/v1/apps/${id}`;

/**
 * What keys without the scope `admin` see.
 *
 * @param {Application} application
 */
function summary({ id, name, domains, routes, platforms, appearance, managedBy }) {
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
      ...managerFacts(managedBy, pageTexts.link),
    ]),
    html.p({ class: "soft" }, applicationTexts.readOnly),
    html.p(anchor(hash(["links"], { app: id }), applicationTexts.showLinks)),
    sameByAPI(curl("GET", target(id))),
  ];
}

/**
 * The form and the document. Each begins with what was changed in the other.
 *
 * @param {Application} stored
 * @param {string | null} etag
 * @param {Node} domains  the state of each domain
 * @param {(application: Application) => void} saved
 */
function editor(stored, etag, domains, saved) {
  const { id } = stored;
  const place = html.div();
  /** @param {Application} document */
  const save = async (document) => {
    try {
      const answer = await call("PUT", target(id), { body: document, etag });
      etag = answer.etag;
      announce(formatText(applicationTexts.saved, id));
      show(answer.content);
      saved(answer.content);
      // The button that was pressed is gone.
      /** @type {HTMLElement?} */ (place.querySelector("form > .buttons button"))?.focus();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      return problemNotice(
        new Problem({ title: error.title, detail: applicationTexts.conflict }),
        () => go(location.hash),
        pageTexts.form.loadTheirs,
      );
    }
  };
  const options = { save, domains, logo: part(() => logoFields(id)) };
  /** @type {ApplicationView} */
  let view;
  /** @param {Application} document */
  const show = (document) => {
    view = (isDocument() ? documentEditor : applicationForm)(document, options);
    place.replaceChildren(tabs(), view.element);
  };
  const tabs = () =>
    html.nav(
      { class: "periods", "aria-label": applicationTexts.views },
      [
        [null, applicationTexts.form],
        ["json", "JSON"],
      ].map(([name, label]) =>
        html.a(
          {
            href: hashWith({ view: name }),
            "aria-current": (name === "json") === isDocument() && "true",
            click: (event) => {
              event.preventDefault();
              const draft = view.read();
              const { view: shown } = Object.fromEntries(currentAddress().query);
              refine({ view: name });
              try {
                show(draft);
              } catch {
                // The document has something else where the form expects a list or a name.
                refine({ view: shown });
                view.element.append(problemNotice(new Problem({ title: applicationTexts.noForm })));
                return;
              }
              /** @type {HTMLElement?} */ (place.querySelector("[aria-current]"))?.focus();
            },
          },
          label,
        ),
      ),
    );
  show(stored);
  return [
    stored.managedBy && facts("facts", managerFacts(stored.managedBy, pageTexts.link)),
    place,
    html.div(
      { class: "buttons whole" },
      anchor(hash(["links"], { app: id }), applicationTexts.showLinks, { class: "button quiet" }),
      button(texts.delete, () => remove(id), { class: "quiet apart" }),
    ),
    sameByAPI(curl("GET", target(id)), curl("PUT", target(id), stored, etag)),
  ];
}

const isDocument = () => currentAddress().query.get("view") === "json";

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
