// How an application looks on the pages that visitors see: its fields, and a preview.
import { html, pair } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { textOf } from "./document.js";

const appearanceTexts = pageTexts.appearance;
const COLOR = /^#[0-9a-f]{6}$/i;
/** What visitors' pages have without a colour of the application. */
const STANDARD = "#0b6e4f";

/**
 * @param {Application} document
 * @param {Node} preview
 * @param {Node} logo
 */
export function appearanceFields(document, preview, logo) {
  const color = input("appearance.accentColor", textOf(document, "appearance.accentColor"), {
    placeholder: STANDARD,
    maxlength: 7,
  });
  // It has no name: the field beside it can be empty.
  const picker = html.input({
    type: "color",
    value: COLOR.test(color.value) ? color.value : STANDARD,
    "aria-label": appearanceTexts.pick,
    input: () => {
      color.value = picker.value;
    },
  });
  color.addEventListener("input", () => {
    if (COLOR.test(color.value)) picker.value = color.value;
  });
  const colorField = field(pageTexts.applications.accentColor, color, appearanceTexts.colorHint);
  color.after(picker);
  return html.fieldset(
    html.legend(appearanceTexts.title),
    pair(
      html.div(
        colorField,
        field(
          appearanceTexts.icon,
          input("appearance.iconURL", textOf(document, "appearance.iconURL"), {
            type: "url",
            placeholder: "https://www.example.com/icon.png",
          }),
          appearanceTexts.iconHint,
        ),
      ),
      preview,
    ),
    logo,
  );
}

/**
 * The page of a link, as far as the application decides.
 *
 * @param {Application} document
 */
export function appearancePreview(document) {
  const name = document.name || document.id || texts.fields.app;
  const icon = textOf(document, "appearance.iconURL");
  const accent = textOf(document, "appearance.accentColor");
  const color = COLOR.test(accent) ? accent : STANDARD;
  const open = html.span({ class: "button" }, formatText(appearanceTexts.open, name));
  open.style.background = color;
  open.style.color = isLight(color) ? "#000" : "#fff";
  return html.div(
    { class: "panel visitor", role: "group", "aria-label": appearanceTexts.preview },
    html.small(appearanceTexts.preview),
    html.div({ class: "app-icon", "aria-hidden": "true" }, name[0].toUpperCase()),
    html.strong(name),
    open,
    // Pictures of other hosts are not loaded here.
    icon && html.a({ href: icon, rel: "noreferrer", target: "_blank" }, appearanceTexts.showIcon),
  );
}

/**
 * Whether black is more readable than white on a colour (WCAG 2.2, contrast ratio).
 *
 * @param {string} color  as #rrggbb
 */
function isLight(color) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
