// The first screen: a key for a session.
import { call, element, field, input, Problem, sendForm, signIn, texts } from "./base.js";

const t = texts.signIn;

/** @param {HTMLElement} main @param {{notice?: string, done: () => void}} options */
export function showSignIn(main, { notice, done }) {
  const key = input("key", "", { type: "password", required: true, placeholder: "wm_…" });
  const form = sendForm(t.submit, async () => {
    try {
      await signIn(key.value.trim());
    } catch (error) {
      key.select();
      throw explained(error);
    }
    done();
  }, field(t.key, key, t.kept));
  form.className = "panel";
  key.id = "key";
  form.querySelector("label")?.setAttribute("for", "key");
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

// A server without sessions answers like one without this page's back end.
/** @param {unknown} error */
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
