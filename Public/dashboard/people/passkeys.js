// Passkeys: the browser's part of WebAuthn, in the JSON forms of its level 3.
import { call, Problem } from "../shared/api.js";
import { pageTexts } from "../shared/page-texts.js";

/** The functions of level 3, which not every description of the browser has. */
const webAuthn = /** @type {any} */ (window).PublicKeyCredential;

/** Whether this browser has them, in an address that it allows them in. */
export const hasPasskeys = () => Boolean(webAuthn?.parseCreationOptionsFromJSON);

/** What is asked for, before a person confirms it. */
const options = async (/** @type {string} */ target, /** @type {object} */ body) =>
  (await call("POST", target, { body })).content;

/**
 * The credential, once the person has confirmed it on the device.
 *
 * @param {Promise<Credential | null>} asked
 */
async function confirmed(asked) {
  try {
    return /** @type {any} */ (await asked).toJSON();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    const { known, notMade, notMadeDetail } = pageTexts.passkeys;
    throw new Problem({
      title: name === "InvalidStateError" ? known : notMade,
      detail: name === "InvalidStateError" ? "" : notMadeDetail,
    });
  }
}

/**
 * The name of the person, and a function that makes a passkey for them. An invitation is not used
 * up before that.
 *
 * @param {{invitation?: string}} [whose]  without an invitation, the person who is signed in
 */
export async function prepare(whose = {}) {
  const given = await options("/_/passkeys/options", whose);
  return {
    name: given.user.displayName,
    make: async () => {
      const publicKey = webAuthn.parseCreationOptionsFromJSON(given);
      const credential = await confirmed(navigator.credentials.create({ publicKey }));
      await call("POST", "/_/passkeys", { body: { ...whose, credential } });
    },
  };
}

/** Signs in with a passkey that the browser offers. */
export async function signInWithPasskey() {
  const given = await options("/_/session/options", {});
  const publicKey = webAuthn.parseRequestOptionsFromJSON(given);
  const credential = await confirmed(navigator.credentials.get({ publicKey }));
  await call("POST", "/_/session", { body: { credential } });
}

/**
 * Whether a provider signs people in here: its address leads away. Without cookies, because that of
 * a sign-in which another tab has begun would be replaced.
 */
export async function hasProvider() {
  const request = /** @type {RequestInit} */ ({ redirect: "manual", credentials: "omit" });
  const response = await fetch("/_/oidc", request).catch(() => null);
  return response?.type === "opaqueredirect";
}
