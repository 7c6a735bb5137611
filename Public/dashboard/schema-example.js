// An example of what a JSON schema describes: its own example where it has one, else values that
// fit.
import { pageTexts } from "./shared/page-texts.js";

/**
 * @param {any} schema
 * @param {Resolve} resolve
 * @param {string} [name]  of the member
 * @param {number} [depth]
 * @returns {any}
 */
export function example(schema, resolve, name = "", depth = 0) {
  const node = whole(schema, resolve);
  const given = node.examples?.[0] ?? node.example ?? node.const ?? node.enum?.[0];
  if (given !== undefined) return given;
  const choice = node.oneOf?.[0] ?? node.anyOf?.[0];
  if (choice && !node.properties) return example(choice, resolve, name, depth);
  const type =
    [node.type].flat().find((one) => one !== "null") ??
    (node.properties || node.additionalProperties ? "object" : "string");
  if (type === "object") return depth > 5 ? {} : object(node, resolve, depth);
  if (type === "array")
    return depth > 5 ? [] : [example(node.items ?? {}, resolve, name.replace(/s$/, ""), depth + 1)];
  if (type === "boolean") return node.default ?? true;
  if (type === "integer" || type === "number")
    return node.default ?? Math.max(node.minimum ?? 1, 1);
  return name in pageTexts.samples
    ? pageTexts.samples[name]
    : (pageTexts.sampleFormats[node.format] ?? node.default ?? name ?? "text");
}

/**
 * @param {any} node
 * @param {Resolve} resolve
 * @param {number} depth
 */
function object(node, resolve, depth) {
  const members = Object.entries(node.properties ?? {});
  // What a request needs, or what an answer always has; the first few where nothing is required.
  const named = members.filter(([name]) => node.required?.includes(name));
  const shown = named.length ? named : members.slice(0, 3);
  const more = node.additionalProperties;
  if (!members.length && more && more !== true)
    return { name: example(more, resolve, "value", depth + 1) };
  return Object.fromEntries(
    shown.map(([name, schema]) => [name, example(schema, resolve, name, depth + 1)]),
  );
}

/**
 * A schema with its reference followed and its parts (`allOf`) together.
 *
 * @param {any} schema
 * @param {Resolve} resolve
 * @returns {any}
 */
export function whole(schema, resolve) {
  const node = resolve(schema);
  if (!node.allOf) return node;
  return node.allOf
    .map((/** @type {any} */ part) => whole(part, resolve))
    .reduce(
      (/** @type {any} */ sum, /** @type {any} */ part) => ({
        ...sum,
        ...part,
        properties: { ...sum.properties, ...part.properties },
        required: [...(sum.required ?? []), ...(part.required ?? [])],
      }),
      { ...node, allOf: undefined },
    );
}
