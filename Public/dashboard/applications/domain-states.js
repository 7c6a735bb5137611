// The state of an application's domains: their certificates, and the association files that they
// serve.
import { associationFetches } from "../settings/association-fetches.js";
import { certificateOf } from "../settings/domains.js";
import { anchor, html, table } from "../shared/element.js";
import { pluralText } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { texts } from "../shared/texts.js";

/**
 * @param {Application} application
 * @param {Domain[]} all
 * @param {FileReport[]} files
 */
export function domainStates({ domains }, all, files) {
  if (!domains?.length) return html.p({ class: "soft" }, pageTexts.applications.otherHosts);
  return table(
    pageTexts.applicationForm.states,
    [texts.fields.domain, pageTexts.domains.certificate, pageTexts.files.title],
    domains.map((domain) => {
      const state = all.find((one) => one.domain === domain);
      return [
        html.strong(domain),
        certificateOf(state),
        files.length ? html.div(files.map((file) => fileState(domain, file, state))) : "–",
      ];
    }),
    "plain cards",
  );
}

/**
 * @param {string} domain
 * @param {FileReport} file
 * @param {Domain | undefined} state
 */
const fileState = (domain, file, state) =>
  html.div(
    anchor(`https://${domain}/.well-known/${file.kind}`, file.kind, {
      rel: "noreferrer",
      target: "_blank",
    }),
    " ",
    fileBadge(file),
    associationFetches(
      /** @type {"apple-app-site-association" | "assetlinks.json"} */ (file.kind),
      state?.association?.[file.kind],
    ),
  );

/** @param {FileReport} file */
export function fileBadge({ errors, isMissing }) {
  const text = errors ? pluralText(texts.overview.errors, errors) : pageTexts.files.valid;
  return html.span(
    { class: `state ${errors || isMissing ? "wrong" : "active"}` },
    isMissing ? pageTexts.files.missing : text,
  );
}
