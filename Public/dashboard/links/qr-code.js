// A link's QR code, as the server draws it, with its colours, size and level.
import { query } from "../shared/api.js";
import { html, pair } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { say } from "../shared/texts.js";

const t = pageTexts.code;

/** @param {Link} link */
export function codeSection(link) {
  const name = link.slug.replaceAll("/", "-");
  const picture = html.img({
    width: 200,
    height: 200,
    alt: say(t.alt, link.smartlink),
    error: () => failed(true),
    load: () => failed(false),
  });
  const problem = html.p({ role: "alert", hidden: true }, t.failed);
  const failed = (value = false) => {
    picture.hidden = value;
    problem.hidden = !value;
  };
  const files = ["svg", "png"].map((kind) =>
    html.a({ download: `${name}.${kind}` }, kind.toUpperCase()),
  );
  const form = html.form(
    { submit: (event) => event.preventDefault(), change: () => show() },
    pair(
      field(t.dark, input("dark", "#000000", { type: "color" })),
      field(t.light, input("light", "#ffffff", { type: "color" })),
    ),
    pair(
      field(t.sizeOf, input("size", "1024", { type: "number", min: 64, max: 2048 })),
      field(
        t.level,
        select(
          "level",
          [
            ["L", "7 %"],
            ["M", "15 %"],
            ["Q", "25 %"],
            ["H", "30 %"],
          ],
          "M",
        ),
      ),
    ),
  );
  const show = () => {
    const { size, ...look } = values(form);
    const address = (kind = "") =>
      query(`${linkPath(link)}/qr.${kind}`, kind === "png" ? { ...look, size } : look);
    picture.setAttribute("src", address("svg"));
    files.forEach((file) => file.setAttribute("href", address(file.text.toLowerCase())));
  };
  show();
  return html.details(
    { class: "code", open: true },
    html.summary(t.title),
    picture,
    problem,
    html.p({ class: "buttons" }, files),
    html.details(html.summary(t.options), form),
  );
}
