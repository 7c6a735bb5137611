// "The same by API": the curl command for what a screen shows or does.
import { copyButton } from "./clipboard.js";
import { html } from "./element.js";
import { texts } from "./texts.js";

/**
 * A text as one word of a shell.
 *
 * @param {string} text
 */
export const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

/**
 * A call as a command.
 *
 * @param {string} method
 * @param {string} target
 * @param {unknown} [body]
 * @param {string | null} [etag]
 */
export function curl(method, target, body, etag) {
  const hasBody = body !== undefined;
  // curl gets, and posts what has a body, without being told.
  const option = method === (hasBody ? "POST" : "GET") ? "" : `-X ${method} `;
  const words = [
    `curl -s ${option}${quoted(location.origin + target)}`,
    '-H "Authorization: Bearer $WAYMARK_KEY"',
  ];
  if (etag) words.push(`-H ${quoted("If-Match: " + etag)}`);
  if (hasBody) {
    words.push('-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`);
  }
  return words.join(" \\\n  ");
}

/** @param {...string} commands */
export const sameByAPI = (...commands) =>
  html.details(
    { class: "command" },
    html.summary(texts.sameByAPI),
    codeBlock(commands.join("\n\n")),
  );

/**
 * Text to copy.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export const codeBlock = (text) => [html.pre({ tabindex: 0 }, html.code(text)), copyButton(text)];
