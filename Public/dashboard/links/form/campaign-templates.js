// Campaigns (UTM) that are used again and again, kept in this browser.

import { setting } from "../../shared/setting.js";
import { button, html, pair } from "../../shared/element.js";
import { field, select } from "../../shared/fields.js";
import { pageTexts } from "../../shared/page-texts.js";
import { CAMPAIGN } from "./body.js";

const formTexts = pageTexts.form;
const SETTING = "waymark-campaigns";

/** @typedef {Record<string, Record<string, string>>} Templates  members of a campaign by name */

/** @returns {Templates} */
function storedTemplates() {
  return JSON.parse(setting(SETTING) ?? "{}");
}

/** A choice of templates, which fills in the fields of the form around it. */
export function campaignTemplates() {
  const container = html.div();
  /** @param {string} [chosen]  the name of a template */
  const show = (chosen) => {
    const templates = storedTemplates();
    const template = select(
      "",
      [["", formTexts.noTemplate], ...Object.keys(templates).map((name) => [name, name])],
      chosen,
    );
    /** @param {string} part */
    const fieldOf = (part) =>
      /** @type {HTMLInputElement | null | undefined} */ (
        container.closest("form")?.querySelector(`[name="campaign.${part}"]`)
      );
    /**
     * @param {Templates} changed
     * @param {string} [name]  of the template that is chosen then
     */
    const store = (changed, name) => {
      setting(SETTING, JSON.stringify(changed));
      show(name);
    };
    template.addEventListener("change", () => {
      for (const part of CAMPAIGN) {
        const control = fieldOf(part);
        if (control && template.value) control.value = templates[template.value][part] ?? "";
      }
      template.form?.dispatchEvent(new Event("input"));
      show(template.value);
    });
    const save = () => {
      const members = CAMPAIGN.map((part) => [part, fieldOf(part)?.value ?? ""]);
      const campaign = Object.fromEntries(members.filter(([, value]) => value));
      const name = [campaign.source, campaign.medium, campaign.name].filter(Boolean).join(" / ");
      if (name) store({ ...templates, [name]: campaign }, name);
    };
    const drop = () => {
      const others = Object.entries(templates).filter(([name]) => name !== chosen);
      store(Object.fromEntries(others));
    };
    container.replaceChildren(
      pair(
        field(formTexts.template, template),
        html.div(
          { class: "buttons" },
          button(formTexts.saveTemplate, save),
          chosen && button(formTexts.dropTemplate, drop),
        ),
      ),
    );
  };
  show();
  return container;
}
