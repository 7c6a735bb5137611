// The templates of an application in its form: a fold for each, whose fields are made when it is
// opened.
import { button, html, pair } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { pageTexts } from "../shared/page-texts.js";
import { texts } from "../shared/texts.js";

const templateTexts = pageTexts.templates;
/** Platforms that have a fallback beside their URL. */
const APPS = ["ios", "android"];

/** @param {Template[]} stored */
export function templateEditor(stored) {
  let rows = stored.map((template) => new TemplateRow(template));
  const list = html.div();
  const show = () => {
    rows.forEach((row, index) => row.number(index));
    list.replaceChildren(...rows.map((row) => row.element));
    for (const row of rows) row.removed = () => remove(row);
  };
  /** @param {TemplateRow} row */
  const remove = (row) => {
    rows = rows.filter((other) => other !== row);
    show();
    add.focus();
  };
  const add = button(
    templateTexts.add,
    () => {
      const row = new TemplateRow({ route: "" });
      rows.push(row);
      show();
      row.open();
      row.focus();
    },
    { class: "quiet small" },
  );
  show();
  return {
    element: html.fieldset(
      html.legend(templateTexts.title),
      html.p({ class: "soft" }, templateTexts.about),
      list,
      add,
    ),
    /** @param {string} path  of an error, such as `templates[1].route` */
    unfold: (path) => rows[Number(/^templates\[(\d+)\]/.exec(path)?.[1])]?.open(),
    /** The templates as the fields are now. */
    templates: () => rows.map((row) => row.template()),
  };
}

class TemplateRow {
  removed = () => {};
  #stored;
  #summary = html.summary();
  #fields = html.div();
  /** @type {Record<string, HTMLInputElement>} */
  #inputs = {};
  #index = 0;
  element = html.details({ class: "fold", toggle: () => this.#fill() });

  /** @param {Template} stored */
  constructor(stored) {
    this.#stored = stored;
    this.#summary.textContent = titleOf(stored);
    this.element.append(this.#summary, this.#fields);
  }

  open() {
    this.element.open = true;
    this.#fill();
  }

  focus() {
    this.#inputs.route.focus();
  }

  /** @param {number} index  in the document, which errors name */
  number(index) {
    this.#index = index;
    for (const [path, control] of Object.entries(this.#inputs)) control.name = this.#name(path);
  }

  /** @param {string} path */
  #name(path) {
    return `templates[${this.#index}].${path}`;
  }

  #fill() {
    if (this.#fields.firstChild) return;
    /**
     * @param {string} path
     * @param {string} label
     * @param {Record<string, Attribute>} [more]
     */
    const text = (path, label, more) => {
      const control = input(this.#name(path), valueAt(this.#stored, path), more);
      this.#inputs[path] = control;
      return field(label, control);
    };
    this.#fields.append(
      pair(
        text("route", texts.fields.route, { required: true, placeholder: "products/:product_id" }),
        text("name", texts.fields.name),
      ),
      text("urls.web", texts.platforms.web, {
        placeholder: "https://www.example.com/products/:product_id",
      }),
      ...APPS.map((app) =>
        pair(
          text(`urls.${app}.link`, texts.platforms[app], {
            placeholder: "shop://products/:product_id",
          }),
          text(`urls.${app}.fallback`, pageTexts.form.fallback, {
            placeholder: pageTexts.form.fallbackPlaceholder,
          }),
        ),
      ),
      button(templateTexts.remove, () => this.removed(), { class: "quiet small" }),
    );
    this.#inputs.route.addEventListener("input", () => {
      this.#summary.textContent = titleOf(this.template());
    });
  }

  /** As the fields are now. What none of them shows stays. */
  template() {
    const stored = this.#stored;
    const changed = Object.keys(this.#inputs).filter(
      (path) => this.#inputs[path].value.trim() !== valueAt(stored, path),
    );
    if (!changed.length) return stored;
    const result = structuredClone(stored);
    const { name, route, ...urls } = this.#inputs;
    const title = name.value.trim();
    if (changed.includes("name")) result.name = title || undefined;
    result.route = route.value.trim();
    for (const platform of ["web", ...APPS]) {
      if (!changed.some((path) => path.startsWith(`urls.${platform}`))) continue;
      const link = (urls[`urls.${platform}.link`] ?? urls[`urls.${platform}`]).value.trim();
      const fallback = urls[`urls.${platform}.fallback`]?.value.trim();
      const before = result.urls?.[platform];
      const others = typeof before === "object" ? before : {};
      result.urls ??= {};
      if (!link) delete result.urls[platform];
      else if (fallback) result.urls[platform] = { ...others, link, fallback };
      else result.urls[platform] = platform === "web" ? webEntry(before, link) : link;
    }
    return result;
  }
}

/**
 * A web destination keeps its form.
 *
 * @param {Destination | undefined} before
 * @param {string} link
 */
const webEntry = (before, link) => (typeof before === "object" ? { ...before, link } : link);

/** @param {Template} template */
const titleOf = ({ route }) => route || templateTexts.new;

/**
 * What a field shows.
 *
 * @param {Template} template
 * @param {string} path
 */
function valueAt({ name, route, urls }, path) {
  if (path === "name") return name ?? "";
  if (path === "route") return route;
  const [, platform, part = "link"] = path.split(".");
  const entry = urls?.[platform];
  if (typeof entry !== "object") return part === "link" ? (entry ?? "") : "";
  return (part === "link" ? entry.link : entry.fallback) ?? "";
}
