// The state of an application's domains: their certificates, and the association files that they
// serve.
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
    domains.map((domain) => [
      html.strong(domain),
      certificateOf(all.find((one) => one.domain === domain)),
      files.length ? html.div(files.map((file) => fileState(domain, file))) : "–",
    ]),
    "plain cards",
  );
}

/**
 * @param {string} domain
 * @param {FileReport} file
 */
const fileState = (domain, file) =>
  html.div(
    anchor(`https://${domain}/.well-known/${file.kind}`, file.kind, {
      rel: "noreferrer",
      target: "_blank",
    }),
    " ",
    fileBadge(file),
  );

/** @param {FileReport} file */
export function fileBadge({ errors, isMissing }) {
  const text = errors ? pluralText(texts.overview.errors, errors) : pageTexts.files.valid;
  return html.span(
    { class: `state ${errors || isMissing ? "wrong" : "active"}` },
    isMissing ? pageTexts.files.missing : text,
  );
}
