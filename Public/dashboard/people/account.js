// Who is signed in: what they may do, another passkey for another device, and the programs that
// they let act.
import { languageChoice } from "../frame/language-choice.js";
import { keyName } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { button, facts, html } from "../shared/element.js";
import { timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { problemNotice } from "../shared/pane.js";
import { texts } from "../shared/texts.js";
import { hasPasskeys, prepare } from "./passkeys.js";
import { programList } from "./programs.js";

const accountTexts = pageTexts.account;
const OWN = "/api/v1/programs";

/** @type {ShowPage} */
export function show(main, session) {
  const outcome = html.div({ "aria-live": "polite" });
  const add = button(accountTexts.add, async () => {
    add.disabled = true;
    outcome.replaceChildren();
    try {
      await (await prepare()).make();
      announce(accountTexts.added);
    } catch (error) {
      outcome.replaceChildren(problemNotice(error));
    }
    add.disabled = false;
  });
  const roles = (session.memberships ?? []).map(({ app, role }) =>
    html.div(`${pageTexts.personRoles[role]} – ${app ?? pageTexts.people.allApplications}`),
  );
  main.append(
    facts("facts", [
      [accountTexts.signedIn, keyName(session.name)],
      [accountTexts.may, roles.length ? roles : session.scopes.join(", ")],
      [accountTexts.until, timeElement(session.expiresAt)],
      [texts.language, languageChoice()],
    ]),
  );
  const programs = session.scopes.some((scope) => ["read", "links", "admin"].includes(scope))
    ? [html.h2(pageTexts.programs.title), html.p(pageTexts.programs.detail), programList(OWN)]
    : [];
  if (!session.person) {
    main.append(html.p({ class: "soft" }, accountTexts.isKey), ...programs);
    return;
  }
  const known = hasPasskeys();
  main.append(
    html.h2(accountTexts.passkeys),
    html.p(known ? accountTexts.passkeysDetail : accountTexts.noPasskeys),
    ...(known ? [add] : []),
    outcome,
    ...programs,
  );
}
