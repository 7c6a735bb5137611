// People: who may do what with which applications, invitations, and the end of somebody's access.
import { applications, call, get, path } from "../shared/api.js";
import { announce } from "../shared/announcement.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm, openDialog } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { pluralText, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { creationPanel, onceNotice } from "../settings/creation.js";
import { programList } from "./programs.js";

const peopleTexts = pageTexts.people;
/** From the least to the most. */
const ROLES = ["viewer", "editor", "admin"];

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.people });
  /** The applications that the caller administers; the first entry is all of them. */
  const known = applicationChoices(session);
  const reload = () =>
    load(list, async () =>
      rows(await known, session, {
        reload,
        invited: (node) => list.prepend(node),
      }),
    );
  const places = html.div();
  load(places, async () => field(texts.fields.app, select("app", await known)));
  const form = sendForm(
    peopleTexts.invite,
    async ({ name, email, role, app }, sent) => {
      const body = {
        name,
        email: email || undefined,
        role,
        app: app || undefined,
      };
      const { content } = await call("POST", "/api/v1/people:invite", { body });
      sent.reset();
      reload();
      return invitationNotice(content);
    },
    field(texts.fields.name, input("name", "", { maxlength: 200, required: true })),
    field(peopleTexts.email, input("email", "", { type: "email" }), peopleTexts.emailHint),
    field(peopleTexts.role, select("role", roleChoices())),
    places,
  );
  main.append(
    creationPanel(main, peopleTexts.invite, form),
    list,
    sameByAPI(
      curl("GET", "/api/v1/people"),
      curl("POST", "/api/v1/people:invite", { name: "Ana", role: "editor" }),
    ),
  );
  reload();
}

const roleChoices = () =>
  ROLES.map((role) => [
    role,
    formatText(texts.labelled, pageTexts.personRoles[role], pageTexts.roleTexts[role]),
  ]);

/**
 * @param {Session} session
 * @returns {Promise<string[][]>}
 */
async function applicationChoices(session) {
  const administered = (session.memberships ?? []).filter(({ role }) => role === "admin");
  const isForAll = !session.person ? !session.app : administered.some(({ app }) => !app);
  const names = (await applications()).map(({ id }) => id);
  const own = isForAll
    ? names
    : names.filter((id) => id === session.app || administered.some(({ app }) => app === id));
  return [...(isForAll ? [["", peopleTexts.allApplications]] : []), ...own.map((id) => [id, id])];
}

/** @param {{link: string, expiresAt: string, person: Person}} invitation */
function invitationNotice({ link, person }) {
  const address = new URL(link, location.href).href;
  return onceNotice(address, formatText(peopleTexts.send, person.name), peopleTexts.sendDetail);
}

/**
 * @typedef {{reload: () => void, invited: (node: Node) => void}} Actions
 */

/**
 * @param {string[][]} choices
 * @param {Session} session
 * @param {Actions} actions
 */
async function rows(choices, session, actions) {
  /** @type {Person[]} */
  const people = (await get("/api/v1/people")).people;
  if (!people.length) return emptyNotice(peopleTexts.none, peopleTexts.noneDetail);
  return table(
    texts.pages.people,
    [
      texts.fields.name,
      peopleTexts.roleOf,
      peopleTexts.signsIn,
      peopleTexts.lastSeen,
      texts.links.actions,
    ],
    people.map((person) => [
      html.div(
        html.strong(person.name),
        person.disabled && [" ", html.span({ class: "state disabled" }, texts.states.disabled)],
        person.email && html.div({ class: "soft" }, person.email),
      ),
      person.memberships.length
        ? person.memberships.map(({ app, role }) =>
            html.div(
              pageTexts.personRoles[role],
              " ",
              html.span({ class: "soft" }, app ?? peopleTexts.allApplications),
            ),
          )
        : html.span({ class: "soft" }, peopleTexts.noRole),
      waysIn(person),
      timeElement(person.signedInAt, peopleTexts.never),
      buttons(person, choices, session, actions),
    ]),
    "list cards",
  );
}

