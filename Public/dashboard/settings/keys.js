// API keys: the list, a new one, and the end of one.
import { announce } from "../shared/announcement.js";
import { call, get, path } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { fromLocalInput, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { applicationField, choices, creationPanel, onceNotice } from "./creation.js";

const keyTexts = pageTexts.keys;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.keys });
  /** The key whose secret is shown. */
  const shown = { id: "", notice: html.div() };
  /**
   * A secret that opens nothing any more is of no use to anybody.
   *
   * @param {string} id
   */
  const revoked = (id) => {
    if (shown.id === id) shown.notice.remove();
    reload();
  };
  const reload = () => load(list, () => rows(revoked));
  const form = sendForm(
    keyTexts.submit,
    async ({ name, app, expiresAt }, sent) => {
      const body = {
        name,
        app: session.app ?? (app || null),
        scopes: new FormData(sent).getAll("scopes"),
        expiresAt: fromLocalInput(expiresAt),
      };
      const { content } = await call("POST", "/api/v1/keys", { body });
      sent.reset();
      reload();
      shown.id = content.id;
      shown.notice = onceNotice(content.key, keyTexts.once, keyTexts.onceDetail);
      return shown.notice;
    },
    field(
      texts.fields.name,
      input("name", "", { maxlength: 200, required: true }),
      keyTexts.nameHint,
    ),
    applicationField(session, keyTexts.all),
    choices(keyTexts.scopes, "scopes", pageTexts.scopeTexts),
    field(
      keyTexts.expires,
      input("expiresAt", "", { type: "datetime-local" }),
      keyTexts.expiresHint,
    ),
  );
  main.append(
    creationPanel(main, keyTexts.create, form),
    list,
    sameByAPI(
      curl("GET", "/api/v1/keys"),
      curl("POST", "/api/v1/keys", { name: "iOS app", scopes: ["resolve"] }),
    ),
  );
  reload();
}

/** @param {(id: string) => void} revoked */
async function rows(revoked) {
  /** @type {Key[]} */
  const keys = (await get("/api/v1/keys")).keys;
  if (!keys.length) return emptyNotice(keyTexts.none, keyTexts.noneDetail);
  return table(
    html.span({ class: "unseen" }, texts.pages.keys),
    [
      texts.fields.name,
      texts.fields.app,
      keyTexts.scopes,
      texts.links.created,
      keyTexts.lastUsed,
      texts.links.actions,
    ],
    keys.map((key) => [
      html.div(html.strong(key.name), " ", html.code({ class: "soft" }, key.id)),
      key.app ?? keyTexts.all,
      key.scopes.join(", "),
      timeElement(key.createdAt),
      html.div(
        timeElement(key.lastUsedAt, keyTexts.never),
        key.expiresAt &&
          html.div({ class: "soft" }, keyTexts.expires, " ", timeElement(key.expiresAt)),
      ),
      button(keyTexts.revoke, () => revoke(key, () => revoked(key.id)), {
        "aria-label": formatText(keyTexts.revokeOf, key.name),
      }),
    ]),
    "list cards",
  );
}

/**
 * @param {Key} key
 * @param {() => void} done
 */
function revoke(key, done) {
  confirm({
    title: formatText(keyTexts.revokeTitle, key.name),
    detail: keyTexts.revokeDetail,
    action: keyTexts.revoke,
    work: async () => {
      await call("DELETE", path`/api/v1/keys/${key.id}`);
      announce(formatText(keyTexts.revoked, key.name));
      done();
    },
  });
}
