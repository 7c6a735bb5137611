// The first screen: a key for a session.
import { call, Problem } from "./api.js";
import { element } from "./element.js";
import { problemNotice } from "./pane.js";
import { signIn } from "./session.js";
import { texts } from "./texts.js";

const t = texts.signIn;

/**
 * @param {HTMLElement} main
 * @param {{notice?: string, done: () => void}} options
 */
export function showSignIn(main, { notice, done }) {
    const outcome = element("div", { id: "outcome" });
    const key = element("input", {
        id: "key", type: "password", required: true, autocomplete: "off", spellcheck: "false", autocapitalize: "none",
        placeholder: "wm_…", "aria-describedby": "outcome",
    });
    const submit = element("button", { type: "submit" }, t.submit);
    const form = element("form", {
        class: "panel",
        submit: async (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            submit.disabled = true;
            outcome.replaceChildren();
            try {
                await signIn(key.value.trim());
                key.value = "";
                done();
            } catch (error) {
                outcome.replaceChildren(problemNotice(explained(error)));
                key.select();
                key.focus();
            } finally {
                submit.disabled = false;
            }
        },
    }, element("label", {}, t.key, key, element("small", {}, t.kept)), outcome, submit);
    const health = element("span", {}, texts.loading);
    main.replaceChildren(element("div", { class: "narrow" },
        element("h1", { tabindex: -1 }, "Waymark"),
        element("p", {}, t.about),
        notice && element("p", { class: "notice", role: "status" }, notice),
        form,
        element("h2", {}, t.where),
        element("p", {}, t.whereDetail),
        element("pre", { tabindex: 0 }, element("code", {}, "waymark keys create --name dashboard --scope admin")),
        element("p", { class: "soft" }, t.server, " ", health)));
    key.focus();
    showHealth(health);
}

/**
 * A server without sessions answers like one without this page's back end.
 *
 * @param {unknown} error
 */
function explained(error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 405)) {
        return new Problem({ title: t.unsupported, detail: t.unsupportedDetail });
    }
    return error;
}

/** @param {HTMLElement} place */
async function showHealth(place) {
    try {
        await call("GET", "/readyz");
        place.textContent = t.ready;
    } catch (error) {
        place.textContent = error instanceof Problem && error.status ? t.notReady : texts.errors.offline;
    }
}
