// The fields of a link's form.

import { html, pair } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { cardPreview, PLATFORMS } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { say, texts } from "../shared/texts.js";
import { campaignTemplates } from "./campaign-templates.js";
import { CAMPAIGN, SOCIAL } from "./form-body.js";

const t = pageTexts.form;
const MAXIMUM = 16 * 1024;

/**
 * A group that is open where it holds something.
 *
 * @param {string} title
 * @param {boolean} isOpen
 * @param {...HTMLElement} fields
 */
const fold = (title, isOpen, ...fields) =>
  html.details({ class: "fold", open: isOpen }, html.summary(title), fields);

/**
 * @param {Values} values
 * @param {string} prefix
 */
const has = (values, prefix) =>
  Object.entries(values).some(([name, value]) => name.startsWith(prefix) && value !== "");

/**
 * Application, domain and slug, which a link keeps for good.
 *
 * @param {Application[]} applications
 * @param {Values} values
 * @param {(app: string) => void} choose
 * @param {boolean} choosesSlug  whether the key may
 */
export function nameFields(applications, values, choose, choosesSlug) {
  const app = select(
    "app",
    applications.map(({ id, name }) => [id, name ? `${name} (${id})` : id]),
    values.app,
  );
  app.addEventListener("change", () => choose(app.value));
  const domains = applications.find(({ id }) => id === values.app)?.domains ?? [];
  return [
    applications.length > 1
      ? field(texts.fields.app, app)
      : html.input({ type: "hidden", name: "app", value: values.app }),
    domains.length > 1 &&
      field(
        texts.fields.domain,
        select(
          "domain",
          domains.map((domain) => [domain, domain]),
          values.domain,
        ),
      ),
    choosesSlug &&
      field(
        texts.fields.slug,
        input("slug", values.slug, { maxlength: 128, placeholder: t.slugPlaceholder }),
        t.slugHint,
      ),
  ];
}

/**
 * A route of the application's templates, with a field for each of its variables.
 *
 * @param {Application | undefined} application
 * @param {Values} values
 */
export function routeFields(application, values) {
  /** @type {Template[]} */
  const templates =
    application?.templates ??
    application?.routes?.map((/** @type {string} */ route) => ({ route })) ??
    [];
  if (!templates.length && !values.route) return null;
  const routes = templates.map(({ route, name }) => [route, name ? `${name}: ${route}` : route]);
  if (values.route && !routes.some(([route]) => route === values.route)) {
    routes.push([values.route, values.route]);
  }
  const parameters = html.div({ class: "pair" });
  const route = select("route", [["", t.noRoute], ...routes], values.route ?? "");
  const show = () =>
    parameters.replaceChildren(
      ...[...route.value.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name]) =>
        field(
          `:${name}`,
          input(`routeParameters.${name}`, values[`routeParameters.${name}`], { required: true }),
        ),
      ),
    );
  route.addEventListener("change", show);
  show();
  return html.div(field(texts.fields.route, route, t.routeHint), parameters);
}

/** @param {Values} values */
export function platformFields(values) {
  const platforms = PLATFORMS.filter((platform) => platform !== "web");
  return fold(
    t.platforms,
    platforms.some((platform) => values[`urls.${platform}`]),
    html.p({ class: "soft" }, t.platformsHint),
    ...platforms.map((platform) =>
      html.div(
        { class: "pair" },
        field(
          texts.platforms[platform],
          input(`urls.${platform}`, values[`urls.${platform}`], { inputmode: "url" }),
        ),
        field(
          t.fallback,
          input(`urls.${platform}.fallback`, values[`urls.${platform}.fallback`], {
            placeholder: t.fallbackPlaceholder,
          }),
        ),
      ),
    ),
  );
}

/** @param {Values} values */
export function campaignFields(values) {
  return fold(
    t.campaign,
    has(values, "campaign."),
    html.p({ class: "soft" }, t.campaignHint),
    campaignTemplates(),
    pair(
      CAMPAIGN.map((name) =>
        field(
          name === "name" ? "utm_campaign" : `utm_${name}`,
          input(`campaign.${name}`, values[`campaign.${name}`]),
        ),
      ),
    ),
  );
}

/** @param {Values} values */
export function limitFields(values) {
  const time = (name = "") => input(name, values[name], { type: "datetime-local", step: 1 });
  const number = (name = "") => input(name, values[name], { type: "number", min: 1, step: 1 });
  return fold(
    t.limits,
    ["validFrom", "expiresAt", "maxClicks", "redeemLimit"].some((name) => values[name]),
    pair(
      field(texts.fields.validFrom, time("validFrom"), t.localTime),
      field(texts.fields.expiresAt, time("expiresAt"), t.localTime),
    ),
    pair(
      field(texts.fields.maxClicks, number("maxClicks"), t.maxClicksHint),
      field(texts.fields.redeemLimit, number("redeemLimit"), t.redeemLimitHint),
    ),
  );
}

/**
 * @param {Values} values
 * @param {string} domain
 * @param {string} name  of the application
 */
export function socialFields(values, domain, name) {
  const preview = html.div();
  const made = fold(
    t.card,
    has(values, "social."),
    html.p({ class: "soft" }, t.cardHint),
    preview,
    ...SOCIAL.map((name) =>
      field(
        texts.fields[`social.${name}`],
        input(
          `social.${name}`,
          values[`social.${name}`],
          name === "imageURL" ? { inputmode: "url" } : { spellcheck: "true" },
        ),
      ),
    ),
  );
  const show = () => {
    const value = (part = "") =>
      /** @type {HTMLInputElement | null} */ (made.querySelector(`[name="social.${part}"]`))?.value;
    preview.replaceChildren(
      cardPreview(Object.fromEntries(SOCIAL.map((part) => [part, value(part)])), domain, name),
    );
  };
  made.addEventListener("input", show);
  show();
  return made;
}

/** @param {boolean} hasMetadata  of the link that is edited */
export function payloadFields(hasMetadata) {
  const text = html.textarea({
    name: "metadata",
    rows: 6,
    spellcheck: "false",
    autocapitalize: "none",
    class: "code",
  });
  const size = html.small({ "aria-live": "polite" });
  const measure = () => {
    const bytes = new TextEncoder().encode(text.value).length;
    size.textContent =
      bytes > MAXIMUM ? say(t.tooLarge, bytes - MAXIMUM) : say(t.left, MAXIMUM - bytes);
  };
  text.addEventListener("input", measure);
  measure();
  return fold(
    t.payload,
    false,
    field(t.payload, text, hasMetadata ? t.payloadKept : t.payloadHint),
    size,
    ...(hasMetadata
      ? [
          html.label(
            { class: "choice" },
            html.input({ type: "checkbox", name: "dropMetadata" }),
            t.dropPayload,
          ),
        ]
      : []),
  );
}
