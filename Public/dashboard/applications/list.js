// All applications.
import { hash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { applications } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";
import { checkFiles } from "./association.js";
import { fileBadge } from "./domain-states.js";

const applicationTexts = pageTexts.applications;
/** Applications whose files are checked: each check takes the server some milliseconds. */
const CHECKED = 20;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.applications });
  const isChecked = may(session, "links");
  if (may(session, "admin") && !session.app) {
    main.firstElementChild?.append(
      anchor(hash(["new-application"]), texts.newApplication, { class: "button" }),
    );
  }
  main.append(list, sameByAPI(curl("GET", "/api/v1/apps")));
  load(list, async () => {
    const all = await applications();
    if (!all.length) return emptyNotice(applicationTexts.none, applicationTexts.noneDetail);
    return table(
      html.span({ class: "unseen" }, texts.pages.applications),
      [
        texts.fields.name,
        applicationTexts.domains,
        ...(isChecked ? [pageTexts.files.title] : []),
        applicationTexts.linksHead,
      ],
      all.map((application, index) => [
        html.div(
          anchor(hash(["applications", application.id]), application.name ?? application.id, {
            class: "row-link",
          }),
          " ",
          application.name && html.code({ class: "soft" }, application.id),
        ),
        application.domains?.join(", ") || applicationTexts.otherHosts,
        ...(isChecked ? [index < CHECKED ? filesOf(application) : "–"] : []),
        anchor(hash(["links"], { app: application.id }), applicationTexts.showLinks),
      ]),
      "list cards",
    );
  });
}

/**
 * What the check of an application's association files says, once it is there.
 *
 * @param {Application} application
 */
function filesOf(application) {
  const cell = html.div();
  load(cell, async () => {
    const files = (await checkFiles(application)).filter(({ isMissing }) => !isMissing);
    return files.length
      ? files.map((file) => html.div(html.code(file.kind), " ", fileBadge(file)))
      : "–";
  });
  return cell;
}
