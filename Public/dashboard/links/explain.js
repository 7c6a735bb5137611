// Where a URL leads visitors, and why: part of a link's page, and a page for any URL.
import { currentAddress, refine } from "../frame/address.js";
import { curl, sameByAPI } from "../shared/command.js";
import { html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { fromLocalInput } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText } from "../shared/texts.js";
import { explain, leadsTo, VISITORS, whoGoesWhere } from "./visitors.js";

const explainTexts = pageTexts.explain;

/** @type {ShowPage} */
export function show(main) {
  const overview = html.section({ "aria-label": explainTexts.title });
  const url = input("url", currentAddress().query.get("url") ?? location.origin + "/", {
    type: "url",
    required: true,
    inputmode: "url",
  });
  const showOverview = () => {
    refine({ url: url.value });
    load(overview, () => whoGoesWhere(url.value));
  };
  const submitted = () => {
    showOverview();
    return url.value;
  };
  main.append(
    html.p(explainTexts.about),
    visitorForm(submitted, [field("URL", url)], true),
    overview,
    sameByAPI(
      curl("POST", "/api/v1/explain", {
        url: url.value,
        headers: { "User-Agent": VISITORS[0][1] },
      }),
    ),
  );
  if (currentAddress().query.get("url")) showOverview();
}

/**
 * @param {HTMLElement} section
 * @param {Link} link
 */
export function showExplain(section, link) {
  const overview = html.div();
  section.replaceChildren(
    html.h2({ id: "explain-title" }, explainTexts.title),
    overview,
    html.details(
      html.summary(explainTexts.try),
      visitorForm(() => link.smartlink),
    ),
  );
  load(overview, () => whoGoesWhere(link.smartlink, link.rules));
}

/**
 * @param {() => string} url  asked for when the form is sent
 * @param {Child[]} [first]  fields before those of the visitor
 * @param {boolean} [compares]  whether a second visitor can be chosen
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
  const samples = VISITORS.map(([name, userAgent]) => [userAgent, name]);
  const sample = select("first", [...samples, ["", explainTexts.own]]);
  sample.addEventListener("change", () => {
    if (sample.value) agent.value = sample.value;
  });
  agent.addEventListener("input", () => {
    sample.value = VISITORS.find(([, userAgent]) => userAgent === agent.value)?.[1] ?? "";
  });
  return sendForm(
    explainTexts.submit,
    async (values) => {
      const target = url();
      const answers = await Promise.all(
        [agent.value, values.second].filter(Boolean).map((userAgent) => {
          /** @type {Record<string, string>} */
          const headers = { "User-Agent": userAgent };
          for (const header of ["Accept-Language", "Referer"]) {
            const value = values[`headers.${header}`];
            if (value) headers[header] = value;
          }
          return explain(target, headers, fromLocalInput(values.at));
        }),
      );
      return html.div(
        { class: "panels" },
        answers.map((explanation) => html.section({ class: "panel" }, answer(explanation))),
      );
    },
    first,
    pair(
      field(explainTexts.visitor, sample),
      compares &&
        field(explainTexts.second, select("second", [["", explainTexts.nobody], ...samples])),
    ),
    field("User-Agent", agent),
    pair(
      field("Accept-Language", input("headers.Accept-Language", navigator.language)),
      field(
        "Referer",
        input("headers.Referer", "", { type: "url", placeholder: "https://news.example.com/" }),
      ),
      field(explainTexts.at, input("at", "", { type: "datetime-local" })),
    ),
  );
}

/** @param {Explanation} explanation */
function answer(explanation) {
  const { visitor } = explanation;
  return [
    html.h3(
      pageTexts.outcomes[explanation.outcome] ?? explanation.outcome,
      ": ",
      html.span({ class: "destination" }, leadsTo(explanation)),
    ),
    html.p(
      formatText(
        explainTexts.seenAs,
        [visitor.platform, visitor.device, visitor.browser, visitor.bot].filter(Boolean).join(", "),
      ),
    ),
    visitor.why.length > 0 && html.ul(visitor.why.map((why) => html.li(why))),
    ...association(explanation),
    table(
      explainTexts.candidates,
      [explainTexts.source, explainTexts.destination, explainTexts.why],
      explanation.candidates.map(({ source, url, taken, why }) => [
        html.span({ class: "nowrap" }, taken ? html.strong("✓ ", source) : source),
        url ?? "–",
        why,
      ]),
      "cards",
    ),
    html.p(
      { class: "soft" },
      formatText(explainTexts.response, explanation.response.status),
      " ",
      explanation.click.counted ? explainTexts.counted : explainTexts.notCounted,
      " ",
      explanation.click.why,
      ".",
    ),
  ];
}

/**
 * What the host's association file does with the URL.
 *
 * @param {Explanation} explanation
 */
function association(explanation) {
  const file = explanation.association;
  if (!file) return [];
  const verdict =
    file.opens === null
      ? explainTexts.appUnknown
      : file.opens
        ? explainTexts.appOpens
        : explainTexts.appStaysClosed;
  return [
    html.p(verdict, " ", file.why, "."),
    file.rule !== null && html.p({ class: "soft" }, formatText(explainTexts.rule, file.rule)),
  ];
}
