// The columns of a CSV file that is going to be imported: which field of a link each one is.
import { html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";
import { rowsOf } from "./csv-response.js";

const importTexts = pageTexts.imports;
/** Bytes of a file that are read for its columns and an example of each. */
const HEAD = 64 * 1024;
/** Fields that a column can have the name of, and the choice lacks. */
const FURTHER = [
  "archived",
  "redeemLimit",
  "disabled",
  "forwardQuery",
  "queryOverride",
  "redirectStatus",
  "onExpired",
  "clickDetail",
  "password",
  "metadata",
  "routeParameters",
  "queryParameters",
  "rules",
  "firebase",
];
/** A file to begin with. */
const SAMPLE =
  "slug,urls.web,title,tags\r\n" +
  'summer,https://www.example.com/summer,Summer sale,"spring,newsletter"\r\n';
/**
 * What columns are called elsewhere, by the field that they are.
 *
 * @type {Record<string, RegExp>}
 */
const GUESSES = {
  "urls.web": /^(target|destination|url|link|original|long|redirect|web)/i,
  slug: /^(slug|short ?code|keyword|key|back|path|alias$|code)/i,
  smartlink: /^(short ?(url|link)|smart ?link)/i,
  title: /^(title|name)/i,
  tags: /^(tags?|labels?)$/i,
  note: /^(notes?|comments?|description)$/i,
  domain: /^(domain|host)/i,
  createdAt: /^(created|date)/i,
  importedClicks: /^(clicks|visits|hits)/i,
  expiresAt: /^(expir)/i,
};

/** A sample file, to download. */
export const sampleFile = () =>
  html.a(
    { href: `data:text/csv;charset=utf-8,${encodeURIComponent(SAMPLE)}`, download: "links.csv" },
    importTexts.sample,
  );

/**
 * A choice of a field for each column of a file; nothing for files that are not CSV.
 *
 * @param {File} file
 */
export async function columnChoices(file) {
  const [heads, first = []] = rowsOf((await file.slice(0, HEAD).text()).replace(/^\ufeff/, ""));
  if (!heads || !/\.csv$/i.test(file.name)) return null;
  /** @type {Record<string, string>} */
  const fields = importTexts.fields;
  /** @type {Set<string>} */
  const taken = new Set(heads);
  const choices = heads.map((head) => {
    const guess = Object.keys(GUESSES).find(
      (name) => GUESSES[name].test(head.trim()) && !taken.has(name),
    );
    const value = isField(head) ? head : (guess ?? "ignored");
    taken.add(value);
    const names = value in fields ? Object.keys(fields) : [...Object.keys(fields), value];
    return html.select(
      { "aria-label": formatText(importTexts.fieldOf, head), "data-column": head },
      names.map((name) =>
        html.option({ value: name, selected: name === value }, fields[name] ?? name),
      ),
    );
  });
  return table(
    importTexts.columns,
    [importTexts.column, importTexts.example, importTexts.field],
    heads.map((head, index) => [
      head,
      html.span({ class: "destination" }, first[index] ?? ""),
      choices[index],
    ]),
    "list cards pasted columns-of-file",
  );
}

/**
 * Whether the name is one that imports know by itself.
 *
 * @param {string} name
 */
const isField = (name) =>
  name in importTexts.fields ||
  /^(urls|routeParameters|queryParameters|campaign|social|metadata|minimumVersion)\.\w/.test(
    name,
  ) ||
  FURTHER.includes(name);

/**
 * What was chosen, as COLUMN=FIELD. Columns that say it themselves are left out.
 *
 * @param {Element} container
 */
export function chosenColumns(container) {
  const choices = /** @type {HTMLSelectElement[]} */ ([
    ...container.querySelectorAll("select[data-column]"),
  ]);
  return choices
    .map(({ dataset, value }) => [dataset.column ?? "", value])
    .filter(([column, value]) => column && column !== value)
    .map(([column, value]) => `${column}=${value}`);
}
