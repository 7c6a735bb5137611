// A row of the list of links.
import { hashWith, linkHash } from "../../frame/address.js";
import { copy } from "../../shared/clipboard.js";
import { anchor, button, html } from "../../shared/element.js";
import { dateElement, formatCount, pluralText } from "../../shared/formats.js";
import { address, destinationOf, stateBadge } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { verifiedBadge } from "../verified.js";
import { knownApplications } from "./filters.js";

const listTexts = pageTexts.list;

/**
 * @param {Link} link
 * @param {HTMLInputElement | null} box  that selects it; none for keys that change nothing
 * @returns {Content[]}
 */
export function linkRow(link, box) {
  const { domain, slug, smartlink, clicks } = link;
  return [
    html.div(
      { class: "who-row" },
      box,
      html.a(
        { class: "row-link", href: linkHash(link), title: smartlink },
        html.span({ class: "host" }, `${domain}/`),
        html.span({ class: "slug" }, slug),
      ),
    ),
    (link.title || link.tags.length > 0) &&
      html.div(
        { class: "one-line", title: [link.title, ...link.tags].filter(Boolean).join(", ") },
        link.title && [link.title, " "],
        link.tags.map((tag) =>
          html.a({ class: "tag", href: hashWith({ tag, cursor: null }) }, tag),
        ),
      ),
    destination(link),
    link.verified
      ? html.div(stateBadge(link.state), " ", verifiedBadge(link.verified))
      : stateBadge(link.state),
    html.div(
      { class: "number" },
      html.span({ class: "on-wide" }, formatCount(clicks)),
      html.span({ class: "on-narrow" }, pluralText(texts.clicks.number, clicks)),
    ),
    html.div({ class: "recent waiting" }),
    dateElement(link.createdAt),
    html.div(
      { class: "row-actions" },
      button(texts.copy, () => copy(smartlink), {
        class: "plain",
        "aria-label": formatText(listTexts.copyOf, smartlink),
      }),
      box &&
        anchor(linkHash(link, "edit"), texts.edit, {
          class: "plain later",
          "aria-label": formatText(listTexts.editOf, slug),
        }),
    ),
  ];
}

/**
 * Where a link leads. Where its route's template says it, and the key may read that, it is shown
 * once it is known.
 *
 * @param {Link} link
 */
function destination(link) {
  const element = html.div({ class: "one-line destination" });
  /** @param {string} text */
  const show = (text) => {
    element.textContent = text.replace(/^https:\/\//, "");
    element.title = text;
  };
  show(destinationOf(link));
  if (link.route && !link.urls.web) {
    knownApplications().then(
      (applications) => {
        const template = applications
          .find(({ id }) => id === link.app)
          ?.templates?.find(({ route }) => route === link.route);
        const web = address(template?.urls?.web);
        if (web) show(filled(web, link.routeParameters));
      },
      () => {},
    );
  }
  return element;
}

/**
 * A route or a template's URL with its variables.
 *
 * @param {string} text
 * @param {Record<string, string>} values
 */
const filled = (text, values) =>
  text.replace(/:([A-Za-z_]\w*)/g, (whole, name) =>
    name in values ? encodeURIComponent(values[name]) : whole,
  );
