// All applications.
import { hash } from "../frame/address.js";
import { may } from "../frame/session.js";
import { applications } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

const applicationTexts = pageTexts.applications;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.applications });
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
        applicationTexts.id,
        applicationTexts.domains,
        applicationTexts.linksHead,
      ],
      all.map(({ id, name, domains }) => [
        anchor(hash(["applications", id]), name ?? id, { class: "row-link" }),
        html.code(id),
        domains?.join(", ") || applicationTexts.otherHosts,
        anchor(hash(["links"], { app: id }), applicationTexts.showLinks),
      ]),
      "list cards",
    );
  });
}
