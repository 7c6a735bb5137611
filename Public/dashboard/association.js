// What an application's association files do: what is wrong with them, and whether a URL opens the app.
import { anchor, call, field, html, input, load, pair, say, select, sendForm, table, texts } from "./base.js";

const t = texts.files;
const KINDS = ["apple-app-site-association", "assetlinks.json"];

/** @param {HTMLElement} section @param {Application} application */
export function showAssociation(section, application) {
  const { ios, android } = application;
  const has = [ios?.appIDs?.length || ios?.details?.length, android?.sha256CertFingerprints?.length || android?.apps?.length];
  const kinds = KINDS.filter((_, place) => has[place]);
  if (!kinds.length) {
    section.replaceChildren(html.h2(t.title), html.p(t.none));
    return;
  }
  const findings = html.div();
  const url = `https://${application.domains?.[0] ?? location.host}/`;
  section.replaceChildren(html.h2(t.title), findings,
    sendForm(t.try, async (values) => {
      const { content } = await call("POST", "/api/v1/association/simulate", { body: { application: application.id, kind: values.kind, url: values.url } });
      return [html.p({ class: `notice ${content.opens ? "good" : "wrong"}`, role: "status" }, html.strong(content.opens ? say(t.opens, content.appID) : t.stays)),
        table(t.trace, [t.fits, texts.explain.why], content.trace.map((/** @type {{fits: boolean, why: string}} */ step) => [step.fits ? "✓" : "–", step.why]), "plain")];
    }, pair(field(t.url, input("url", url, { type: "url" })), field(t.file, select("kind", kinds.map((kind) => [kind, kind]))))),
    html.p(anchor("/_/association", texts.association)));
  load(findings, async () => {
    const reports = await Promise.all(kinds.map((kind) => call("POST", "/api/v1/association/lint", { body: { application: application.id, kind } })));
    return reports.flatMap(({ content }, place) => [html.h3(kinds[place]), content.findings.length
      ? table(t.findings, [t.severity, texts.overview.problem, t.mend], content.findings.map((/** @type {Finding} */ one) => [one.severity, one.problem, one.mend]), "cards")
      : html.p(t.clean)]);
  });
}
