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

/** Addresses with a token: of `waymark dashboard`, of an invitation, of a shared report. */
export const TOKEN = /^#(sign-in|invitation|report)=(.+)$/;

/**
 * Takes the token out of the address and the history. That of a report stays: people keep it.
 */
export function takeToken() {
  const [, kind, token] = location.hash.match(TOKEN) ?? [];
  if (token && kind !== "report") history.replaceState(null, "", location.pathname);
  return { token, kind };
}

const WAITING = "waymark-authorization";

/**
 * Keeps the query of `/_/oauth/authorize` that the address has: a program waits there for
 * an answer, which needs a session. It is kept while somebody signs in, also at a provider.
 */
export function keepAuthorization() {
  const [, query] = location.hash.match(/^#authorize=(.+)$/) ?? [];
  if (!query) return;
  history.replaceState(null, "", location.pathname);
  try {
    sessionStorage.setItem(WAITING, decodeURIComponent(query));
  } catch {
    // Without storage the person begins again in the program.
  }
}

/** The address where a program waits, for the only time. */
export function takeAuthorization() {
  try {
    const query = sessionStorage.getItem(WAITING);
    sessionStorage.removeItem(WAITING);
    return query && `/_/oauth/authorize?${query}`;
  } catch {
    return null;
  }
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
