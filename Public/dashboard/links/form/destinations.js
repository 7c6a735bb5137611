// "Who goes where" as the fields of a form say it, before anything is stored.
import { withScheme } from "../../frame/address.js";
import { html, table } from "../../shared/element.js";
import { address } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";

const formTexts = pageTexts.form;
/**
 * Visitors, and the platforms whose destinations are for them, the first one first.
 *
 * @type {Record<string, string[]>}
 */
const VISITORS = {
  iphone: ["iphone", "ios"],
  ipad: ["ipad", "ios"],
  android: ["android"],
  macos: ["macos"],
  windows: ["windows"],
  linux: ["linux"],
};

/**
 * @param {Values} values
 * @param {Application | undefined} application
 */
export function fieldDestinations(values, application) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const visitor of Object.keys(VISITORS)) {
    const leads = destinationFor(visitor, values, application);
    groups.set(leads, [...(groups.get(leads) ?? []), texts.platforms[visitor]]);
  }
  const isOne = groups.size === 1;
  return table(
    formTexts.byFields,
    [pageTexts.explain.visitor, pageTexts.explain.destination],
    [...groups].map(([leads, visitors]) => [
      isOne ? pageTexts.rules.everyone : visitors.join(", "),
      html.span({ class: "destination" }, leads),
    ]),
  );
}

/**
 * @param {string} visitor
 * @param {Values} values
 * @param {Application | undefined} application
 */
function destinationFor(visitor, values, application) {
  const template = application?.templates?.find(({ route }) => route === values.route);
  for (const platforms of [VISITORS[visitor], ["web"]]) {
    for (const platform of platforms) {
      const link = values[`urls.${platform}`]?.trim();
      if (link) return withFallback(withScheme(link), values[`urls.${platform}.fallback`]);
    }
    for (const platform of platforms) {
      const entry = template?.urls?.[platform];
      const link = address(entry);
      if (!entry || !link) continue;
      const fallback = typeof entry === "object" ? entry.fallback : null;
      return withFallback(filled(link, values), fallback);
    }
  }
  // Only keys that read whole applications see their templates.
  if (values.route && !template?.urls) return formatText(formTexts.byRoute, values.route);
  return formTexts.nowhere;
}

/**
 * @param {string} link
 * @param {string | null} [fallback]
 */
function withFallback(link, fallback) {
  if (!fallback) return link;
  return formatText(formTexts.orElse, link, fallback);
}

/**
 * @param {string} link
 * @param {Values} values
 */
const filled = (link, values) =>
  link.replace(
    /:([A-Za-z_]\w*)/g,
    (whole, name) => values[`routeParameters.${name}`]?.trim() || whole,
  );
