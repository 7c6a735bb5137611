// The programs that somebody lets act by OAuth, and their end.
import { announce } from "../shared/announcement.js";
import { call, get } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";

const programTexts = pageTexts.programs;

/**
 * @param {string} target  where the API has them
 */
export function programList(target) {
  const list = html.div();
  const reload = () =>
    load(list, async () => {
      /** @type {Program[]} */
      const programs = (await get(target)).programs;
      if (!programs.length) return html.p({ class: "soft" }, programTexts.none);
      return table(
        programTexts.title,
        [
          programTexts.program,
          programTexts.may,
          programTexts.allowed,
          programTexts.used,
          programTexts.until,
          html.span({ class: "unseen" }, texts.links.actions),
        ],
        programs.map((program) => row(target, program, reload)),
        "list cards",
      );
    });
  reload();
  return list;
}

/**
 * @param {string} target
 * @param {Program} program
 * @param {() => void} reload
 */
function row(target, program, reload) {
  const { id, name, scopes, apps, allowedAt, lastUsedAt, expiresAt } = program;
  const end = () =>
    confirm({
      title: formatText(programTexts.endTitle, name),
      detail: programTexts.endDetail,
      action: programTexts.end,
      work: async () => {
        await call("DELETE", `${target}/${id}`);
        announce(formatText(programTexts.ended, name));
        reload();
      },
    });
  return [
    html.strong(name),
    html.div(
      scopes.map((scope) => html.div(pageTexts.scopeTexts[scope] ?? scope)),
      html.div({ class: "soft" }, apps?.join(", ") ?? pageTexts.people.allApplications),
    ),
    timeElement(allowedAt),
    timeElement(lastUsedAt),
    timeElement(expiresAt),
    button(programTexts.end, end, {
      "aria-label": formatText(texts.labelled, programTexts.end, name),
    }),
  ];
}
