// All checks of links: how many work, which are broken and why, and what could not be found out.
import { hash, linkHash } from "../frame/address.js";
import { get, Problem, withQuery } from "../shared/api.js";
import { codeBlock, curl, sameByAPI } from "../shared/command.js";
import { anchor, facts, html, table } from "../shared/element.js";
import { formatCount, timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { codeText, verifiedBadge } from "./verified.js";
import "./styles.js";

const pageText = pageTexts.verification;
/** @type {Record<string, string>} */
const states = pageText.states;
/** Links of a state that are shown; the list has the others. */
const MOST = "100";
const SETTING = { verification: { every: "24h", perHost: "1/s", secondLook: "1h" } };

/** @param {string} verified */
const target = (verified, limit = MOST) =>
  withQuery("/api/v1/links", { verified, limit, count: "true" });

/** @type {ShowPage} */
export function show(main) {
  const section = html.section({ "aria-label": texts.pages.verification });
  main.append(html.p(pageText.about), section, sameByAPI(curl("GET", target("broken"))));
  load(section, content);
}

/** @returns {Promise<Content>} */
async function content() {
  const all = [target("broken"), target("unknown"), target("good", "1")];
  /** @type {LinkList[]} */
  const [broken, unknown, good] = await Promise.all(all.map(list));
  const lists = { broken, unknown, good };
  const times = [broken, unknown, good].flatMap(({ links }) =>
    links.flatMap(({ verified }) => verified?.at ?? []),
  );
  const settings = html.details(
    html.summary(pageText.settings),
    html.p(pageText.settingsDetail),
    codeBlock(JSON.stringify(SETTING, null, 2)),
  );
  if (!times.length) return [emptyNotice(pageText.off, pageText.offDetail), openFold(settings)];
  return [
    facts("totals", [
      ...Object.entries(lists).map(([state, list]) => [
        states[state],
        anchor(hash(["links"], { verified: state }), countOf(list)),
      ]),
      [pageText.lastCheck, timeElement(times.sort().at(-1) ?? null)],
    ]),
    broken.links.length === 0 && emptyNotice(pageText.noneBroken, pageText.noneBrokenDetail),
    group("broken", broken),
    group("unknown", unknown),
    settings,
  ];
}

/**
 * Links of one state. A server of an earlier version, which checks none, refuses the filter.
 *
 * @param {string} address
 */
const list = (address) =>
  get(address).catch((error) => {
    if (error instanceof Problem && error.status === 422) return { links: [], cursor: null };
    throw error;
  });

/** @param {HTMLDetailsElement} fold */
function openFold(fold) {
  fold.open = true;
  return fold;
}

/** @param {LinkList} list */
function countOf({ total, totalIsLowerBound, links }) {
  const count = formatCount(total ?? links.length);
  return totalIsLowerBound ? formatText(pageText.atLeast, count) : count;
}

/**
 * The links of a state, by what was found first.
 *
 * @param {"broken" | "unknown"} state
 * @param {LinkList} list
 * @returns {Content}
 */
function group(state, { links, cursor }) {
  if (!links.length) return null;
  const kinds = /** @type {Map<string, Link[]>} */ (new Map());
  for (const link of links) {
    const code = link.verified?.findings[0]?.code ?? "";
    kinds.set(code, [...(kinds.get(code) ?? []), link]);
  }
  return html.section(
    { "aria-labelledby": `verified-${state}` },
    html.h2({ id: `verified-${state}` }, states[state]),
    state === "unknown" && html.p({ class: "soft" }, pageText.whyUnknown),
    [...kinds].map(([code, some]) => [
      html.h3(code ? codeText(code) : pageText.noReason, " (", formatCount(some.length), ")"),
      table(
        html.span({ class: "unseen" }, code ? codeText(code) : pageText.noReason),
        [pageTexts.list.link, pageText.found, pageText.lastCheck],
        some.map((link) => [
          anchor(linkHash(link), link.title ?? `${link.domain}/${link.slug}`),
          html.div(
            { class: "destination" },
            verifiedBadge(link.verified),
            " ",
            html.span({ lang: "en" }, link.verified?.findings[0]?.message ?? "–"),
          ),
          timeElement(link.verified?.at ?? null),
        ]),
        "cards",
      ),
    ]),
    cursor && html.p(anchor(hash(["links"], { verified: state }), pageText.all)),
  );
}
