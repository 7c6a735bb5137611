// How a link is shown wherever it appears.
import { path } from "./api.js";
import { copy } from "./clipboard.js";
import { button, html } from "./element.js";
import { formatText, texts } from "./texts.js";

export const PLATFORMS = Object.keys(texts.platforms);

/** @param {Name} link */
export const linkPath = (link) => path`/api/v1/links/${link.domain}/${link.slug}`;

/**
 * The link of an address without a scheme.
 *
 * @param {string} address  domain/slug, and the slug may have slashes
 * @returns {Name}
 */
export function nameIn(address) {
  const [domain, ...slug] = address.split("/");
  return { domain, slug: slug.join("/") };
}

/**
 * The URL of a destination, which may have a fallback beside it.
 *
 * @param {Destination | undefined} destination
 */
export const address = (destination) =>
  typeof destination === "string" ? destination : (destination?.link ?? "");

/**
 * The one line that says where a link leads.
 *
 * @param {Link} link
 */
export function destinationOf(link) {
  if (link.urls.web) return address(link.urls.web);
  if (link.route) {
    return link.route.replace(
      /:([A-Za-z0-9_]+)/g,
      (whole, name) => link.routeParameters[name] ?? whole,
    );
  }
  const first = PLATFORMS.find((platform) => link.urls[platform]);
  if (!first) return "–";
  return formatText(texts.labelled, texts.platforms[first], address(link.urls[first]));
}

/** @param {Link["state"]} state */
export function stateBadge(state) {
  return html.span({ class: `state ${state}` }, texts.states[state] ?? state);
}

/** @param {Link} link */
export const addressButton = ({ smartlink }) =>
  button(smartlink, () => copy(smartlink), {
    class: "address",
    title: texts.links.copyTitle,
  });

/**
 * A link as chats and social networks show it. Pictures of other hosts are not loaded.
 *
 * @param {Query} social
 * @param {string} domain
 * @param {string} name  of the application
 */
export const cardPreview = ({ title, description, imageURL }, domain, name) =>
  html.div(
    { class: "preview" },
    imageURL && html.div({ class: "picture" }, imageURL),
    html.strong(title || name),
    description && html.div(description),
    html.small(domain),
  );

/**
 * Whose files describe a link, an application or a webhook: a row of facts, if somebody's do.
 *
 * @param {string | null | undefined} name
 * @param {{managedBy: string, managedByHint: string}} linkTexts
 * @returns {Content[][]}
 */
export const managerFacts = (name, { managedBy, managedByHint }) =>
  name ? [[managedBy, [html.span({ class: "state" }, name), " ", managedByHint]]] : [];
