// The page /_/reference: every call of the OpenAPI document, with its parameters, bodies and
// answers, and an example of each.

import { example, whole } from "./schema-example.js";
import { get } from "./shared/api.js";
import { codeBlock, curl, quoted } from "./shared/command.js";
import { anchor, html, table } from "./shared/element.js";
import { pageTexts } from "./shared/page-texts.js";
import { load } from "./shared/pane.js";
import { say } from "./shared/texts.js";

const t = pageTexts.reference;
const METHODS = ["get", "post", "put", "patch", "delete"];
const place = html.div({ id: "calls" });
/** @type {any} */
let api = {};

/**
 * @param {any} node
 * @returns {any}
 */
function resolve(node) {
  if (!node?.$ref) return node ?? {};
  const found = node.$ref
    .slice(2)
    .split("/")
    .reduce((/** @type {any} */ at, name = "") => at?.[name.replaceAll("~1", "/")], api);
  return { ...resolve(found), ...node, $ref: undefined };
}

/**
 * Text with code between back quotes.
 *
 * @param {string} [text]
 */
const prose = (text = "") =>
  text.split("`").map((part, turn) => (turn % 2 ? html.code(part) : part));
/** @param {unknown} value */
const json = (value) => JSON.stringify(value, null, 2);

/**
 * @param {any} schema
 * @returns {string}
 */
function typeName(schema) {
  const node = whole(schema, resolve);
  if (node.enum)
    return node.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(" | ");
  const choices = node.oneOf ?? node.anyOf;
  if (choices && !node.type) return choices.map(typeName).join(" | ");
  const name = [node.type ?? "any"].flat().join(" | ");
  return node.items
    ? `${name} of ${typeName(node.items)}`
    : node.format
      ? `${name} (${node.format})`
      : name;
}

/**
 * Members of a schema as rows, with those of objects inside of it.
 *
 * @param {any} schema
 * @param {string} [prefix]
 * @param {number} [depth]
 * @returns {Content[][]}
 */
function members(schema, prefix = "", depth = 0) {
  const node = whole(schema, resolve);
  const inner = node.items ? whole(node.items, resolve) : node;
  if (node.items && depth < 4) return members(inner, prefix + "[].", depth + 1);
  return Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
    const own = whole(member, resolve);
    const rest =
      depth < 3 ? members(own, `${prefix}${name}${own.items ? "" : "."}`, depth + 1) : [];
    return [
      [
        html.code(prefix + name),
        typeName(member),
        node.required?.includes(name) ? t.yes : "",
        prose(own.description),
      ],
      ...rest,
    ];
  });
}

/**
 * @param {Content[][]} rows
 * @param {string} caption
 */
const memberTable = (rows, caption) =>
  rows.length > 0 && table(caption, [t.name, t.type, t.required, t.meaning], rows, "cards");

/**
 * @param {string} path
 * @param {string} method
 * @param {any} call
 * @param {any[]} parameters
 */
function command(path, method, call, parameters) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(
      String(example(parameters.find((one) => one.name === name)?.schema, resolve, name)),
    ),
  );
  const search = parameters
    .filter((one) => one.in === "query" && one.required)
    .map(
      (one) => `${one.name}=${encodeURIComponent(String(example(one.schema, resolve, one.name)))}`,
    );
  const content = resolve(call.requestBody).content ?? {};
  const body = content["application/json"] ?? content["text/json"];
  const form = content["multipart/form-data"];
  const scheme = Object.keys(call.security?.[0] ?? {})[0];
  let text = curl(
    method.toUpperCase(),
    filled + (search.length ? "?" + search.join("&") : ""),
    body ? (body.example ?? example(body.schema, resolve)) : undefined,
  );
  if (!scheme) text = text.replace(/ \\\n  -H "Authorization[^\n]*?"(?= \\|$)/, "");
  if (scheme === "hokoToken") text = text.replace("Bearer", "Token");
  return form
    ? [
        text,
        text.slice(0, text.indexOf(' \\\n  -H "Content')) +
          Object.entries({ source: "csv", file: "@links.csv" })
            .map(([name, value]) => ` \\\n  -F ${quoted(`${name}=${value}`)}`)
            .join(""),
      ].join("\n\n")
    : text;
}

/**
 * Which keys may make a call: any of the alternatives of its `security`.
 *
 * @param {Record<string, string[]>[]} [security]
 */
