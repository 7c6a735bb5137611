// Views of the list: its filters and order under a name, kept in this browser.
import { go, hash } from "../../frame/address.js";
import { setting } from "../../shared/setting.js";
import { openDialog } from "../../shared/dialog.js";
import { html } from "../../shared/element.js";
import { field, input } from "../../shared/fields.js";
import { sendForm } from "../../shared/forms.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText } from "../../shared/texts.js";
import { filters } from "./filters.js";

const listTexts = pageTexts.list;
const SETTING = "waymark-views";
/** Before the names of views, among the values of the choice. */
const VIEW = "view ";

/** @typedef {Record<string, Record<string, string>>} Views  filters by name */

/** @returns {Views} */
function storedViews() {
  try {
    return JSON.parse(setting(SETTING) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Record<string, string>} set */
const written = (set) => JSON.stringify(Object.entries(set).sort());

/** A choice of views, with ways to save the one that is shown and to delete it. */
export function viewChoice() {
  const choice = html.select({ name: "view", form: "no-form" });
  const show = () => {
    const views = storedViews();
    const set = filters();
    const shown = Object.keys(views).find((name) => written(views[name]) === written(set));
    const isSet = Object.keys(set).length > 0;
    choice.replaceChildren(
      html.option({ value: "" }, isSet ? listTexts.ownView : listTexts.allLinks),
      ...Object.keys(views).map((name) =>
        html.option({ value: VIEW + name, selected: name === shown }, name),
      ),
      ...(isSet && !shown ? [html.option({ value: "save" }, listTexts.saveView)] : []),
      ...(shown ? [html.option({ value: "delete" }, formatText(listTexts.deleteView, shown))] : []),
      ...(isSet ? [html.option({ value: "all" }, listTexts.showAll)] : []),
    );
  };
  choice.addEventListener("input", (event) => event.stopPropagation());
  choice.addEventListener("change", () => {
    const views = storedViews();
    const { value } = choice;
    if (value.startsWith(VIEW)) go(hash(["links"], views[value.slice(VIEW.length)]));
    if (value === "all") go(hash(["links"]));
    if (value === "save") saveView(show);
    if (value === "delete") {
      const set = written(filters());
      const others = Object.entries(views).filter(([, view]) => written(view) !== set);
      setting(SETTING, JSON.stringify(Object.fromEntries(others)));
      show();
    }
  });
  show();
  return { element: field(listTexts.view, choice), show };
}

/** @param {() => void} done */
function saveView(done) {
  const set = filters();
  const dialog = openDialog(
    listTexts.saveView,
    sendForm(
      listTexts.save,
      async ({ name }) => {
        setting(SETTING, JSON.stringify({ ...storedViews(), [name.trim()]: set }));
        dialog.close();
      },
      field(
        listTexts.viewName,
        input("name", "", { required: true, maxlength: 60, spellcheck: "true" }),
        listTexts.viewHint,
      ),
    ),
  );
  dialog.querySelector("input")?.focus();
  dialog.addEventListener("close", done);
}
