// What was changed: fields with their values before and after, as text.
import { button, html } from "./element.js";
import { formatText, texts } from "./texts.js";
import { pageTexts } from "./page-texts.js";

const auditTexts = pageTexts.audit;
/** Fields that are seen without unfolding the others. */
const FEW = 4;

/**
 * @typedef {object} Naming  how fields and values are shown
 * @property {(field: string) => string} [name]
 * @property {(field: string, value: any) => Content} [value]
 * @property {boolean} [isWhole]  whether nothing is folded
 */

/**
 * The fields that differ, with their values; nothing where none does.
 *
 * @param {Record<string, unknown> | null} before
 * @param {Record<string, unknown> | null} after
 * @param {Naming} [naming]
 */
export function changedValues(before, after, naming = {}) {
  const { name = (field) => texts.fields[field] ?? field, value = (_, any) => valueText(any) } =
    naming;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  );
  if (!fields.length) return null;
  /** @param {string[]} some */
  const rows = (some) =>
    html.table(
      { class: "values" },
      html.thead(
        { class: "unseen" },
        html.tr(
          [auditTexts.field, auditTexts.before, auditTexts.after].map((head) =>
            html.th({ scope: "col" }, head),
          ),
        ),
      ),
      html.tbody(
        some.map((field) =>
          html.tr(
            html.th({ scope: "row" }, name(field)),
            html.td(before && html.del(value(field, before[field]))),
            html.td(after && html.ins(value(field, after[field]))),
          ),
        ),
      ),
    );
  if (naming.isWhole || fields.length <= FEW) return rows(fields);
  const container = html.div();
  const all = button(
    formatText(auditTexts.all, fields.length),
    () => container.replaceChildren(rows(fields)),
    { class: "quiet small" },
  );
  container.replaceChildren(rows(fields.slice(0, FEW)), all);
  return container;
}

/** @param {unknown} value */
const valueText = (value) =>
  value === undefined || value === null || value === ""
    ? "–"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
