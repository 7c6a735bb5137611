// Who is signed in, and what their key may do. The key itself is only in the server's session.
import { call, get } from "./api.js";

/** What each scope includes. */
/** @type {Record<string, string[]>} */
const INCLUDES = { admin: ["links", "read"], links: ["read"] };

/** @returns {Promise<Session>} */
export const readSession = () => get("/_/session");

/** @param {string} key */
export async function signIn(key) {
  await call("POST", "/_/session", { body: { key } });
}

export async function signOut() {
  await call("DELETE", "/_/session");
}

/** @param {Session} session @param {"read" | "links" | "admin"} scope */
export function may(session, scope) {
  return session.scopes.some((own) => own === scope || INCLUDES[own]?.includes(scope));
}
