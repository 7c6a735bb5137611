// The JSON schemas of an OpenAPI document: their members, names of types, and examples.
import { FORMATS, SAMPLES } from "./samples.js";

/** Depths to which objects inside of objects are listed, and have examples. */
const SHOWN_DEPTH = 3;
const EXAMPLE_DEPTH = 5;
/** Members of an example where none is required. */
const FEW = 3;

/** @typedef {{path: string, type: string, isRequired: boolean, description?: string}} Member */

export class Schemas {
  /** @param {any} api  the OpenAPI document */
  constructor(api) {
    this.api = api;
  }

  /**
   * Follows a `$ref`. Members beside the reference take precedence.
   *
   * @param {any} node
   * @returns {any}
   */
  resolve(node) {
    if (!node?.$ref) return node ?? {};
    let found = this.api;
    // As in "#/components/schemas/Link".
    for (const name of node.$ref.slice(2).split("/")) found = found?.[name.replaceAll("~1", "/")];
    return { ...this.resolve(found), ...node, $ref: undefined };
  }

  /**
   * A schema with its reference followed and its parts (`allOf`) together.
   *
   * @param {any} schema
   * @returns {any}
   */
  whole(schema) {
    const node = this.resolve(schema);
    if (!node.allOf) return node;
    let sum = { ...node, allOf: undefined };
    for (const part of node.allOf) {
      const { properties, required, ...others } = this.whole(part);
      sum = {
        ...sum,
        ...others,
        properties: { ...sum.properties, ...properties },
        required: [...(sum.required ?? []), ...(required ?? [])],
      };
    }
    return sum;
  }

  /**
   * @param {any} schema
   * @returns {string}
   */
  typeName(schema) {
    const node = this.whole(schema);
    if (node.enum) {
      return node.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(" | ");
    }
    const choices = node.oneOf ?? node.anyOf;
    if (choices && !node.type) {
      return choices.map((/** @type {any} */ choice) => this.typeName(choice)).join(" | ");
    }
    const name = [node.type ?? "any"].flat().join(" | ");
    if (node.items) return `${name} of ${this.typeName(node.items)}`;
    return node.format ? `${name} (${node.format})` : name;
  }

  /**
   * Members of a schema, with those of objects inside of it.
   *
   * @param {any} schema
   * @param {string} [prefix]
   * @param {number} [depth]
   * @returns {Member[]}
   */
  members(schema, prefix = "", depth = 0) {
    const node = this.whole(schema);
    if (node.items && depth <= SHOWN_DEPTH) {
      return this.members(node.items, `${prefix}[].`, depth + 1);
    }
    return Object.entries(node.properties ?? {}).flatMap(([name, schema]) => {
      const whole = this.whole(schema);
      const member = {
        path: `${prefix}${name}`,
        type: this.typeName(schema),
        isRequired: node.required?.includes(name) ?? false,
        description: whole.description,
      };
      if (depth >= SHOWN_DEPTH) return [member];
      const inner = whole.items ? member.path : `${member.path}.`;
      return [member, ...this.members(whole, inner, depth + 1)];
    });
  }

  /**
   * An example of what a schema describes: its own where it has one, else values that fit.
   *
   * @param {any} schema
   * @param {string} [name]  of the member
   * @param {number} [depth]
   * @returns {any}
   */
  example(schema, name = "", depth = 0) {
    const node = this.whole(schema);
    const given = node.examples?.[0] ?? node.example ?? node.const ?? node.enum?.[0];
    if (given !== undefined) return given;
    const choice = node.oneOf?.[0] ?? node.anyOf?.[0];
    if (choice && !node.properties) return this.example(choice, name, depth);
    switch (kindOf(node)) {
      case "object":
        return depth > EXAMPLE_DEPTH ? {} : this.#exampleObject(node, depth);
      case "array":
        return depth > EXAMPLE_DEPTH
          ? []
          : [this.example(node.items ?? {}, name.replace(/s$/, ""), depth + 1)];
      case "boolean":
        return node.default ?? true;
      case "integer":
      case "number":
        return node.default ?? Math.max(node.minimum ?? 1, 1);
      default:
        if (name in SAMPLES) return SAMPLES[name];
        return FORMATS[node.format] ?? node.default ?? name;
    }
  }

  /**
   * @param {any} node
   * @param {number} depth
   */
  #exampleObject(node, depth) {
    const members = Object.entries(node.properties ?? {});
    const more = node.additionalProperties;
    if (!members.length && more && more !== true) {
      return { name: this.example(more, "value", depth + 1) };
    }
    // What a request needs, or what an answer always has; the first few where nothing is required.
    const required = members.filter(([name]) => node.required?.includes(name));
    const shown = required.length ? required : members.slice(0, FEW);
    return Object.fromEntries(
      shown.map(([name, schema]) => [name, this.example(schema, name, depth + 1)]),
    );
  }
}

/**
 * The type of a value, where it may have several, or none is named.
 *
 * @param {any} node
 */
const kindOf = (node) =>
  [node.type].flat().find((type) => type !== "null") ??
  (node.properties || node.additionalProperties ? "object" : "string");
