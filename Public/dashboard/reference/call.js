// One call of the API: its parameters, bodies and answers, and an example as a command.
import { codeBlock, curl, quoted } from "../shared/command.js";
import { english, html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";

/**
 * @typedef {object} Reference  what the server says about its API
 * @property {import("./schemas.js").Schemas} schemas
 * @property {any[]} problems
 */
/**
 * @typedef {object} Call
 * @property {string} path
 * @property {string} method  in lower case
 * @property {any} operation  of the OpenAPI document
 * @property {any[]} shared  parameters of the path
 */

const referenceTexts = pageTexts.reference;
/** Fields of the example of a form. */
const FORM = { source: "csv", file: "@links.csv" };

/**
 * Text with code between back quotes.
 *
 * @param {string} [text]
 */
export const prose = (text = "") =>
  english(text.split("`").map((part, index) => (index % 2 ? html.code(part) : part)));

/**
 * @param {Reference} reference
 * @param {Call} call
 */
export function callDetails(reference, call) {
  const { schemas } = reference;
  const { operation, shared } = call;
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) =>
    schemas.resolve(parameter),
  );
  const request = schemas.resolve(operation.requestBody);
  return [
    html.p(prose(operation.description)),
    html.p({ class: "soft" }, access(operation.security)),
    html.h3(referenceTexts.request),
    codeBlock(command(reference, call, parameters)),
    memberTable(
      referenceTexts.parameters,
      parameters.map(({ name, in: place, schema, required, description }) => ({
        path: name,
        type: `${schemas.typeName(schema)}, ${place}`,
        isRequired: required,
        description: description ?? schema?.description,
      })),
    ),
    Object.entries(request.content ?? {}).map(([type, { schema }]) =>
      memberTable(`${referenceTexts.body}, ${type}`, schemas.members(schema)),
    ),
    Object.entries(operation.responses).map(([status, response]) =>
      answer(reference, status, schemas.resolve(response)),
    ),
  ];
}

/**
 * @param {string} caption
 * @param {import("./schemas.js").Member[]} members
 */
const memberTable = (caption, members) =>
  members.length > 0 &&
  table(
    caption,
    [referenceTexts.name, referenceTexts.type, referenceTexts.required, referenceTexts.meaning],
    members.map(({ path, type, isRequired, description }) => [
      html.code(path),
      type,
      isRequired ? referenceTexts.yes : "",
      prose(description),
    ]),
    "cards",
  );

/**
 * Which keys may make a call: any of the alternatives of its `security`.
 *
 * @param {Record<string, string[]>[]} [security]
 */
function access(security = []) {
  if (!security.length || security.some((alternative) => !Object.keys(alternative).length)) {
    return referenceTexts.open;
  }
  const choices = security.map((alternative) => Object.values(alternative).flat().join(" + "));
  if (choices.includes("")) return referenceTexts.anyKey;
  return formatText(
    choices.length === 1 ? referenceTexts.scope : referenceTexts.scopes,
    choices.join(", "),
  );
}

/**
 * The call by curl; also with a form, if its body may be one.
 *
 * @param {Reference} reference
 * @param {Call} call
 * @param {any[]} parameters
 */
function command({ schemas }, { path, method, operation }, parameters) {
  /** @param {any} parameter */
  const value = ({ name, schema }) => encodeURIComponent(String(schemas.example(schema, name)));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    value(parameters.find((parameter) => parameter.name === name) ?? { name }),
  );
  const search = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => `${parameter.name}=${value(parameter)}`);
  const content = schemas.resolve(operation.requestBody).content ?? {};
  const body = content["application/json"] ?? content["text/json"];
  let text = curl(
    method.toUpperCase(),
    search.length ? `${filled}?${search.join("&")}` : filled,
    body && (body.example ?? schemas.example(body.schema)),
  );
  const scheme = Object.keys(operation.security?.[0] ?? {})[0];
  // Calls that need no key, and HOKO's, which name it in another way.
  if (!scheme) text = text.replace(/ \\\n  -H "Authorization[^\n]*?"(?= \\|$)/, "");
  if (scheme === "hokoToken") text = text.replace("Bearer", "Token");
  if (!content["multipart/form-data"]) return text;
  const head = text.slice(0, text.indexOf(' \\\n  -H "Content'));
  const fields = Object.entries(FORM).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`);
  return [text, [head, ...fields].join(" \\\n  ")].join("\n\n");
}

/**
 * @param {Reference} reference
 * @param {string} status
 * @param {any} response
 */
function answer(reference, status, { description, content, headers }) {
  const isSuccess = status < "300";
  return html.details(
    { open: isSuccess },
    html.summary(html.code(status), " ", prose(description)),
    headers &&
      html.p(
        referenceTexts.headers,
        Object.keys(headers).map((name) => [" ", html.code(name)]),
      ),
    Object.entries(content ?? {}).map(([type, representation]) => {
      if (!/json/.test(type)) return html.p(html.code(type));
      const shown = exampleOf(reference, status, type, representation);
      return [
        codeBlock(JSON.stringify(shown, null, 2)),
        isSuccess &&
          memberTable(referenceTexts.body, reference.schemas.members(representation.schema)),
      ];
    }),
  );
}

/**
 * @param {Reference} reference
 * @param {string} status
 * @param {string} type  a media type
 * @param {any} representation
 */
function exampleOf({ schemas, problems }, status, type, { schema, example }) {
  if (example !== undefined && example !== null) return example;
  if (!/problem/.test(type)) return schemas.example(schema);
  const problem = problems.find((candidate) => candidate.status === Number(status));
  return {
    type: problem?.type ?? "about:blank",
    title: problem?.title ?? "",
    status: Number(status),
    detail: problem?.cause ?? "",
  };
}