/** @param {Person} person */
function waysIn({ passkeys, identities }) {
  const ways = [
    passkeys.length && pluralText(peopleTexts.passkeys, passkeys.length),
    ...identities.map(({ issuer }) => issuer),
  ].filter(Boolean);
  return ways.length
    ? ways.map((way) => html.div(way))
    : html.span({ class: "soft" }, peopleTexts.invited);
}

/**
 * @param {Person} person
 * @param {string[][]} choices
 * @param {Session} session
 * @param {Actions} actions
 */
function buttons(person, choices, session, { reload, invited }) {
  const target = path`/api/v1/people/${person.id}`;
  /** @param {string} text */
  const named = (text) => ({ "aria-label": formatText(texts.labelled, text, person.name) });
  /**
   * @param {object} body
   * @param {string} said
   */
  const change = async (body, said) => {
    await call("PATCH", target, { body });
    announce(formatText(said, person.name));
    reload();
  };
  const invite = async () => {
    const { content } = await call("POST", "/api/v1/people:invite", {
      body: { person: person.id },
    });
    invited(invitationNotice(content));
  };
  const disable = () =>
    confirm({
      title: formatText(peopleTexts.disableTitle, person.name),
      detail: peopleTexts.disableDetail,
      action: peopleTexts.disable,
      work: () => change({ disabled: true }, peopleTexts.disabled),
    });
  const remove = () =>
    confirm({
      title: formatText(peopleTexts.removeTitle, person.name),
      detail: peopleTexts.removeDetail,
      action: peopleTexts.remove,
      work: async () => {
        await call("DELETE", target);
        announce(formatText(peopleTexts.removed, person.name));
        reload();
      },
    });
  const showPrograms = () => {
    const title = formatText(pageTexts.programs.of, person.name);
    const close = button(texts.close, () => dialog.close(), { autofocus: true });
    const list = programList(`${target}/programs`);
    const dialog = openDialog(title, list, html.div({ class: "buttons" }, close));
  };
  return html.div(
    { class: "buttons" },
    button(
      peopleTexts.changeRoles,
      () => changeRoles(person, choices, change),
      named(peopleTexts.changeRoles),
    ),
    !person.disabled && button(peopleTexts.inviteAgain, invite, named(peopleTexts.inviteAgain)),
    !person.disabled &&
      button(pageTexts.programs.button, showPrograms, named(pageTexts.programs.button)),
    person.id !== session.person?.id &&
      (person.disabled
        ? button(
            peopleTexts.enable,
            () => change({ disabled: false }, peopleTexts.enabled),
            named(peopleTexts.enable),
          )
        : button(peopleTexts.disable, disable, named(peopleTexts.disable))),
    person.id !== session.person?.id &&
      button(peopleTexts.remove, remove, named(peopleTexts.remove)),
  );
}

/**
 * A role for each application, and one for all of them.
 *
 * @param {Person} person
 * @param {string[][]} choices
 * @param {(body: object, said: string) => Promise<void>} change
 */
function changeRoles(person, choices, change) {
  const form = sendForm(
    texts.save,
    async (roles) => {
      const memberships = choices
        .map(([app], index) => ({
          app: app || null,
          role: roles[`role-${index}`],
        }))
        .filter(({ role }) => role);
      await change({ memberships }, peopleTexts.changed);
      dialog.close();
    },
    choices.map(([app, name], index) => {
      const present = person.memberships.find((membership) => (membership.app ?? "") === app);
      const options = [["", peopleTexts.noRole], ...roleChoices()];
      return field(name, select(`role-${index}`, options, present?.role ?? ""));
    }),
  );
  const dialog = openDialog(formatText(peopleTexts.rolesOf, person.name), form);
  form.querySelector(".buttons")?.append(button(texts.cancel, () => dialog.close()));
}
