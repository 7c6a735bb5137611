// The fields of a link's form.

import { html, pair } from "../../shared/element.js";
import { field, input, select } from "../../shared/fields.js";
import { PLATFORMS } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { campaignTemplates } from "./campaign-templates.js";
import { templatesOf } from "../../shared/utm-templates.js";
import { CAMPAIGN, SOCIAL } from "./body.js";

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
 * The choice of an application; where there is one only, it is not asked for.
 *
 * @param {Application[]} applications
 * @param {Values} values
 * @param {(app: string) => void} choose
 */
export function applicationField(applications, values, choose) {
  if (applications.length < 2) {
    return html.input({ type: "hidden", name: "app", value: values.app });
  }
  const app = select(
    "app",
    applications.map(({ id, name }) => [id, name ? `${name} (${id})` : id]),
    values.app,
  );
  app.addEventListener("change", () => choose(app.value));
  return field(texts.fields.app, app);
}

/**
 * Domain and slug, which a link keeps for good.
 *
 * @param {Application | undefined} application
 * @param {Values} values
 * @param {HTMLElement | null} check  of the slug; none for keys that may not choose one
 */
export function addressFields(application, values, check) {
  const domains = application?.domains ?? [];
  const slug = field(
    texts.fields.slug,
    input("slug", values.slug, { maxlength: 128, placeholder: formTexts.slugPlaceholder }),
    formTexts.slugHint,
  );
  if (check) slug.append(check);
  return [
    domains.length > 1 &&
      field(
        texts.fields.domain,
        select(
          "domain",
          domains.map((domain) => [domain, domain]),
          values.domain,
        ),
      ),
    check && slug,
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

/**
 * The fields of a campaign. Templates are asked for once the group is open; `show` is told of
 * another application.
 *
 * @param {Values} values
 */
export function campaignFields(values) {
  const templates = campaignTemplates();
  let { app } = values;
  const element = fold(
    formTexts.campaign,
    has(values, "campaign."),
    html.p({ class: "soft" }, formTexts.campaignHint),
    templates.element,
    pair(
      CAMPAIGN.map((name) =>
        field(
          name === "name" ? "utm_campaign" : `utm_${name}`,
          input(`campaign.${name}`, values[`campaign.${name}`]),
        ),
      ),
    ),
  );
  /** @param {string} [chosen]  application */
  const show = (chosen = app) => {
    app = chosen;
    if (element.open) templates.open(app);
  };
  element.addEventListener("toggle", () => show());
  return { element, show };
}

/**
 * A password that visitors are asked for, where the server knows of them.
 *
 * @param {Link | undefined} link  that is edited
 * @param {string} app
 */
function passwordFields(link, app) {
  const container = html.div();
  const fields = () => [
    field(
      formTexts.password,
      input("password", "", { type: "password", autocomplete: "new-password", maxlength: 128 }),
      link?.hasPassword ? formTexts.passwordKept : formTexts.passwordHint,
    ),
    link?.hasPassword
      ? html.label(
          { class: "choice" },
          html.input({ type: "checkbox", name: "dropPassword" }),
          formTexts.dropPassword,
        )
      : "",
  ];
  const isKnown = link ? link.hasPassword !== undefined : null;
  if (isKnown) container.replaceChildren(...fields());
  // Passwords came with the templates of campaigns.
  const ask = async () => {
    if (isKnown !== null || container.firstChild) return;
    if (await templatesOf(app).catch(() => null)) container.replaceChildren(...fields());
  };
  return { element: container, ask };
}

/**
 * @param {Values} values
 * @param {Link} [link]  that is edited
 */
export function limitFields(values, link) {
  const password = passwordFields(link, values.app);
  /** @param {string} name */
  const time = (name) => input(name, values[name], { type: "datetime-local", step: 1 });
  /** @param {string} name */
  const number = (name) => input(name, values[name], { type: "number", min: 1, step: 1 });
  const element = fold(
    formTexts.limits,
    link?.hasPassword === true ||
      ["validFrom", "expiresAt", "maxClicks", "redeemLimit"].some((name) => values[name]),
    pair(
      field(texts.fields.validFrom, time("validFrom"), formTexts.localTime),
      field(texts.fields.expiresAt, time("expiresAt"), formTexts.localTime),
    ),
    pair(
      field(texts.fields.maxClicks, number("maxClicks"), formTexts.maxClicksHint),
      field(texts.fields.redeemLimit, number("redeemLimit"), formTexts.redeemLimitHint),
    ),
    password.element,
  );
  element.addEventListener("toggle", password.ask);
  return element;
}

/**
 * The card of a link in chats.
 *
 * @param {Values} values
 */
export function socialFields(values) {
  return fold(
    formTexts.card,
    has(values, "social."),
    html.p({ class: "soft" }, formTexts.cardHint),
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