function access(security = []) {
  if (!security.length || security.some((one) => !Object.keys(one).length)) return t.open;
  const choices = security.map((one) => Object.values(one).flat().join(" + "));
  if (choices.includes("")) return t.anyKey;
  return say(choices.length === 1 ? t.scope : t.scopes, choices.join(", "));
}

/**
 * @param {string} path
 * @param {string} method
 * @param {any} call
 * @param {any[]} shared
 */
function details(path, method, call, shared) {
  const parameters = [...(shared ?? []), ...(call.parameters ?? [])].map(resolve);
  const request = resolve(call.requestBody);
  return [
    html.p(prose(call.description)),
    html.p({ class: "soft" }, access(call.security)),
    html.h3(t.request),
    codeBlock(command(path, method, call, parameters)),
    memberTable(
      parameters.map((one) => [
        html.code(one.name),
        `${typeName(one.schema)}, ${one.in}`,
        one.required ? t.yes : "",
        prose(one.description ?? one.schema?.description),
      ]),
      t.parameters,
    ),
    Object.entries(request.content ?? {}).map(([type, { schema }]) =>
      memberTable(members(schema), `${t.body}, ${type}`),
    ),
    Object.entries(call.responses).map(([status, response]) => answer(status, resolve(response))),
  ];
}

/**
 * @param {string} status
 * @param {any} response
 */
function answer(status, { description, content, headers }) {
  const kinds = Object.entries(content ?? {});
  return html.details(
    { open: status < "300" },
    html.summary(html.code(status), " ", prose(description)),
    headers &&
      html.p(
        t.headers,
        Object.keys(headers).map((name) => [" ", html.code(name)]),
      ),
    kinds.map(([type, { schema, example: given }]) =>
      /json/.test(type)
        ? [
            codeBlock(
              json(
                given ??
                  (/problem/.test(type) ? problem(Number(status)) : example(schema, resolve)),
              ),
            ),
            status < "300" && memberTable(members(schema), t.body),
          ]
        : html.p(html.code(type)),
    ),
  );
}

/** @param {number} status */
function problem(status) {
  const { type, title, cause } = problems.find(
    (/** @type {any} */ one) => one.status === status,
  ) ?? { type: "about:blank", title: "", cause: "" };
  return { type, title, status, detail: cause };
}

/** @type {any[]} */
let problems = [];

async function content() {
  [api, { problems }] = await Promise.all([get("/_/openapi.json"), get("/_/problems")]);
  /** @type {Map<string, Content[]>} */
  const groups = new Map(api.tags.map((/** @type {any} */ { name }) => [name, []]));
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => methods[one])) {
      const call = methods[method];
      const inner = html.div();
      const fold = html.details(
        {
          class: "panel call",
          id: call.operationId,
          toggle: () => {
            if (fold.open && !inner.firstChild) {
              inner.append(...html.div(details(path, method, call, methods.parameters)).childNodes);
            }
          },
        },
        html.summary(
          html.code({ class: "method" }, method.toUpperCase()),
          " ",
          html.code(path),
          " ",
          html.span({ class: "soft" }, call.summary),
        ),
        inner,
      );
      groups.get(call.tags[0])?.push(fold);
    }
  }
  setTimeout(openTarget);
  return [
    [...groups]
      .filter(([, calls]) => calls.length)
      .map(([name, calls]) =>
        html.section(
          { "aria-label": name },
          html.h2(name),
          html.p(prose(api.tags.find((/** @type {any} */ tag) => tag.name === name).description)),
          calls,
        ),
      ),
    html.h2({ id: "problems" }, t.problems),
    table(
      t.problems,
      [t.type, t.status, t.meaning, t.remedy],
      problems.map((one) => [
        html.code(one.type),
        one.status,
        [one.title, ". ", prose(one.cause)],
        prose(one.remedy),
      ]),
      "cards",
    ),
  ];
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

const search = html.input({
  type: "search",
  id: "search",
  input: () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const call of document.querySelectorAll("details.call")) {
      const text = call.querySelector("summary")?.textContent?.toLowerCase() ?? "";
      call.toggleAttribute("hidden", !words.every((word) => text.includes(word)));
    }
    for (const section of place.querySelectorAll("section")) {
      section.hidden = !section.querySelector("details.call:not([hidden])");
    }
  },
});
document
  .querySelector("main")
  ?.replaceChildren(
    html.h1(t.title),
    html.p(t.about, " ", anchor("/_/openapi.json", "openapi.json")),
    html.label({ for: "search" }, t.search),
    search,
    place,
  );
window.addEventListener("hashchange", openTarget);
load(place, content);
