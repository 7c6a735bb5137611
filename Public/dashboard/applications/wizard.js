// Sets an application up from the few values that its apps have, and shows the files and settings
// that follow from them.
import { go, hash } from "../frame/address.js";
import { announce } from "../shared/announcement.js";
import { call, path } from "../shared/api.js";
import { codeBlock, curl, sameByAPI } from "../shared/command.js";
import { html, pair } from "../shared/element.js";
import { field, input, values } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { hosts, words } from "./document.js";

const wizardTexts = pageTexts.wizard;
/** The relation by which Android opens links in an app. */
const LINKS = "delegate_permission/common.handle_all_urls";
/**
 * What the service generates for an application without rules of its own: its pages stay in the
 * browser.
 */
const EXCLUDED = ["/_/*", "/api/*", "/.well-known/*", "/*+", "/*/qr.png", "/*/qr.svg"];
/**
 * On Android, `*` ends at the next slash, so links of two to four segments need patterns of their
 * own.
 */
const EXCLUDED_ON_ANDROID = [
  "/_",
  ...EXCLUDED,
  ...["/*/*", "/*/*/*", "/*/*/*/*"].flatMap((slug) => [`${slug}/qr.png`, `${slug}/qr.svg`]),
];

/**
 * Rules of an association file: what stays in the browser, and all the rest.
 *
 * @param {string[]} excluded
 * @param {string} rest
 */
const rules = (excluded, rest) => [
  ...excluded.map((rule) => ({ "/": rule, exclude: true })),
  { "/": rest },
];

/** @type {ShowPage} */
export function show(main) {
  const preview = html.aside({ "aria-label": wizardTexts.preview });
  const command = html.div();
  const form = sendForm(
    wizardTexts.create,
    async (submitted) => {
      const { id, ...document } = applicationOf(submitted);
      await call("PUT", path`/api/v1/apps/${id}`, { body: document });
      announce(formatText(pageTexts.applications.saved, id));
      go(hash(["applications", id]));
    },
    pair(
      field(
        pageTexts.applications.id,
        input("id", "", { required: true, placeholder: "shop" }),
        pageTexts.applications.idHint,
      ),
      field(texts.fields.name, input("name", "", { placeholder: "Shop" })),
    ),
    field(
      wizardTexts.domains,
      input("domains", "", { placeholder: "go.example.com" }),
      wizardTexts.domainsHint,
    ),
    field(
      wizardTexts.web,
      input("web.baseURL", "", { type: "url", placeholder: "https://www.example.com" }),
      wizardTexts.webHint,
    ),
    html.fieldset(
      html.legend("iOS"),
      pair(
        field("Team ID", input("team", "", { placeholder: "ABCDE12345" }), wizardTexts.teamHint),
        field("Bundle ID", input("ios.appIDs", "", { placeholder: "com.example.shop" })),
      ),
      pair(
        field(
          wizardTexts.scheme,
          input("ios.urlScheme", "", { placeholder: "shop" }),
          wizardTexts.schemeHint,
        ),
        field(
          "App Store ID",
          input("ios.appStoreID", "", { inputmode: "numeric", placeholder: "123456789" }),
        ),
      ),
    ),
    html.fieldset(
      html.legend("Android"),
      pair(
        field(
          wizardTexts.package,
          input("android.package", "", { placeholder: "com.example.shop" }),
        ),
        field(wizardTexts.scheme, input("android.urlScheme", "", { placeholder: "shop" })),
      ),
      field(
        wizardTexts.fingerprint,
        html.textarea({
          name: "android.sha256CertFingerprints",
          rows: 2,
          spellcheck: "false",
          class: "code",
          placeholder: "14:6D:E9:…",
        }),
        wizardTexts.fingerprintHint,
      ),
    ),
  );
  const showPreview = () => {
    const { id, ...document } = applicationOf(values(form));
    preview.replaceChildren(...pieces(document));
    command.replaceChildren(sameByAPI(curl("PUT", path`/api/v1/apps/${id || "shop"}`, document)));
  };
  form.addEventListener("input", showPreview);
  showPreview();
  main.append(
    html.p(wizardTexts.about),
    html.div({ class: "columns wide" }, form, preview),
    command,
  );
  form.querySelector("input")?.focus();
}

