// Links from a pasted list: checked line by line, created at once, and what became of each.
import { setting } from "../../shared/setting.js";
import { hash } from "../../frame/address.js";
import { announce } from "../../shared/announcement.js";
import { applications as allApplications, call, Problem } from "../../shared/api.js";
import { copy } from "../../shared/clipboard.js";
import { curl, sameByAPI } from "../../shared/command.js";
import { anchor, button, find, html, pair, table } from "../../shared/element.js";
import { field, input, values } from "../../shared/fields.js";
import { formatCount, pluralText } from "../../shared/formats.js";
import { sendForm } from "../../shared/forms.js";
import { addressButton } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { fill, load, problemNotice } from "../../shared/pane.js";
import { formatText, texts } from "../../shared/texts.js";
import { tagsOf } from "./body.js";
import { draftOf, dropDraft, keepDraft } from "./draft.js";
import { inWordsOfLink } from "./errors.js";
import { addressFields, applicationField } from "./fields.js";
import { checkLines, linesOf } from "./list-lines.js";

/** @typedef {import("./list-lines.js").Line} Line */

const manyTexts = pageTexts.many;
const DRAFT = "many";
/** Links that the API creates at once. */
const MOST = 1000;

/**
 * @param {HTMLElement} main
 * @param {Session} session
 */
export function showMany(main, session) {
  const h1 = find("h1");
  if (h1) h1.textContent = manyTexts.title;
  main.firstElementChild?.append(anchor(hash(["new"]), manyTexts.one, { class: "button quiet" }));
  const section = html.section({ "aria-label": manyTexts.title });
  main.append(section);
  load(section, async () => page(session, await allApplications()));
}

/**
 * @param {Session} session
 * @param {Application[]} applications
 */
function page(session, applications) {
  const draft = draftOf(DRAFT, session) ?? {};
  const last = draft.app ?? setting("waymark-application");
  const first = applications.find(({ id }) => id === last) ?? applications[0];
  const domains = html.div();
  const list = html.textarea(
    {
      name: "list",
      rows: 10,
      class: "code",
      spellcheck: "false",
      required: true,
      placeholder: manyTexts.placeholder,
    },
    draft.list ?? "",
  );
  /** @param {string} app */
  const choose = (app) => {
    const application = applications.find(({ id }) => id === app);
    fill(domains, addressFields(application, { domain: draft.domain ?? "" }, null));
  };
  const outcome = html.div();
  const form = sendForm(
    manyTexts.check,
    async ({ app, domain, tags, list: text }) => {
      outcome.replaceChildren();
      const lines = linesOf(text);
      if (lines.length > MOST) {
        throw new Problem({ title: formatText(manyTexts.tooMany, formatCount(MOST)) });
      }
      const application = applications.find(({ id }) => id === app);
      const host = domain || application?.domains?.[0] || location.host;
      await checkLines(lines, host);
      // The list was changed meanwhile.
      if (values(form).list !== text) return;
      const ready = lines.filter(({ problem }) => !problem);
      const bodies = ready.map(({ url, slug, title }) => ({
        app,
        ...(domain && { domain }),
        ...(slug && { slug }),
        ...(title && { title }),
        urls: { web: url },
        ...(tags.trim() && { tags: tagsOf(tags) }),
      }));
      const create = async () => {
        try {
          const { content } = await call("POST", "/api/v1/links:batch", { body: bodies });
          done(lines, ready, content.results);
        } catch (error) {
          outcome.prepend(problemNotice(error));
        }
      };
      const submit = button(
        formatText(manyTexts.create, pluralText(pageTexts.bulk.links, ready.length)),
        () => {
          submit.disabled = true;
          create().finally(() => {
            submit.disabled = false;
          });
        },
        { class: "" },
      );
      fill(outcome, [
        checkTable(lines, host),
        ready.length > 0 && html.div({ class: "buttons" }, submit),
        ready.length > 0 && sameByAPI(curl("POST", "/api/v1/links:batch", bodies)),
      ]);
      submit.focus();
    },
    pair(
      applicationField(applications, { app: first?.id ?? "" }, choose),
      domains,
      field(texts.fields.tags, input("tags", draft.tags ?? ""), pageTexts.form.tagsHint),
    ),
    field(manyTexts.list, list, manyTexts.hint),
  );
  /**
   * @param {Line[]} lines
   * @param {Line[]} sent
   * @param {{status: number, link?: Link, problem?: any}[]} results  of those that were sent
   */
  const done = (lines, sent, results) => {
    const links = results.flatMap(({ link }) => link ?? []);
    const left = lines.filter((line) => line.problem || !results[sent.indexOf(line)]?.link);
    const addresses = links.map(({ smartlink }) => smartlink).join("\n");
    announce(formatText(manyTexts.created, pluralText(pageTexts.bulk.links, links.length)));
    fill(outcome, [
      resultTable(lines, sent, results),
      html.div(
        { class: "buttons" },
        links.length > 0 && button(manyTexts.copyAll, () => copy(addresses)),
        anchor(hash(["links"]), manyTexts.showLinks, { class: "button quiet" }),
      ),
    ]);
    // What could not be created stays, to be mended.
    list.value = left.map(({ text }) => text).join("\n");
    if (left.length) keepDraft(DRAFT, session, values(form));
    else dropDraft(DRAFT);
    outcome.querySelector("button")?.focus();
  };
  form.addEventListener("input", () => {
    keepDraft(DRAFT, session, values(form));
    outcome.replaceChildren();
  });
  choose(first?.id ?? "");
  setTimeout(() => list.isConnected && list.focus());
  return [form, outcome];
}

/**
 * @param {Line[]} lines
 * @param {string} host
 */
function checkTable(lines, host) {
  const wrong = lines.filter(({ problem }) => problem).length;
  return [
    html.p({ role: "status" }, formatText(manyTexts.checked, lines.length - wrong, wrong)),
    checkedLines(lines, host),
  ];
}

/**
 * @param {Line[]} lines
 * @param {string} host
 */
function checkedLines(lines, host) {
  return table(
    manyTexts.checks,
    [manyTexts.line, texts.links.state, pageTexts.list.link, texts.form.destination],
    lines.map(({ number, url, slug, problem }) => [
      String(number),
      problem
        ? html.span({ class: "state wrong" }, problem)
        : html.span({ class: "state active" }, manyTexts.ready),
      html.span({ class: "destination" }, `${host}/${slug || "…"}`),
      html.span({ class: "destination" }, url),
    ]),
    "list cards pasted",
  );
}

/**
 * @param {Line[]} lines
 * @param {Line[]} sent
 * @param {{status: number, link?: Link, problem?: any}[]} results
 */
function resultTable(lines, sent, results) {
  return table(
    manyTexts.results,
    [manyTexts.line, texts.links.state, pageTexts.list.link, texts.form.destination],
    lines.map((line) => {
      const { link, problem } = results[sent.indexOf(line)] ?? {};
      /** @type {FieldError[]} */
      const errors = problem?.errors ?? [];
      const why =
        line.problem ||
        errors.map((error) => inWordsOfLink(error).problem).join(" ") ||
        problem?.detail ||
        manyTexts.refused;
      return [
        String(line.number),
        link
          ? html.span({ class: "state active" }, manyTexts.made)
          : html.span({ class: "state wrong" }, why),
        link ? addressButton(link) : "–",
        html.span({ class: "destination" }, line.url),
      ];
    }),
    "list cards pasted",
  );
}
