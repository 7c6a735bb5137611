// Beside the form of a link: its address, who goes where, its card and its QR code, as far as the
// fields say.
import { html } from "../../shared/element.js";
import { cardPreview, linkPath } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { load } from "../../shared/pane.js";
import { formatText } from "../../shared/texts.js";
import { fieldDestinations } from "./destinations.js";
import { SOCIAL } from "./body.js";
import { whoGoesWhere } from "../visitors.js";

const formTexts = pageTexts.form;

/**
 * @param {Application[]} applications
 * @param {Link | null} link  that is edited
 */
export function formPreview(applications, link) {
  const address = html.p({ class: "address-preview" });
  const stored = html.div();
  const byFields = html.div();
  const ruled = html.p({ class: "soft" }, formTexts.rulesFirst);
  const card = html.div();
  const picture = html.p({ class: "soft" }, formTexts.cardPicture);
  const code = link
    ? html.img({
        width: 160,
        height: 160,
        class: "code-preview",
        src: `${linkPath(link)}/qr.svg`,
        alt: formatText(pageTexts.code.alt, link.smartlink),
      })
    : html.p({ class: "soft" }, formTexts.codeLater);
  const element = html.aside(
    { class: "form-preview", "aria-label": formTexts.preview },
    address,
    html.h2(pageTexts.explain.title),
    stored,
    byFields,
    ruled,
    html.h2(formTexts.card),
    card,
    picture,
    html.h2(pageTexts.code.title),
    code,
  );
  if (link) load(stored, () => whoGoesWhere(link.smartlink, link.rules));

  let before = "";
  /**
   * @param {Values} values
   * @param {boolean} isStored  whether destinations are those of the link that is stored
   */
  const show = (values, isStored) => {
    const application = applications.find(({ id }) => id === values.app);
    const domain = link?.domain ?? (values.domain || application?.domains?.[0] || location.host);
    const slug = link?.slug ?? values.slug?.trim();
    address.replaceChildren(
      `https://${domain}/`,
      slug ? html.strong(slug) : html.span({ class: "soft" }, formTexts.randomSlug),
    );
    const social = Object.fromEntries(SOCIAL.map((part) => [part, values[`social.${part}`]]));
    card.replaceChildren(cardPreview(social, domain, application?.name ?? values.app));
    picture.hidden = !social.imageURL;
    ruled.hidden = isStored || !values.rules?.trim();
    stored.hidden = !isStored;
    byFields.hidden = isStored;
    if (isStored) return;
    const table = fieldDestinations(values, application);
    // A table that says the same as before stays, for those who select its text.
    if (table.textContent !== before) byFields.replaceChildren(table);
    before = table.textContent ?? "";
  };
  return { element, show };
}
