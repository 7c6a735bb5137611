// The fields of a link's form.

import { html, pair } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { cardPreview, PLATFORMS } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { campaignTemplates } from "./campaign-templates.js";
import { CAMPAIGN, SOCIAL } from "./form-body.js";

const formTexts = pageTexts.form;
/** Bytes of a payload. */
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
 * Whether a field of the group is filled in.
 *
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
        input("slug", values.slug, { maxlength: 128, placeholder: formTexts.slugPlaceholder }),
        formTexts.slugHint,
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
  const route = select("route", [["", formTexts.noRoute], ...routes], values.route ?? "");
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
  return html.div(field(texts.fields.route, route, formTexts.routeHint), parameters);
}

/** @param {Values} values */
export function platformFields(values) {
  const platforms = PLATFORMS.filter((platform) => platform !== "web");
  return fold(
    formTexts.platforms,
    platforms.some((platform) => values[`urls.${platform}`]),
    html.p({ class: "soft" }, formTexts.platformsHint),
    ...platforms.map((platform) =>
      html.div(
        { class: "pair" },
        field(
          texts.platforms[platform],
          input(`urls.${platform}`, values[`urls.${platform}`], { inputmode: "url" }),
        ),
        field(
          formTexts.fallback,
          input(`urls.${platform}.fallback`, values[`urls.${platform}.fallback`], {
            placeholder: formTexts.fallbackPlaceholder,
          }),
        ),
      ),
    ),
  );
}

/** @param {Values} values */
export function campaignFields(values) {
  return fold(
    formTexts.campaign,
    has(values, "campaign."),
    html.p({ class: "soft" }, formTexts.campaignHint),
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
  /** @param {string} name */
  const time = (name) => input(name, values[name], { type: "datetime-local", step: 1 });
  /** @param {string} name */
  const number = (name) => input(name, values[name], { type: "number", min: 1, step: 1 });
  return fold(
    formTexts.limits,
    ["validFrom", "expiresAt", "maxClicks", "redeemLimit"].some((name) => values[name]),
    pair(
      field(texts.fields.validFrom, time("validFrom"), formTexts.localTime),
      field(texts.fields.expiresAt, time("expiresAt"), formTexts.localTime),
    ),
    pair(
      field(texts.fields.maxClicks, number("maxClicks"), formTexts.maxClicksHint),
      field(texts.fields.redeemLimit, number("redeemLimit"), formTexts.redeemLimitHint),
    ),
  );
}

/**
 * The card of a link in chats, with a preview.
 *
 * @param {Values} values
 * @param {string} domain
 * @param {string} name  of the application
 */
export function socialFields(values, domain, name) {
  const preview = html.div();
  const group = fold(
    formTexts.card,
    has(values, "social."),
    html.p({ class: "soft" }, formTexts.cardHint),
    preview,
    ...SOCIAL.map((part) =>
      field(
        texts.fields[`social.${part}`],
        input(
          `social.${part}`,
          values[`social.${part}`],
          part === "imageURL" ? { inputmode: "url" } : { spellcheck: "true" },
        ),
      ),
    ),
  );
  const show = () => {
    /** @param {string} part */
    const value = (part) =>
      /** @type {HTMLInputElement | null} */ (group.querySelector(`[name="social.${part}"]`))
        ?.value;
    preview.replaceChildren(
      cardPreview(Object.fromEntries(SOCIAL.map((part) => [part, value(part)])), domain, name),
    );
  };
  group.addEventListener("input", show);
  show();
  return group;
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
      bytes > MAXIMUM
        ? formatText(formTexts.tooLarge, bytes - MAXIMUM)
        : formatText(formTexts.left, MAXIMUM - bytes);
  };
  text.addEventListener("input", measure);
  measure();
  return fold(
    formTexts.payload,
    false,
    field(formTexts.payload, text, hasMetadata ? formTexts.payloadKept : formTexts.payloadHint),
    size,
    ...(hasMetadata
      ? [
          html.label(
            { class: "choice" },
            html.input({ type: "checkbox", name: "dropMetadata" }),
            formTexts.dropPayload,
          ),
        ]
      : []),
  );
}
