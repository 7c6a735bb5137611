// The filters that are set, each with a way to remove it, and a field that adds one.
import { go, hash, hashWith } from "../../frame/address.js";
import { html } from "../../shared/element.js";
import { field, input } from "../../shared/fields.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { asWritten, filterLabel, filterTexts, knownFilters } from "./filters.js";

const listTexts = pageTexts.list;
/** Filters that can be typed with their names. */
const TYPED = ["app", "domain", "folder", "tag", "campaign", "state", "verified"];

export async function filterChips() {
  const set = await filterTexts();
  return [
    set.map(({ name, text }) =>
      html.a(
        {
          class: "tag",
          href: hashWith({ [name]: null, cursor: null }),
          "aria-label": formatText(texts.clicks.withoutFilter, text),
        },
        text,
        " ×",
      ),
    ),
    set.length > 1 && html.a({ href: hash(["links"]) }, texts.clicks.clear),
  ];
}

/**
 * A field that suggests filters as “Tag: spring”. It is no filter itself, so it belongs to no form.
 *
 * @param {Session} session
 */
export function filterAdder(session) {
  const options = html.datalist({ id: "known-filters" });
  /** @type {Map<string, {name: string, value: string}>} */
  let known = new Map();
  /**
   * @param {string} name
   * @param {string} value
   */
  const add = (name, value) => {
    control.value = "";
    go(hashWith({ [name]: asWritten(name, value), cursor: null }));
  };
  const control = input("add-filter", "", {
    form: "no-form",
    list: "known-filters",
    placeholder: listTexts.addExample,
    focus: async () => {
      if (known.size) return;
      known = await knownFilters(session);
      options.replaceChildren(...[...known.keys()].map((value) => html.option({ value })));
    },
    input: (event) => {
      event.stopPropagation();
      const chosen = known.get(control.value);
      if (chosen) add(chosen.name, chosen.value);
    },
    keydown: (event) => {
      const text = control.value.trim();
      if (event.key !== "Enter" || !text) return;
      event.preventDefault();
      const [, label, value] = /^([^:：]+?)\s*[:：]\s*(.+)$/.exec(text) ?? [];
      const found = [...known].find(([one]) => one.toLowerCase() === text.toLowerCase())?.[1];
      const name = TYPED.find((one) => filterLabel(one).toLowerCase() === label?.toLowerCase());
      if (found) add(found.name, found.value);
      else if (name) add(name, value);
      else add("search", text);
    },
  });
  const adder = field(listTexts.add, control);
  adder.append(options);
  return adder;
}
