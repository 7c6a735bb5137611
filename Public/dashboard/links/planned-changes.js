// Changes of many links that assistants have planned, and a person's confirmation.
import { keyName } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { call, get, path } from "../shared/api.js";
import { changedValues } from "../shared/changed-values.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { formatCount, pluralText, timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import "./styles.js";

const pageText = pageTexts.changes;
const PLANS = "/api/v1/changes";

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.changes });
  const reload = () => load(list, () => rows(session, reload));
  main.append(html.p(pageText.about));
  // A key may be the assistant's own.
  if (!session.person) main.append(html.p({ class: "soft" }, pageText.peopleOnly));
  main.append(list, sameByAPI(curl("GET", PLANS)));
  reload();
}

/**
 * @param {Session} session
 * @param {() => void} reload
 */
async function rows(session, reload) {
  /** @type {PlannedChange[]} */
  const plans = (await get(PLANS)).changes;
  if (!plans.length) return emptyNotice(pageText.none, pageText.noneDetail);
  return table(
    html.span({ class: "unseen" }, texts.pages.changes),
    [
      pageText.change,
      texts.pages.links,
      pageText.clicks,
      pageText.plannedBy,
      pageTexts.programs.until,
      texts.links.actions,
    ],
    plans.map((plan) => [
      // All of it: nobody confirms what is folded away.
      html.div(
        { class: "whole", role: "group", "aria-label": pageText.change, tabindex: 0 },
        changedValues(null, fieldsOf(plan.change), {
          name: (field) => (field === "select" ? pageText.select : (texts.fields[field] ?? field)),
          isWhole: true,
        }),
      ),
      html.div(formatCount(plan.links), html.div({ class: "soft" }, plan.apps.join(", "))),
      html.div({ class: "problem" }, rehearsalText(plan.rehearsal)),
      html.div(
        { class: "problem" },
        keyName(plan.plannedBy),
        html.div({ class: "soft" }, timeElement(plan.plannedAt)),
      ),
      timeElement(plan.expiresAt),
      plan.confirmedBy
        ? html.div({ class: "problem" }, formatText(pageText.confirmedBy, plan.confirmedBy))
        : session.person &&
          button(pageText.confirm, () => ask(plan, reload), {
            "aria-label": formatText(texts.labelled, pageText.confirm, linkCount(plan)),
          }),
    ]),
    "list cards",
  );
}

/**
 * @param {string} change  JSON
 * @returns {Record<string, unknown>}
 */
function fieldsOf(change) {
  try {
    return JSON.parse(change);
  } catch {
    return { select: change };
  }
}

/** @param {PlannedChange["rehearsal"]} rehearsal */
function rehearsalText(rehearsal) {
  if (!rehearsal) return pageText.notRehearsed;
  const { clicks, changed, undecidable, days } = rehearsal;
  return formatText(pageText.rehearsed, ...[clicks, changed, undecidable, days].map(formatCount));
}

/** @param {PlannedChange} plan */
const linkCount = ({ links }) => pluralText(pageTexts.bulk.links, links);

/**
 * @param {PlannedChange} plan
 * @param {() => void} reload
 */
function ask(plan, reload) {
  confirm({
    title: formatText(pageText.confirmTitle, linkCount(plan)),
    detail: formatText(pageText.confirmDetail, keyName(plan.plannedBy)),
    action: pageText.confirm,
    isHarmless: true,
    work: async () => {
      await call("POST", path`/api/v1/changes/${plan.hash}` + ":confirm");
      announce(pageText.confirmed);
      reload();
    },
  });
}
