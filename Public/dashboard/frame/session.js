// Who is signed in, and what their key may do. The key itself is only in the server's session.
import { call } from "../shared/api.js";
import { texts } from "../shared/texts.js";

/**
 * What each scope includes.
 *
 * @type {Record<string, string[]>}
 */
const INCLUDES = {
  admin: ["links", "create", "read"],
  links: ["create", "read"],
};

/** @param {{key: string} | {token: string, look?: boolean} | {proxy: true}} body */
export const signIn = (body) => call("POST", "/_/session", { body });

/**
 * Takes the token of a link of `waymark dashboard`, or of an invitation, out of the address and the
 * history.
 */
export function takeToken() {
  const [, kind, token] = location.hash.match(/^#(sign-in|invitation)=(.+)$/) ?? [];
  if (token) history.replaceState(null, "", location.pathname);
  return { token, isInvitation: kind === "invitation" };
}

/**
 * @param {Session} session
 * @param {Scope} scope
 */
export function may(session, scope) {
  return session.scopes.some((granted) => granted === scope || INCLUDES[granted]?.includes(scope));
}

/**
 * The name of a key as people know it: that of the server's environment has none of its own.
 *
 * @param {string} name
 */
export const keyName = (name) => (name === "environment" ? texts.adminKey : name);
