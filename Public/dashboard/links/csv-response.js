// Reads the beginning of a CSV response, which may be very long.

/**
 * @param {string} target
 * @param {number} most  bytes
 */
export async function head(target, most) {
  const reader = (await fetch(target)).body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length < most) continue;
    reader?.cancel();
    return text.slice(0, text.lastIndexOf("\n"));
  }
}

/** @param {string} text  as of RFC 4180 */
export function rows(text) {
  const found = [[""]];
  for (const [part] of text.matchAll(/"(?:[^"]|"")*"|[^",\r\n]+|,|\r?\n/g)) {
    const row = found[found.length - 1];
    if (part === ",") row.push("");
    else if (part.endsWith("\n") && part.length < 3) {
      found.push([""]);
    } else {
      row[row.length - 1] += part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
    }
  }
  return found.filter((row) => row.length > 1);
}
