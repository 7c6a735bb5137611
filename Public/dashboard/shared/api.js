// Calls the public API. The browser adds the session's cookie; no key is ever seen here.
import { formatText, texts } from "./texts.js";

/** An error response (`application/problem+json`), or one that never came. */
export class Problem extends Error {
  /**
   * @param {ProblemContent} content
   */
  constructor(content) {
    super(content.detail ?? content.title ?? texts.errors.unknown);
    this.title = content.title ?? texts.errors.unknown;
    this.detail = content.detail ?? "";
    this.status = content.status ?? 0;
    /** The last part of the type, such as `slug-taken`. */
    this.kind = (content.type ?? "").split(":").pop() ?? "";
    this.isEnglish = content.isEnglish ?? false;
    this.errors = content.errors ?? [];
  }
}

/** Characters of a body that is still sent after its page is left. */
const KEPT_ALIVE = 10_000;

/** Sent to `document` when the server no longer accepts the session. */
export const SIGNED_OUT = "waymark-signed-out";

/**
 * A path whose values are encoded, each as one segment: path`/api/v1/links/${domain}/${slug}`.
 *
 * @param {TemplateStringsArray} parts
 * @param {...string} values
 */
export function path(parts, ...values) {
  return parts.reduce((text, part, index) => text + encodeURIComponent(values[index - 1]) + part);
}

/**
 * @param {string} base
 * @param {Query} parameters
 */
export function withQuery(base, parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
  return String(search) ? `${base}?${search}` : base;
}

/**
 * @param {string} method
 * @param {string} target
 * @param {{body?: unknown, etag?: string | null, begun?: Promise<Response>}} [options]  `begun` is
 *   the request where it is on its way
 * @returns {Promise<{content: any, etag: string | null}>}
 */
export async function call(method, target, options = {}) {
  const { body, etag, begun } = options;
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-Waymark-Dashboard"] = "1";
  const isFile = body instanceof Blob;
  const isForm = body instanceof FormData;
  if (isFile) headers["Content-Type"] = body.type;
  else if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  if (etag) headers["If-Match"] = etag;
  const text = body === undefined || isForm || isFile ? body : JSON.stringify(body);
  let response;
  try {
    // What is sent as the page is left must arrive. Browsers refuse `keepalive` for large bodies.
    response = await (begun ??
      fetch(target, {
        method,
        headers,
        keepalive: typeof text === "string" ? text.length < KEPT_ALIVE : method === "DELETE",
        body: text,
      }));
  } catch {
    throw new Problem({
      title: texts.errors.offline,
      detail: texts.errors.offlineDetail,
    });
  }
  const content = await parsed(response);
  if (response.ok) return { content, etag: response.headers.get("ETag") };
  if (response.status === 401 && target !== "/_/session") {
    document.dispatchEvent(new Event(SIGNED_OUT));
  }
  const problem = {
    status: response.status,
    title: formatText(texts.errors.status, response.status),
    ...content,
  };
  // Most who open the dashboard have no session yet, and see nothing of it.
  if (method === "GET" && target === "/_/session") throw new Problem(problem);
  const words = await import("../texts/server-words.js").catch(() => null);
  throw new Problem(words ? words.problemInWords(problem) : problem);
}

/** @param {string} target */
export async function get(target) {
  return (await call("GET", target)).content;
}

/** @returns {Promise<Application[]>} */
export const applications = async () => (await get("/api/v1/apps")).apps;

/**
 * What a response holds, if it is JSON: a proxy's error page is not.
 *
 * @param {Response} response
 */
const parsed = async (response) =>
  /[/+]json\b/.test(response.headers.get("Content-Type") ?? "")
    ? response.json().catch(() => null)
    : null;
