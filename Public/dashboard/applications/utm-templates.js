// The campaign templates of an application: the form of a link offers them to everybody.
import { announce } from "../shared/announcement.js";
import { Problem } from "../shared/api.js";
import { button, html, pair } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { storeTemplates, templatesOf } from "../shared/utm-templates.js";
import { CAMPAIGN } from "../links/form/body.js";

const utmTexts = pageTexts.utmTemplates;

/**
 * A form; nothing where the server keeps no templates.
 *
 * @param {string} app
 */
export async function campaignTemplatesForm(app) {
  const found = await templatesOf(app);
  if (!found) return null;
  let stored = found;
  const list = html.div();
  /** Rows so far: fields have names of their own, so that each error is shown at its field. */
  let made = 0;
  /** @param {import("../shared/utm-templates.js").CampaignTemplate} [template] */
  const row = (template) => {
    made += 1;
    const prefix = `template-${made}`;
    /** @type {HTMLElement} */
    const element = html.fieldset(
      { class: "utm-template" },
      html.legend(template?.name ?? utmTexts.new),
      field(
        texts.fields.name,
        input(`${prefix}.label`, template?.name ?? "", { required: true, maxlength: 64 }),
      ),
      pair(
        CAMPAIGN.map((part) =>
          field(
            part === "name" ? "utm_campaign" : `utm_${part}`,
            input(`${prefix}.${part}`, template?.campaign[part] ?? "", { maxlength: 200 }),
          ),
        ),
      ),
      button(utmTexts.remove, () => element.remove(), {
        "aria-label": formatText(utmTexts.removeOf, template?.name ?? utmTexts.new),
      }),
    );
    return element;
  };
  const show = () => list.replaceChildren(...stored.templates.map(row));
  /** @param {Element} element */
  const read = (element) => {
    /** @param {string} name */
    const value = (name) =>
      /** @type {HTMLInputElement | null} */ (
        element.querySelector(`[name$=".${name}"]`)
      )?.value.trim() ?? "";
    const members = CAMPAIGN.map((part) => [part, value(part)]);
    return {
      name: value("label"),
      campaign: Object.fromEntries(members.filter(([, text]) => text)),
    };
  };
  const form = sendForm(
    texts.save,
    async () => {
      const templates = [...list.children].map(read);
      const names = templates.map(({ name }) => name);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice) throw new Problem({ title: formatText(utmTexts.twice, twice) });
      stored = await storeTemplates(app, { ...stored, templates });
      show();
      announce(utmTexts.saved);
    },
    list,
    button(utmTexts.add, () => {
      list.append(row());
      list.lastElementChild?.querySelector("input")?.focus();
    }),
  );
  show();
  return html.details(
    { class: "fold" },
    html.summary(utmTexts.title),
    html.p({ class: "soft" }, utmTexts.about),
    form,
  );
}
