// Reads the beginning of a CSV response, which may be very long.

/**
 * The first lines of a response.
 *
 * @param {string} target
 * @param {number} limit  in bytes, about
 */
export async function readHead(target, limit) {
  const { body } = await fetch(target);
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length < limit) continue;
    reader.cancel();
    return text.slice(0, text.lastIndexOf("\n"));
  }
}

/**
 * The rows of a CSV text (RFC 4180).
 *
 * @param {string} text
 */
export function rowsOf(text) {
  const rows = [[""]];
  // Values in quotes, others, and what separates them.
  for (const [part] of text.matchAll(/"(?:[^"]|"")*"|[^",\r\n]+|,|\r?\n/g)) {
    const row = rows[rows.length - 1];
    if (part === ",") row.push("");
    else if (part === "\n" || part === "\r\n") rows.push([""]);
    else if (part.startsWith('"')) row[row.length - 1] += part.slice(1, -1).replaceAll('""', '"');
    else row[row.length - 1] += part;
  }
  return rows.filter((row) => row.length > 1);
}
