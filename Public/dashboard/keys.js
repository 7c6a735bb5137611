// API keys: the list, a new one, and the end of one.
import { announce } from "./announcement.js";
import { call, get, path, Problem } from "./api.js";
import { copyButton } from "./clipboard.js";
import { curl, sameByAPI } from "./command.js";
import { confirm } from "./dialog.js";
import { element, table } from "./element.js";
import { clearErrors, field, input, select, showErrors, values } from "./fields.js";
import { time } from "./formats.js";
import { setScreenKeys } from "./keyboard.js";
import { emptyNotice, load, problemNotice, rightsNotice } from "./pane.js";
import { may } from "./session.js";
import { texts } from "./texts.js";

/** @typedef {import("./model.js").Key} Key */
/** @typedef {import("./model.js").Session} Session */

const t = texts.keys;
const SCOPES = ["read", "links", "create", "resolve", "admin"];

/** @param {HTMLElement} main @param {Session} session */
export function showKeys(main, session) {
    main.replaceChildren(element("h1", { tabindex: -1 }, t.title));
    if (!may(session, "admin")) {
        main.append(rightsNotice("admin"));
        return t.title;
    }
    const list = element("section", { "aria-label": t.title });
    const reload = () => load(list, () => rows(reload));
    const form = keyForm(session, reload);
    main.append(form, list, sameByAPI(curl("GET", "/api/v1/keys"), curl("POST", "/api/v1/keys", { name: "iOS app", scopes: ["resolve"] })));
    setScreenKeys([{ key: "c", text: t.create, run: () => { form.open = true; form.querySelector("input")?.focus(); } }]);
    reload();
    return t.title;
}

/** @param {() => void} reload */
async function rows(reload) {
    /** @type {Key[]} */
    const keys = (await get("/api/v1/keys")).keys;
    if (!keys.length) return emptyNotice(t.none, t.noneDetail);
    return table(t.caption, [texts.fields.name, texts.fields.app, t.scopes, texts.links.created, t.lastUsed, texts.links.actions], keys.map((key) => [
        element("div", {}, element("strong", {}, key.name), " ", element("code", { class: "soft" }, key.id)),
        key.app ?? t.all, key.scopes.join(", "), time(key.createdAt),
        element("div", {}, time(key.lastUsedAt, t.never), key.expiresAt && element("div", { class: "soft" }, t.expires, " ", time(key.expiresAt))),
        element("button", { type: "button", class: "quiet", "aria-label": t.revokeOf(key.name), click: () => revoke(key, reload) }, t.revoke),
    ]), "list cards");
}

/** @param {Key} key @param {() => void} done */
function revoke(key, done) {
    confirm({
        title: t.revokeTitle(key.name), detail: t.revokeDetail, action: t.revoke,
        work: async () => {
            await call("DELETE", path`/api/v1/keys/${key.id}`);
            announce(t.revoked(key.name));
            done();
        },
    });
}

/** @param {Session} session @param {() => void} done */
function keyForm(session, done) {
    const outcome = element("div");
    const apps = element("div");
    const submit = element("button", { type: "submit" }, t.create);
    const scopes = element("input", { type: "hidden", name: "scopes" });
    const form = element("form", {
        novalidate: true,
        submit: async (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            submit.disabled = true;
            clearErrors(form);
            try {
                const { name, app } = values(form);
                const chosen = SCOPES.filter((scope) => form.querySelector(`[name="scope-${scope}"]:checked`));
                const { content } = await call("POST", "/api/v1/keys", { body: { name, app: session.app ?? (app || null), scopes: chosen } });
                form.reset();
                outcome.replaceChildren(newKey(content));
                outcome.querySelector("code")?.focus();
                done();
            } catch (error) {
                if (error instanceof Problem) error.errors = showErrors(form, error.errors);
                outcome.replaceChildren(problemNotice(error));
            } finally {
                submit.disabled = false;
            }
        },
    }, field(texts.fields.name, input("name", "", { maxlength: 200, required: true }), t.nameHint), apps, scopes,
    element("fieldset", {}, element("legend", {}, t.scopes), SCOPES.map((scope) => element("label", { class: "choice" },
        element("input", { type: "checkbox", name: `scope-${scope}` }), element("span", {}, element("strong", {}, scope), " ", t.scopeTexts[scope])))),
    submit);
    if (!session.app) showApplications(apps);
    return element("details", { class: "panel" }, element("summary", {}, t.create), form, outcome);
}

/** @param {HTMLElement} place */
function showApplications(place) {
    load(place, async () => {
        /** @type {import("./model.js").Application[]} */
        const applications = (await get("/api/v1/apps")).apps;
        return field(texts.fields.app, select("app", [["", t.all], ...applications.map(({ id }) => /** @type {[string, string]} */ ([id, id]))]));
    });
}

/** @param {Key} made */
function newKey(made) {
    return element("div", { class: "notice good", role: "status" }, element("strong", {}, t.once), element("p", {}, t.onceDetail),
        element("p", {}, element("code", { tabindex: -1, class: "secret" }, made.key)), copyButton(made.key ?? ""));
}
