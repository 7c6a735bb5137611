// API keys: the list, a new one, and the end of one.
import { announce } from "../shared/announcement.js";
import { call, get, path } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { button, html, table } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { fromLocalInput, time } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { applicationField, choices, creationPanel, onceNotice } from "./creation.js";

const t = pageTexts.keys;

/** @type {ShowPage} */
export function show(main, session) {
  const list = html.section({ "aria-label": texts.pages.keys });
  const shown = { id: "", notice: html.div() };
  // A secret that opens nothing any more is of no use to anybody.
  const revoked = (id = "") => {
    if (shown.id === id) shown.notice.remove();
    reload();
  };
  const reload = () => load(list, () => rows(revoked));
  const form = sendForm(
    t.create,
    async ({ name, app, expiresAt }, form) => {
      const body = {
        name,
        app: session.app ?? (app || null),
        scopes: new FormData(form).getAll("scopes"),
        expiresAt: fromLocalInput(expiresAt),
      };
      const { content } = await call("POST", "/api/v1/keys", { body });
      form.reset();
      reload();
      shown.id = content.id;
      shown.notice = onceNotice(content.key, t.once, t.onceDetail);
      return shown.notice;
    },
    field(texts.fields.name, input("name", "", { maxlength: 200, required: true }), t.nameHint),
    applicationField(session, t.all),
    choices(t.scopes, "scopes", pageTexts.scopeTexts),
    field(t.expires, input("expiresAt", "", { type: "datetime-local" }), t.expiresHint),
  );
  main.append(
    creationPanel(t.create, form),
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
  if (!keys.length) return emptyNotice(t.none, t.noneDetail);
  return table(
    texts.pages.keys,
    [
      texts.fields.name,
      texts.fields.app,
      t.scopes,
      texts.links.created,
      t.lastUsed,
      texts.links.actions,
    ],
    keys.map((key) => [
      html.div(html.strong(key.name), " ", html.code({ class: "soft" }, key.id)),
      key.app ?? t.all,
      key.scopes.join(", "),
      time(key.createdAt),
      html.div(
        time(key.lastUsedAt, t.never),
        key.expiresAt && html.div({ class: "soft" }, t.expires, " ", time(key.expiresAt)),
      ),
      button(t.revoke, () => revoke(key, () => revoked(key.id)), {
        "aria-label": say(t.revokeOf, key.name),
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
    title: say(t.revokeTitle, key.name),
    detail: t.revokeDetail,
    action: t.revoke,
    work: async () => {
      await call("DELETE", path`/api/v1/keys/${key.id}`);
      announce(say(t.revoked, key.name));
      done();
    },
  });
}
