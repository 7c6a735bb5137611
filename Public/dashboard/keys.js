// API keys: the list, a new one, and the end of one.
import {
  announce, call, confirm, copyButton, curl, element, emptyNotice, field, fromLocalInput, get, input, load, path, sameByAPI, say,
  select, sendForm, setScreenKeys, table, texts, time,
} from "./base.js";

const t = texts.keys;
const SCOPES = ["read", "links", "create", "resolve", "admin"];

/** @param {HTMLElement} main @param {Session} session */
export function showKeys(main, session) {
  const list = element("section", { "aria-label": texts.pages.keys });
  const reload = () => load(list, () => rows(reload));
  const form = keyForm(session, reload);
  main.append(form, list, sameByAPI(curl("GET", "/api/v1/keys"), curl("POST", "/api/v1/keys", { name: "iOS app", scopes: ["resolve"] })));
  setScreenKeys([{ key: "c", text: t.create, run: () => { form.open = true; form.querySelector("input")?.focus(); } }]);
  reload();
}

/** @param {() => void} reload */
async function rows(reload) {
  /** @type {Key[]} */
  const keys = (await get("/api/v1/keys")).keys;
  if (!keys.length) return emptyNotice(t.none, t.noneDetail);
  return table(texts.pages.keys, [texts.fields.name, texts.fields.app, t.scopes, texts.links.created, t.lastUsed, texts.links.actions], keys.map((key) => [
    element("div", {}, element("strong", {}, key.name), " ", element("code", { class: "soft" }, key.id)),
    key.app ?? t.all, key.scopes.join(", "), time(key.createdAt),
    element("div", {}, time(key.lastUsedAt, t.never), key.expiresAt && element("div", { class: "soft" }, t.expires, " ", time(key.expiresAt))),
    element("button", { type: "button", class: "quiet", "aria-label": say(t.revokeOf, key.name), click: () => revoke(key, reload) }, t.revoke),
  ]), "list cards");
}

/** @param {Key} key @param {() => void} done */
function revoke(key, done) {
  confirm({
    title: say(t.revokeTitle, key.name), detail: t.revokeDetail, action: t.revoke,
    work: async () => {
      await call("DELETE", path`/api/v1/keys/${key.id}`);
      announce(say(t.revoked, key.name));
      done();
    },
  });
}

/** @param {Session} session @param {() => void} done */
function keyForm(session, done) {
  const apps = element("div");
  if (!session.app) showApplications(apps);
  return element("details", { class: "panel" }, element("summary", {}, t.create), sendForm(t.create, async ({ name, app, expiresAt }, form) => {
    const scopes = SCOPES.filter((scope) => form.querySelector(`[name="scope-${scope}"]:checked`));
    const body = { name, app: session.app ?? (app || null), scopes, expiresAt: fromLocalInput(expiresAt) };
    const { content } = await call("POST", "/api/v1/keys", { body });
    form.reset();
    done();
    return newKey(content);
  }, field(texts.fields.name, input("name", "", { maxlength: 200, required: true }), t.nameHint), apps, element("input", { type: "hidden", name: "scopes" }),
  element("fieldset", {}, element("legend", {}, t.scopes), SCOPES.map((scope) => element("label", { class: "choice" },
    element("input", { type: "checkbox", name: `scope-${scope}` }), element("span", {}, element("strong", {}, scope), " ", texts.scopeTexts[scope])))),
  field(t.expires, input("expiresAt", "", { type: "datetime-local" }), t.expiresHint)));
}

/** @param {HTMLElement} place */
function showApplications(place) {
  load(place, async () => {
    /** @type {Application[]} */
    const applications = (await get("/api/v1/apps")).apps;
    return field(texts.fields.app, select("app", [["", t.all], ...applications.map(({ id }) => /** @type {[string, string]} */ ([id, id]))]));
  });
}

/** @param {Key} made */
function newKey(made) {
  return element("div", { class: "notice good", role: "status" }, element("strong", {}, t.once), element("p", {}, t.onceDetail),
    element("p", {}, element("code", { tabindex: -1, class: "secret" }, made.key)), copyButton(made.key ?? ""));
}
