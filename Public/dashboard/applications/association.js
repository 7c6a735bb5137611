// What an application's association files do: what is wrong with them, and whether a URL opens the
// app.
import { call, Problem } from "../shared/api.js";
import { anchor, english, html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { kindsOf } from "./association-files.js";

const fileTexts = pageTexts.files;

/**
 * @param {HTMLElement} section
 * @param {Application} application
 * @param {Promise<FileReport[]>} files
 */
export function showAssociation(section, application, files) {
  const kinds = kindsOf(application);
  if (!kinds.length) {
    section.replaceChildren(html.h2(fileTexts.title), html.p(fileTexts.none));
    return;
  }
  const findings = html.div();
  const url = `https://${application.domains?.[0] ?? location.host}/`;
  section.replaceChildren(
    html.h2(fileTexts.title),
    findings,
    sendForm(
      fileTexts.try,
      async (values) => {
        const { content } = await call("POST", "/api/v1/association/simulate", {
          body: { application: application.id, kind: values.kind, url: values.url },
        });
        const rule =
          content.trace.findIndex((/** @type {{fits: boolean}} */ step) => step.fits) + 1;
        const stays = rule ? formatText(fileTexts.excluded, rule) : fileTexts.stays;
        return [
          html.p(
            { class: `notice ${content.opens ? "good" : "wrong"}`, role: "status" },
            html.strong(content.opens ? formatText(fileTexts.opens, content.appID) : stays),
          ),
          table(
            fileTexts.trace,
            [fileTexts.fits, pageTexts.explain.why],
            content.trace.map((/** @type {{fits: boolean, why: string}} */ step) => [
              step.fits ? "✓" : "–",
              english(step.why),
            ]),
            "plain",
          ),
        ];
      },
      pair(
        field(fileTexts.url, input("url", url, { type: "url" })),
        field(
          fileTexts.file,
          select(
            "kind",
            kinds.map((kind) => [kind, kind]),
          ),
        ),
      ),
    ),
    html.p(anchor("/_/association", texts.association)),
  );
  load(findings, async () =>
    (await files).flatMap((file) => [
      html.h3(file.kind),
      file.findings.length
        ? table(
            fileTexts.findings,
            [fileTexts.severity, texts.overview.problem, fileTexts.mend],
            file.findings.map(({ severity, problem, mend }) => [
              pageTexts.severities[severity] ?? severity,
              english(problem),
              mend === fileTexts.none ? mend : english(mend),
            ]),
            "cards",
          )
        : html.p(fileTexts.clean),
    ]),
  );
}

/**
 * What is wrong with each file.
 *
 * @param {Application} application
 * @returns {Promise<FileReport[]>}
 */
export const checkFiles = (application) =>
  Promise.all(
    kindsOf(application).map(async (kind) => {
      const body = { application: application.id, kind };
      const { content } = await call("POST", "/api/v1/association/lint", { body }).catch(noFile);
      return { kind, errors: 0, ...content };
    }),
  );

/**
 * A platform without a file.
 *
 * @param {unknown} error
 */
function noFile(error) {
  if (!(error instanceof Problem) || ![404, 422].includes(error.status)) throw error;
  const problem = error.errors[0]?.problem ?? error.detail;
  const finding = { severity: "note", problem, mend: fileTexts.none };
  return { content: { isMissing: true, findings: [finding] } };
}
