// The first screen: a passkey, an account or a key for a session.
import { call, Problem } from "../shared/api.js";
import { anchor, button, html } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { hasPasskeys, hasProvider, signInWithPasskey } from "../people/passkeys.js";
import { problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { keyName, signIn } from "./session.js";

const signInTexts = texts.signIn;

/**
 * @param {HTMLElement} main
 * @param {{notice?: string, done: () => void}} options
 */
export function show(main, { notice, done }) {
  const key = input("key", "", {
    type: "password",
    required: true,
    placeholder: "wm_…",
  });
  const form = sendForm(
    signInTexts.submit,
    async () => {
      await signIn({ key: key.value.trim() }).catch(async (error) => {
        key.select();
        if (error.kind !== "scope-missing") throw error;
        const { pageTexts } = await import("../shared/page-texts.js");
        throw new Problem(pageTexts.appKey);
      });
      done();
    },
    field(signInTexts.key, key, signInTexts.kept),
  );
  form.className = "panel";
  const health = html.span(texts.loading);
  const outcome = html.div({ "aria-live": "polite" });
  /** @param {() => Promise<unknown>} work */
  const attempt = (work) => async (/** @type {Event} */ event) => {
    const pressed = /** @type {HTMLButtonElement} */ (event.currentTarget);
    pressed.disabled = true;
    outcome.replaceChildren();
    try {
      await work();
      done();
    } catch (error) {
      outcome.replaceChildren(problemNotice(error));
      pressed.disabled = false;
    }
  };
  const ways = html.div(
    { class: "buttons" },
    hasPasskeys() &&
      html.button({ type: "button", click: attempt(signInWithPasskey) }, signInTexts.passkey),
  );
  hasProvider().then((isThere) => {
    if (isThere) ways.append(anchor("/_/oidc", signInTexts.provider, { class: "button" }));
  });
  main.replaceChildren(
    html.div(
      { class: "narrow" },
      html.h1({ tabindex: -1 }, "Waymark"),
      html.p(signInTexts.about),
      notice && html.p({ class: "notice", role: "status" }, notice),
      ways,
      outcome,
      html.h2(signInTexts.withKey),
      form,
      html.h2(signInTexts.where),
      html.p(signInTexts.whereDetail),
      html.pre({ tabindex: 0 }, html.code(`waymark dashboard --url ${location.origin}`)),
      html.p({ class: "soft" }, signInTexts.server, " ", health),
    ),
  );
  key.focus();
  call("GET", "/readyz")
    .then(
      () => signInTexts.ready,
      ({ status }) => (status ? signInTexts.notReady : texts.errors.offline),
    )
    .then((text) => {
      health.textContent = text;
    });
}

/**
 * Asks before a link signs in: somebody else may have made it, so that one works in their session.
 *
 * @param {HTMLElement} main
 * @param {string} token
 * @param {() => void} done
 */
export async function askToSignIn(main, token, done) {
  const { name, app } = (await signIn({ token, look: true })).content;
  const form = sendForm(
    signInTexts.submit,
    () => signIn({ token }).then(done),
    html.p(formatText(signInTexts.as, keyName(name), app ?? signInTexts.all)),
    html.p({ class: "soft" }, signInTexts.replaces),
  );
  form.append(button(texts.cancel, done));
  main.replaceChildren(html.div({ class: "narrow" }, html.h1({ tabindex: -1 }, "Waymark"), form));
  main.querySelector("button")?.focus();
}
