// Where a URL leads visitors, and why: part of a link's page, and a page for any URL.
import { currentAddress, refine, withScheme } from "../frame/address.js";
import { curl, sameByAPI } from "../shared/command.js";
import { button, english, html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { formatList, fromLocalInput, localInput } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText } from "../shared/texts.js";
import { valueName } from "../shared/value-names.js";
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
    url.value = withScheme(url.value.trim());
    overview.replaceChildren();
    return url.value;
  };
  main.append(
    html.p(explainTexts.about),
    visitorForm(submitted, [field("URL", url)], showOverview),
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
 * @returns {(at: string | null) => void}  shows who went where at a moment, or who goes where now
 */
export function showExplain(section, link) {
  const overview = html.div({ "aria-live": "polite" });
  const moment = input("asOf", "", { type: "datetime-local" });
  const now = button(explainTexts.now, () => show(null), { class: "quiet", hidden: true });
  const ask = () => {
    const at = fromLocalInput(moment.value);
    refine({ at });
    now.hidden = !at;
    load(overview, () => whoGoesWhere(link.smartlink, at ? undefined : link.rules, at));
  };
  /** @param {string | null} at */
  const show = (at) => {
    moment.value = localInput(at);
    ask();
    if (at) section.scrollIntoView();
    if (section.contains(document.activeElement) || at) moment.focus({ preventScroll: true });
  };
  section.replaceChildren(
    html.h2({ id: "explain-title" }, explainTexts.title),
    html.form(
      {
        class: "filters",
        submit: (event) => {
          event.preventDefault();
          ask();
        },
        change: ask,
      },
      field(explainTexts.asOf, moment, explainTexts.asOfHint),
      now,
    ),
    overview,
    html.details(
      html.summary(explainTexts.try),
      visitorForm(() => link.smartlink),
    ),
  );
  moment.value = localInput(currentAddress().query.get("at"));
  ask();
  return show;
}

/**
 * @param {() => string} url  asked for when the form is sent
 * @param {Child[]} [first]  fields before those of the visitor
 * @param {() => void} [explained]  called after an answer; with it a second visitor can be chosen
 */
function visitorForm(url, first = [], explained = undefined) {
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
      explained?.();
      return html.div(
        { class: "panels" },
        answers.map((explanation) =>
          html.section({ class: "panel" }, answer(explanation, explained ? html.h2 : html.h3)),
        ),
      );
    },
    first,
    pair(
      field(explainTexts.visitor, sample),
      explained &&
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

/**
 * @param {Explanation} explanation
 * @param {typeof html.h2} heading  below those of the page
 */
function answer(explanation, heading) {
  const { visitor, candidates, click } = explanation;
  const leads = leadsTo(explanation);
  return [
    heading(
      pageTexts.outcomes[explanation.outcome] ?? explanation.outcome,
      leads !== "–" && [": ", html.span({ class: "destination" }, leads)],
    ),
    // Nothing was considered where no link is: the reason is all there is to say.
    !candidates.length && html.p(english(sentence(click.why))),
    html.p(formatText(explainTexts.seenAs, seenAs(visitor))),
    visitor.why.length > 0 && html.ul(visitor.why.map((why) => html.li({ lang: "en" }, why))),
    ...association(explanation),
    candidates.length > 0 &&
      table(
        explainTexts.candidates,
        [explainTexts.source, explainTexts.destination, explainTexts.why],
        candidates.map(({ source, url, taken, why }) => [
          html.span({ class: "nowrap" }, taken ? html.strong("✓ ", source) : source),
          url ?? "–",
          english(why),
        ]),
        "cards",
      ),
    html.p(
      { class: "soft" },
      formatText(explainTexts.response, explanation.response.status),
      " ",
      click.counted ? explainTexts.counted : explainTexts.notCounted,
      " ",
      english(`${click.why}.`),
    ),
  ];
}

/** @param {string} text */
const sentence = (text) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}.`;

/** @param {Explanation["visitor"]} visitor */
function seenAs({ platform, device, browser, bot }) {
  const fields = Object.entries({ platform, device, browser, bot });
  const names = fields.map(([name, value]) => value && valueName(name, value));
  return formatList(names.flatMap((name) => name || []));
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
    html.p(verdict, " ", english(`${file.why}.`)),
    file.rule !== null && html.p({ class: "soft" }, formatText(explainTexts.rule, file.rule)),
  ];
}
