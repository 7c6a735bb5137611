// What an application's association files do: what is wrong with them.
import { anchor, call, element, load, table, texts } from "./base.js";

const t = texts.files;
const KINDS = ["apple-app-site-association", "assetlinks.json"];

/** @param {HTMLElement} section @param {Application} application */
export function showAssociation(section, application) {
  const { ios, android } = application;
  const has = [ios?.appIDs?.length || ios?.details?.length, android?.sha256CertFingerprints?.length || android?.apps?.length];
  const kinds = KINDS.filter((_, place) => has[place]);
  if (!kinds.length) {
    section.replaceChildren(element("h2", {}, t.title), element("p", {}, t.none));
    return;
  }
  const findings = element("div");
  section.replaceChildren(element("h2", {}, t.title), findings,
    element("p", {}, anchor("/_/association", texts.association)));
  load(findings, async () => {
    const reports = await Promise.all(kinds.map((kind) => call("POST", "/api/v1/association/lint", { body: { application: application.id, kind } })));
    return reports.flatMap(({ content }, place) => [element("h3", {}, kinds[place]), content.findings.length
      ? table(t.findings, [t.severity, texts.overview.problem, t.mend], content.findings.map((/** @type {Finding} */ one) => [one.severity, one.problem, one.mend]), "cards")
      : element("p", {}, t.clean)]);
  });
}
