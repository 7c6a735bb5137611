// The form of an application: what most people change. Everything else is in its JSON document, and
// stays as it is.
import { html, pair } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { texts } from "../shared/texts.js";
import { appearanceFields, appearancePreview } from "./appearance.js";
import { patched, textOf } from "./document.js";
import { templateEditor } from "./templates.js";

const formTexts = pageTexts.applicationForm;
const wizardTexts = pageTexts.wizard;
const STATUSES = ["301", "302", "307", "308"];

/**
 * @param {Application} document
 * @param {object} options
 * @param {(document: Application) => Promise<Node | void>} options.save
 * @param {Node} options.domains  the state of each domain
 * @param {Node} options.logo  of QR codes
 * @returns {ApplicationView}
 */
export function applicationForm(document, { save, domains, logo }) {
  /**
   * @param {string} path
   * @param {string} label
   * @param {string} [hint]
   * @param {Record<string, Attribute>} [more]
   */
  const text = (path, label, hint, more) =>
    field(label, input(path, textOf(document, path), more), hint);
  /**
   * @param {string} path
   * @param {string} label
   * @param {string} hint
   */
  const list = (path, label, hint) => {
    const entries = textOf(document, path);
    const rows = Math.max(2, entries.split("\n").length);
    return field(
      label,
      html.textarea({ name: path, rows, spellcheck: "false", autocapitalize: "none" }, entries),
      hint,
    );
  };
  const templates = templateEditor(document.templates ?? []);
  const preview = html.div();
  const showPreview = () => preview.replaceChildren(appearancePreview(read()));
  const url = { type: "url", placeholder: "https://www.example.com/" };
  const form = sendForm(
    texts.save,
    () =>
      save(read()).catch((error) => {
        // Fields of a template that is folded are not there yet.
        for (const { field } of error.errors ?? []) templates.unfold(field);
        throw error;
      }),
    pair(
      text("name", texts.fields.name, formTexts.nameHint),
      text("web.baseURL", wizardTexts.web, wizardTexts.webHint, url),
    ),
    html.fieldset(
      html.legend(texts.pages.domains),
      list("domains", formTexts.hosts, wizardTexts.domainsHint),
      domains,
    ),
    html.fieldset(
      html.legend("iOS"),
      list("ios.appIDs", formTexts.appIDs, formTexts.appIDsHint),
      pair(
        text("ios.urlScheme", wizardTexts.scheme, wizardTexts.schemeHint),
        text("ios.appStoreID", "App Store ID", formTexts.digits, { inputmode: "numeric" }),
      ),
      document.ios?.details && html.p({ class: "soft" }, formTexts.several),
    ),
    html.fieldset(
      html.legend("Android"),
      pair(
        text("android.package", wizardTexts.package, formTexts.packageHint),
        text("android.urlScheme", wizardTexts.scheme, wizardTexts.schemeHint),
      ),
      list("android.sha256CertFingerprints", wizardTexts.fingerprint, wizardTexts.fingerprintHint),
      document.android?.apps && html.p({ class: "soft" }, formTexts.several),
    ),
    appearanceFields(document, preview, logo),
    templates.element,
    html.fieldset(
      html.legend(formTexts.redirects),
      pair(
        text("onRoot", formTexts.onRoot, formTexts.onRootHint, url),
        text("onUnknown", formTexts.onUnknown, formTexts.pageHint, url),
      ),
      pair(
        text("onExpired", formTexts.onExpired, formTexts.pageHint, url),
        field(
          formTexts.status,
          select(
            "redirectStatus",
            [["", formTexts.statusDefault], ...STATUSES.map((status) => [status, status])],
            textOf(document, "redirectStatus"),
          ),
        ),
      ),
      field(
        formTexts.query,
        select(
          "forwardQuery",
          [
            ["", formTexts.queryDefault],
            ["true", formTexts.queryOn],
            ["false", formTexts.queryOff],
          ],
          textOf(document, "forwardQuery"),
        ),
      ),
    ),
  );
  /** @returns {Application} */
  function read() {
    const result = patched(document, values(form));
    const now = templates.templates();
    const before = document.templates ?? [];
    const isChanged =
      now.length !== before.length || now.some((template, index) => template !== before[index]);
    return isChanged ? { ...result, templates: now } : result;
  }
  form.addEventListener("input", showPreview);
  showPreview();
  return { element: form, read };
}
