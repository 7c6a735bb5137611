// Campaigns (UTM) that are used again and again, kept in this browser.

import { setting } from "../frame/session.js";
import { button, html, pair } from "../shared/element.js";
import { field, select } from "../shared/fields.js";
import { pageTexts } from "../shared/page-texts.js";
import { CAMPAIGN } from "./form-body.js";

const t = pageTexts.form;
const SETTING = "waymark-campaigns";

/** @returns {Record<string, Record<string, string>>} */
function kept() {
  return JSON.parse(setting(SETTING) ?? "{}");
}

export function campaignTemplates() {
  const place = html.div();
  const show = (chosen = "") => {
    const all = kept();
    const template = select(
      "",
      [["", t.noTemplate], ...Object.keys(all).map((name) => [name, name])],
      chosen,
    );
    const fieldOf = (part = "") =>
      /** @type {HTMLInputElement | null | undefined} */ (
        place.closest("form")?.querySelector(`[name="campaign.${part}"]`)
      );
    const keep = (/** @type {Record<string, Record<string, string>>} */ changed, name = "") => {
      setting(SETTING, JSON.stringify(changed));
      show(name);
    };
    template.addEventListener("change", () => {
      for (const part of CAMPAIGN) {
        const field = fieldOf(part);
        if (field && template.value) field.value = all[template.value][part] ?? "";
      }
      template.form?.dispatchEvent(new Event("input"));
      show(template.value);
    });
    place.replaceChildren(
      pair(
        field(t.template, template),
        html.div(
          { class: "buttons" },
          button(t.saveTemplate, () => {
            const campaign = Object.fromEntries(
              CAMPAIGN.map((part) => [part, fieldOf(part)?.value ?? ""]).filter(
                ([, value]) => value,
              ),
            );
            const name = [campaign.source, campaign.medium, campaign.name]
              .filter(Boolean)
              .join(" / ");
            if (name) keep({ ...all, [name]: campaign }, name);
          }),
          chosen &&
            button(t.dropTemplate, () =>
              keep(Object.fromEntries(Object.entries(all).filter(([name]) => name !== chosen))),
            ),
        ),
      ),
    );
  };
  show();
  return place;
}
