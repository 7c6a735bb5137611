// Campaigns (UTM) of an application that are used again and again.
import { call, path, Problem } from "./api.js";

/** @typedef {{name: string, campaign: Record<string, string | null>}} CampaignTemplate */
/** @typedef {{templates: CampaignTemplate[], etag: string | null}} StoredTemplates */

/** Where the server, or the key, has none, it is not asked again. */
const lacking = new Set();
/**
 * Requests that are on their way: parts of a page share one.
 *
 * @type {Map<string, Promise<StoredTemplates | null>>}
 */
const asked = new Map();

/** @param {string} app */
const target = (app) => path`/api/v1/apps/${app}/utm-templates`;

/**
 * Those of the server; null where it keeps none, or the key may not read them.
 *
 * @param {string} app
 * @returns {Promise<StoredTemplates | null>}
 */
export function templatesOf(app) {
  if (!app || lacking.has(app)) return Promise.resolve(null);
  const answer = asked.get(app) ?? ask(app).finally(() => asked.delete(app));
  asked.set(app, answer);
  return answer;
}

/**
 * @param {string} app
 * @returns {Promise<StoredTemplates | null>}
 */
async function ask(app) {
  try {
    const { content, etag } = await call("GET", target(app));
    return { templates: content.templates, etag };
  } catch (error) {
    if (!(error instanceof Problem) || ![403, 404].includes(error.status)) throw error;
    lacking.add(app);
    return null;
  }
}

/**
 * @param {string} app
 * @param {StoredTemplates} stored
 * @returns {Promise<StoredTemplates>}
 */
export async function storeTemplates(app, { templates, etag }) {
  const answer = await call("PUT", target(app), { body: { templates }, etag });
  return { templates: answer.content?.templates ?? templates, etag: answer.etag };
}
