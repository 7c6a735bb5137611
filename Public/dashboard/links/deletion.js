// Deletes a link, after a question.
import { deleteLater } from "../frame/undo.js";
import { call } from "../shared/api.js";
import { confirm } from "../shared/dialog.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";

const listTexts = pageTexts.list;

/**
 * @param {Link} link
 * @param {() => void} done
 */
export function deleteLink(link, done) {
  confirm({
    title: listTexts.deleteTitle,
    detail: formatText(listTexts.deleteDetail, link.smartlink),
    action: texts.delete,
    work: async () => {
      deleteLater([`${link.domain}/${link.slug}`], formatText(listTexts.deleted, link.slug), () =>
        call("DELETE", linkPath(link)),
      );
      done();
    },
  });
}
