// Who is signed in, what their key may do, and the settings of this browser. The key itself is only in the server's session.
import { call } from "./api.js";

/** What each scope includes. */
/** @type {Record<string, string[]>} */
const INCLUDES = { admin: ["links", "read"], links: ["read"] };

/** @param {{key: string} | {token: string}} body */
export const signIn = (body) => call("POST", "/_/session", { body });

// Signs in with the token of `waymark dashboard`, which is used up by it. It leaves the address and the history at once.
export async function signInWithLink() {
  const token = location.hash.match(/^#sign-in=(.+)$/)?.[1];
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  await signIn({ token });
}

/** @param {Session} session @param {Scope} scope */
export function may(session, scope) {
  return session.scopes.some((own) => own === scope || INCLUDES[own]?.includes(scope));
}

// A setting, after it is changed to `value`. Without storage there is none.
/** @param {string} name @param {string | null} [value] */
export function setting(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
