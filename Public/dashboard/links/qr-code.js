// A link's QR code, as the server draws it, with its colours, size and level.
import { withQuery } from "../shared/api.js";
import { html, pair } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText } from "../shared/texts.js";

const codeTexts = pageTexts.code;
/** Levels of error correction, and how much of a code may be lost. */
const LEVELS = [
  ["L", "7 %"],
  ["M", "15 %"],
  ["Q", "25 %"],
  ["H", "30 %"],
];

/** @param {Link} link */
export function codeSection(link) {
  const name = link.slug.replaceAll("/", "-");
  const picture = html.img({
    width: 200,
    height: 200,
    alt: formatText(codeTexts.alt, link.smartlink),
    error: () => showProblem(true),
    load: () => showProblem(false),
  });
  const problem = html.p({ role: "alert", hidden: true }, codeTexts.failed);
  /** @param {boolean} isProblem */
  const showProblem = (isProblem) => {
    picture.hidden = isProblem;
    problem.hidden = !isProblem;
  };
  const files = ["svg", "png"].map((kind) =>
    html.a({ download: `${name}.${kind}` }, kind.toUpperCase()),
  );
  const form = html.form(
    { submit: (event) => event.preventDefault(), change: () => show() },
    pair(
      field(codeTexts.dark, input("dark", "#000000", { type: "color" })),
      field(codeTexts.light, input("light", "#ffffff", { type: "color" })),
    ),
    pair(
      field(codeTexts.sizeOf, input("size", "1024", { type: "number", min: 64, max: 2048 })),
      field(codeTexts.level, select("level", LEVELS, "M")),
    ),
  );
  const show = () => {
    const { size, ...look } = values(form);
    /** @param {string} kind */
    const address = (kind) =>
      withQuery(`${linkPath(link)}/qr.${kind}`, kind === "png" ? { ...look, size } : look);
    picture.setAttribute("src", address("svg"));
    for (const file of files) file.href = address(file.text.toLowerCase());
  };
  show();
  return html.details(
    { class: "code", open: true },
    html.summary(codeTexts.title),
    picture,
    problem,
    html.p({ class: "buttons" }, files),
    html.details(html.summary(codeTexts.options), form),
  );
}
