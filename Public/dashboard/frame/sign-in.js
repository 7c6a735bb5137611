// The first screen: a key for a session.
import { call, Problem } from "../shared/api.js";
import { button, html } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { say, texts } from "../shared/texts.js";
import { keyName, signIn } from "./session.js";

const t = texts.signIn;

/**
 * @param {HTMLElement} main
 * @param {{notice?: string, done: () => void}} options
 */
export function show(main, { notice, done }) {
  const key = input("key", "", { type: "password", required: true, placeholder: "wm_…" });
  const form = sendForm(
    t.submit,
    async () => {
      await signIn({ key: key.value.trim() }).catch((error) => {
        key.select();
        throw error.kind === "scope-missing"
          ? new Problem({ title: t.forApps, detail: t.forAppsDetail })
          : error;
      });
      done();
    },
    field(t.key, key, t.kept),
  );
  form.className = "panel";
  const health = html.span(texts.loading);
  main.replaceChildren(
    html.div(
      { class: "narrow" },
      html.h1({ tabindex: -1 }, "Waymark"),
      html.p(t.about),
      notice && html.p({ class: "notice", role: "status" }, notice),
      form,
      html.h2(t.where),
      html.p(t.whereDetail),
      html.pre({ tabindex: 0 }, html.code("waymark keys create --name dashboard --scope admin")),
      html.p({ class: "soft" }, t.server, " ", health),
    ),
  );
  key.focus();
  call("GET", "/readyz")
    .then(
      () => t.ready,
      ({ status }) => (status ? t.notReady : texts.errors.offline),
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
export async function ask(main, token, done) {
  const { name, app } = (await signIn({ token, look: true })).content;
  const form = sendForm(
    t.submit,
    () => signIn({ token }).then(done),
    html.p(say(t.as, keyName(name), app ?? t.all)),
    html.p({ class: "soft" }, t.replaces),
  );
  form.append(button(texts.cancel, done));
  main.replaceChildren(html.div({ class: "narrow" }, html.h1({ tabindex: -1 }, "Waymark"), form));
  main.querySelector("button")?.focus();
}
