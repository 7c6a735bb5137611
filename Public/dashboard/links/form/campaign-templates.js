// Campaigns (UTM) that are used again and again: those of the application, and where the server
// keeps none, those of this browser.
import { Problem } from "../../shared/api.js";
import { button, html, pair } from "../../shared/element.js";
import { field, select } from "../../shared/fields.js";
import { pageTexts } from "../../shared/page-texts.js";
import { problemNotice } from "../../shared/pane.js";
import { setting } from "../../shared/setting.js";
import { storeTemplates, templatesOf } from "../../shared/utm-templates.js";
import { CAMPAIGN } from "./body.js";

const formTexts = pageTexts.form;
/** Characters of a name. */
const LONGEST = 64;
/** 412 Precondition Failed. */
const CHANGED = 412;
const SETTING = "waymark-campaigns";

/**
 * Members of a campaign by name.
 *
 * @typedef {Record<string, Record<string, string | null>>} Templates
 */

/** @returns {Templates} */
function keptTemplates() {
  return JSON.parse(setting(SETTING) ?? "{}");
}

/**
 * A choice of templates, which fills in the fields of the form around it. `open` shows those of
 * another application.
 */
export function campaignTemplates() {
  const container = html.div();
  let app = "";
  /** @type {import("../../shared/utm-templates.js").StoredTemplates | null} */
  let stored = null;
  /** Those that can be chosen: the browser's too, until the server has one of that name. */
  const templates = () => ({
    ...keptTemplates(),
    ...Object.fromEntries((stored?.templates ?? []).map(({ name, campaign }) => [name, campaign])),
  });
  /** @param {string} part */
  const fieldOf = (part) =>
    /** @type {HTMLInputElement | null | undefined} */ (
      container.closest("form")?.querySelector(`[name="campaign.${part}"]`)
    );
  /**
   * Adds a template, or without a campaign takes it away.
   *
   * @param {string} name
   * @param {Record<string, string>} [campaign]
   */
  const change = async (name, campaign) => {
    const { [name]: _, ...kept } = keptTemplates();
    try {
      if (stored) {
        const others = stored.templates.filter((template) => template.name !== name);
        const changed = campaign ? [...others, { name, campaign }] : others;
        stored = await storeTemplates(app, { ...stored, templates: changed });
      } else if (campaign) {
        kept[name] = campaign;
      }
      setting(SETTING, JSON.stringify(kept));
      show(campaign && name);
    } catch (error) {
      if (error instanceof Problem && error.status === CHANGED) {
        // Somebody else has changed them: the next attempt begins with theirs.
        stored = await templatesOf(app).catch(() => stored);
        show();
      }
      container.append(problemNotice(error));
    }
  };
  /** @param {string} [chosen]  the name of a template */
  const show = (chosen) => {
    const known = templates();
    const names = Object.keys(known);
    const template = select(
      "",
      [["", formTexts.noTemplate], ...names.map((name) => [name, name])],
      chosen,
    );
    template.addEventListener("change", () => {
      for (const part of CAMPAIGN) {
        const control = fieldOf(part);
        if (control && template.value) control.value = known[template.value][part] ?? "";
      }
      template.form?.dispatchEvent(new Event("input"));
      show(template.value);
    });
    const save = () => {
      const members = CAMPAIGN.map((part) => [part, fieldOf(part)?.value ?? ""]);
      const campaign = Object.fromEntries(members.filter(([, value]) => value));
      const name = [campaign.source, campaign.medium, campaign.name]
        .filter(Boolean)
        .join(" / ")
        .slice(0, LONGEST);
      if (name) change(name, campaign);
    };
    container.replaceChildren(
      pair(
        field(formTexts.template, template, stored ? formTexts.templatesOfApp : undefined),
        html.div(
          { class: "buttons" },
          button(formTexts.saveTemplate, save),
          chosen && button(formTexts.dropTemplate, () => change(chosen)),
        ),
      ),
    );
  };
  /** @param {string} chosen  application */
  const open = async (chosen) => {
    if (chosen === app) return;
    app = chosen;
    const found = await templatesOf(chosen).catch(() => null);
    if (chosen !== app) return;
    stored = found;
    show();
  };
  show();
  return { element: container, open };
}
