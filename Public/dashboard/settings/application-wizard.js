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
import { say, texts } from "../shared/texts.js";

const t = pageTexts.wizard;
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
 * @param {string[]} excluded
 * @param {string} rest
 */
const rules = (excluded, rest) => [
  ...excluded.map((rule) => ({ "/": rule, exclude: true })),
  { "/": rest },
];

/** @type {ShowPage} */
export function show(main) {
  const preview = html.aside({ "aria-label": t.preview });
  const command = html.div();
  const form = sendForm(
    t.create,
    async (now) => {
      const { id, ...document } = applicationOf(now);
      await call("PUT", path`/api/v1/apps/${id}`, { body: document });
      announce(say(pageTexts.applications.saved, id));
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
    field(t.domains, input("domains", "", { placeholder: "go.example.com" }), t.domainsHint),
    field(
      t.web,
      input("web.baseURL", "", { type: "url", placeholder: "https://www.example.com" }),
      t.webHint,
    ),
    html.fieldset(
      html.legend("iOS"),
      pair(
        field("Team ID", input("team", "", { placeholder: "ABCDE12345" }), t.teamHint),
        field("Bundle ID", input("bundle", "", { placeholder: "com.example.shop" })),
      ),
      pair(
        field(t.scheme, input("ios.urlScheme", "", { placeholder: "shop" }), t.schemeHint),
        field(
          "App Store ID",
          input("ios.appStoreID", "", { inputmode: "numeric", placeholder: "123456789" }),
        ),
      ),
    ),
    html.fieldset(
      html.legend("Android"),
      pair(
        field(t.package, input("android.package", "", { placeholder: "com.example.shop" })),
        field(t.scheme, input("android.urlScheme", "", { placeholder: "shop" })),
      ),
      field(
        t.fingerprint,
        html.textarea({
          name: "android.sha256CertFingerprints",
          rows: 2,
          spellcheck: "false",
          class: "code",
          placeholder: "14:6D:E9:…",
        }),
        t.fingerprintHint,
      ),
    ),
  );
  const show = () => {
    const { id, ...document } = applicationOf(values(form));
    preview.replaceChildren(...pieces(document));
    command.replaceChildren(sameByAPI(curl("PUT", path`/api/v1/apps/${id || "shop"}`, document)));
  };
  form.addEventListener("input", show);
  show();
  main.append(html.p(t.about), html.div({ class: "columns wide" }, form, preview), command);
  form.querySelector("input")?.focus();
}

/**
 * @param {Record<string, string>} now
 * @returns {Application}
 */
function applicationOf(now) {
  const words = (text = "") => text.split(/[\s,]+/).filter(Boolean);
  const [name, web, bundle, app] = [
    now.name,
    now["web.baseURL"],
    now.bundle,
    now["android.package"],
  ].map((text) => text.trim());
  const optional = (key = "", value = "") => (value.trim() ? { [key]: value.trim() } : {});
  return {
    id: now.id.trim(),
    ...optional("name", name),
    domains: words(now.domains),
    ...(web && { web: { baseURL: web } }),
    ...(bundle && {
      ios: {
        appIDs: [`${now.team.trim()}.${bundle}`],
        ...optional("urlScheme", now["ios.urlScheme"]),
        ...optional("appStoreID", now["ios.appStoreID"]),
      },
    }),
    ...(app && {
      android: {
        package: app,
        ...optional("urlScheme", now["android.urlScheme"]),
        sha256CertFingerprints: words(now["android.sha256CertFingerprints"].toUpperCase()),
      },
    }),
  };
}

/** @param {Omit<Application, "id">} application */
function pieces({ ios, android, domains }) {
  const hosts = domains?.length ? domains : ["go.example.com"];
  const file = (title = "", note = "", text = "") => [
    html.h2(title),
    html.p({ class: "soft" }, note),
    ...codeBlock(text),
  ];
  const json = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);
  if (!ios && !android) return [html.p({ class: "soft" }, t.nothing)];
  return [
    ...(ios
      ? [
          ...file(
            "apple-app-site-association",
            t.served,
            json({
              applinks: { details: [{ appIDs: ios.appIDs, components: rules(EXCLUDED, "/*") }] },
            }),
          ),
          ...file("Xcode", t.xcode, hosts.map((host = "") => `applinks:${host}`).join("\n")),
          ...(ios.urlScheme
            ? file(
                "Info.plist",
                t.plist,
                "<key>CFBundleURLTypes</key>\n<array><dict>\n  <key>CFBundleURLSchemes</key>\n" +
                  `  <array><string>${ios.urlScheme}</string></array>\n</dict></array>`,
              )
            : []),
        ]
      : []),
    ...(android
      ? [
          ...file(
            "assetlinks.json",
            t.served,
            json([
              {
                relation: [LINKS],
                target: {
                  namespace: "android_app",
                  package_name: android.package,
                  sha256_cert_fingerprints: android.sha256CertFingerprints,
                },
                relation_extensions: {
                  [LINKS]: { dynamic_app_link_components: rules(EXCLUDED_ON_ANDROID, "*") },
                },
              },
            ]),
          ),
          ...file(
            "AndroidManifest.xml",
            t.manifest,
            filter(
              hosts.map((host = "") => `  <data android:host="${host}" />`),
              "https",
              ' android:autoVerify="true"',
            ) + (android.urlScheme ? "\n" + filter([], android.urlScheme, "") : ""),
          ),
        ]
      : []),
  ];
}

/**
 * @param {string[]} hosts
 * @param {string} scheme
 * @param {string} more
 */
function filter(hosts, scheme, more) {
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
