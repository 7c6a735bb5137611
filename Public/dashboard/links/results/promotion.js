// Promotes what has won a test: shows the rules as they will be, changes them, and offers to take
// it back.
import { offerUndo } from "../../frame/undo.js";
import { call, Problem } from "../../shared/api.js";
import { button, html } from "../../shared/element.js";
import { openDialog } from "../../shared/dialog.js";
import { formatCount } from "../../shared/formats.js";
import { sendForm } from "../../shared/forms.js";
import { linkPath } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { load } from "../../shared/pane.js";
import { formatText, texts } from "../../shared/texts.js";
import { rulesTable } from "../rules.js";

const resultTexts = pageTexts.results;
/** Days whose clicks are rehearsed. */
const DAYS = 7;

/**
 * @param {Stored} stored
 * @param {string} name  of what has won
 * @param {Rule[]} rules  without the test
 * @param {() => Promise<void>} reload
 */
export function promote({ link, etag }, name, rules, reload) {
  const patch = { rules: rules.length ? rules : null };
  const rehearsed = html.div();
  const form = sendForm(
    formatText(resultTexts.promoteNow, name),
    async () => {
      const answer = await call("PATCH", linkPath(link), { body: patch, etag });
      dialog.close();
      offerUndo(formatText(resultTexts.promoted, name), async () => {
        const body = { rules: link.rules };
        await call("PATCH", linkPath(link), { body, etag: answer.etag });
        await reload();
        return resultTexts.restored;
      });
      await reload();
    },
    html.p(rules.length ? resultTexts.promoteDetail : resultTexts.promoteNone),
    rules.length > 0 && rulesTable(rules),
    rehearsed,
  );
  const dialog = openDialog(formatText(resultTexts.promoteTitle, name), form);
  form.querySelector(".buttons")?.append(button(texts.cancel, () => dialog.close()));
  load(rehearsed, () => rehearsal(link, patch));
}

/**
 * What the change would have done to the last days' clicks; nothing where the server can't say.
 *
 * @param {Link} link
 * @param {object} patch
 */
async function rehearsal(link, patch) {
  try {
    const body = { patch, days: DAYS };
    const { content } = await call("POST", linkPath(link) + ":rehearse", { body });
    const { clicks, changed, undecidable, why } = content;
    if (!clicks) return html.p({ class: "soft" }, resultTexts.nothingToRehearse);
    const counts = [clicks, changed, undecidable].map(formatCount);
    return [
      html.p(formatText(resultTexts.rehearsed, ...counts)),
      undecidable > 0 &&
        html.ul(
          { class: "soft" },
          why.map((/** @type {string} */ reason) => html.li(reason)),
        ),
    ];
  } catch (error) {
    if (error instanceof Problem && [404, 405].includes(error.status)) return null;
    throw error;
  }
}