/**
 * The document of what is filled in.
 *
 * @param {Record<string, string>} values
 * @returns {Application}
 */
function applicationOf(values) {
  const web = values["web.baseURL"].trim();
  const bundle = values["ios.appIDs"].trim();
  const packageName = values["android.package"].trim();
  /**
   * @param {string} key
   * @param {string} value
   */
  const optional = (key, value) => (value.trim() ? { [key]: value.trim() } : {});
  return {
    id: values.id.trim(),
    ...optional("name", values.name),
    domains: hosts(values.domains),
    ...(web && { web: { baseURL: web } }),
    ...(bundle && {
      ios: {
        appIDs: [`${values.team.trim()}.${bundle}`],
        ...optional("urlScheme", values["ios.urlScheme"]),
        ...optional("appStoreID", values["ios.appStoreID"]),
      },
    }),
    ...(packageName && {
      android: {
        package: packageName,
        ...optional("urlScheme", values["android.urlScheme"]),
        sha256CertFingerprints: words(values["android.sha256CertFingerprints"].toUpperCase()),
      },
    }),
  };
}

/**
 * What developers copy: files that the service serves, and what their projects need.
 *
 * @param {Omit<Application, "id">} application
 */
function pieces({ ios, android, domains }) {
  if (!ios && !android) return [html.p({ class: "soft" }, wizardTexts.nothing)];
  const named = domains?.length ? domains : ["go.example.com"];
  return [
    ...(ios ? piecesForIOS(ios, named) : []),
    ...(android ? piecesForAndroid(android, named) : []),
  ];
}

/**
 * @param {string} title
 * @param {string} note
 * @param {string} text
 */
const piece = (title, note, text) => [
  html.h2(title),
  html.p({ class: "soft" }, note),
  ...codeBlock(text),
];

/** @param {unknown} value */
const json = (value) => JSON.stringify(value, null, 2);

/**
 * @param {any} ios  of an application
 * @param {string[]} hosts
 */
function piecesForIOS({ appIDs, urlScheme }, hosts) {
  const plist = [
    "<key>CFBundleURLTypes</key>",
    "<array><dict>",
    "  <key>CFBundleURLSchemes</key>",
    `  <array><string>${urlScheme}</string></array>`,
    "</dict></array>",
  ];
  return [
    ...piece(
      "apple-app-site-association",
      wizardTexts.served,
      json({ applinks: { details: [{ appIDs, components: rules(EXCLUDED, "/*") }] } }),
    ),
    ...piece("Xcode", wizardTexts.xcode, hosts.map((host) => `applinks:${host}`).join("\n")),
    ...(urlScheme ? piece("Info.plist", wizardTexts.plist, plist.join("\n")) : []),
  ];
}

/**
 * @param {any} android  of an application
 * @param {string[]} hosts
 */
function piecesForAndroid({ package: packageName, sha256CertFingerprints, urlScheme }, hosts) {
  const statement = {
    relation: [LINKS],
    target: {
      namespace: "android_app",
      package_name: packageName,
      sha256_cert_fingerprints: sha256CertFingerprints,
    },
    relation_extensions: {
      [LINKS]: { dynamic_app_link_components: rules(EXCLUDED_ON_ANDROID, "*") },
    },
  };
  const hostLines = hosts.map((host) => `  <data android:host="${host}" />`);
  const filters = [intentFilter(hostLines, "https", ' android:autoVerify="true"')];
  if (urlScheme) filters.push(intentFilter([], urlScheme, ""));
  return [
    ...piece("assetlinks.json", wizardTexts.served, json([statement])),
    ...piece("AndroidManifest.xml", wizardTexts.manifest, filters.join("\n")),
  ];
}

/**
 * @param {string[]} hosts  a line each
 * @param {string} scheme
 * @param {string} more  attributes
 */
function intentFilter(hosts, scheme, more) {
  return [
    `<intent-filter${more}>`,
    '  <action android:name="android.intent.action.VIEW" />',
    '  <category android:name="android.intent.category.DEFAULT" />',
    '  <category android:name="android.intent.category.BROWSABLE" />',
    `  <data android:scheme="${scheme}" />`,
    ...hosts,
    "</intent-filter>",
  ].join("\n");
}
