// Where a URL leads visitors, and why: part of a link's page, and a page for any URL.
import { current, refine } from "../frame/address.js";
import { curl, sameByAPI } from "../shared/command.js";
import { html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { fromLocalInput } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { explain, leadsTo, VISITORS, whoGoesWhere } from "./visitors.js";

const t = pageTexts.explain;

/** @type {ShowPage} */
export function show(main) {
  const overview = html.section({ "aria-label": t.title });
  const url = input("url", current().query.get("url") ?? location.origin + "/", {
    type: "url",
    required: true,
    inputmode: "url",
  });
  const show = () => {
    refine({ url: url.value });
    load(overview, () => whoGoesWhere(url.value));
    return url.value;
  };
  main.append(
    html.p(t.about),
    visitorForm(show, [field("URL", url)], true),
    overview,
    sameByAPI(
      curl("POST", "/api/v1/explain", {
        url: url.value,
        headers: { "User-Agent": VISITORS[0][1] },
      }),
    ),
  );
  if (current().query.get("url")) show();
}

/**
 * @param {HTMLElement} section
 * @param {Link} link
 */
export function showExplain(section, link) {
  const overview = html.div();
  section.replaceChildren(
    html.h2({ id: "explain-title" }, t.title),
    overview,
    html.details(
      html.summary(t.try),
      visitorForm(() => link.smartlink),
    ),
  );
  load(overview, () => whoGoesWhere(link.smartlink, link.rules));
}

/**
 * @param {() => string} url
 * @param {Child[]} first  fields before those of the visitor
 * @param {boolean} compares  whether a second visitor can be chosen
 */
function visitorForm(url, first = [], compares = false) {
  const agent = html.textarea(
    {
      name: "headers.User-Agent",
      rows: 3,
      spellcheck: "false",
      required: true,
    },
    VISITORS[0][1],
  );
  const samples = VISITORS.map(([name, text]) => [text, name]);
  const sample = select("first", [...samples, ["", t.own]]);
  sample.addEventListener("change", () => {
    if (sample.value) agent.value = sample.value;
  });
  agent.addEventListener("input", () => {
    sample.value = VISITORS.find(([, text]) => text === agent.value)?.[1] ?? "";
  });
  return sendForm(
    t.submit,
    async (values) => {
      const target = url();
      const answers = await Promise.all(
        [agent.value, values.second].filter(Boolean).map((name) => {
          /** @type {Record<string, string>} */
          const headers = { "User-Agent": name };
          for (const field of ["Accept-Language", "Referer"]) {
            if (values[`headers.${field}`]) headers[field] = values[`headers.${field}`];
          }
          return explain(target, headers, fromLocalInput(values.at));
        }),
      );
      return html.div(
        { class: "panels" },
        answers.map((found) => html.section({ class: "panel" }, answer(found))),
      );
    },
    first,
    pair(
      field(t.visitor, sample),
      compares && field(t.second, select("second", [["", t.nobody], ...samples])),
    ),
    field("User-Agent", agent),
    pair(
      field("Accept-Language", input("headers.Accept-Language", navigator.language)),
      field(
        "Referer",
        input("headers.Referer", "", { type: "url", placeholder: "https://news.example.com/" }),
      ),
      field(t.at, input("at", "", { type: "datetime-local" })),
    ),
  );
}

/** @param {Explanation} found */
function answer(found) {
  const { visitor } = found;
  return [
    html.h3(
      texts.outcomes[found.outcome] ?? found.outcome,
      ": ",
      html.span({ class: "destination" }, leadsTo(found)),
    ),
    html.p(
      say(
        t.seenAs,
        [visitor.platform, visitor.device, visitor.browser, visitor.bot].filter(Boolean).join(", "),
      ),
    ),
    visitor.why.length > 0 && html.ul(visitor.why.map((why) => html.li(why))),
    ...association(found),
    table(
      t.candidates,
      [t.source, t.destination, t.why],
      found.candidates.map(({ source, url, taken, why }) => [
        html.span({ class: "nowrap" }, taken ? html.strong("✓ ", source) : source),
        url ?? "–",
        why,
      ]),
      "cards",
    ),
    html.p(
      { class: "soft" },
      say(t.response, found.response.status),
      " ",
      found.click.counted ? t.counted : t.notCounted,
      " ",
      found.click.why,
      ".",
    ),
  ];
}

/**
 * What the host's association file does with the URL.
 *
 * @param {Explanation} found
 */
function association(found) {
  const file = found.association;
  if (!file) return [];
  const verdict = file.opens === null ? t.appUnknown : file.opens ? t.appOpens : t.appStaysClosed;
  return [
    html.p(verdict, " ", file.why, "."),
    file.rule !== null && html.p({ class: "soft" }, say(t.rule, file.rule)),
  ];
}
