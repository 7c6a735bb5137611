// The picture in the middle of QR codes of an application's links.
import { announce } from "../shared/announcement.js";
import { call, get, path, withQuery } from "../shared/api.js";
import { button, html } from "../shared/element.js";
import { field } from "../shared/fields.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { problemNotice } from "../shared/pane.js";
import { templatesOf } from "../shared/utm-templates.js";

const logoTexts = pageTexts.logo;
const KINDS = ["image/png", "image/svg+xml"];
/** Bytes of a logo. */
const MAXIMUM = 64 * 1024;

/**
 * The choice of a logo, with a code as links have it then; nothing where the server has no logos,
 * which came with the templates of campaigns.
 *
 * @param {string} app
 */
export async function logoFields(app) {
  if (!(await templatesOf(app))) return null;
  const target = path`/api/v1/apps/${app}/logo`;
  /** @type {{links: Link[]}} */
  const { links } = await get(withQuery("/api/v1/links", { app, limit: "1" }));
  const outcome = html.div({ "aria-live": "polite" });
  const code = html.img({ width: 160, height: 160, class: "code-preview", alt: logoTexts.preview });
  const show = async () => {
    code.hidden = !links.length;
    if (!links.length) return;
    // As data: the browser keeps codes for an hour, and pictures of an address as long as the page.
    const answer = await fetch(`${linkPath(links[0])}/qr.svg`, { cache: "reload" });
    if (answer.ok) code.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
  };
  /** @param {() => Promise<string>} work  says what it did */
  const attempt = async (work) => {
    outcome.replaceChildren();
    try {
      announce(await work());
      await show();
    } catch (error) {
      outcome.replaceChildren(problemNotice(error));
    }
  };
  // It has no name: the form around it sends the application's document only.
  const control = html.input({
    type: "file",
    accept: KINDS.join(","),
    change: (event) => {
      event.stopPropagation();
      const file = control.files?.[0];
      if (!file) return;
      const isWrong = !KINDS.includes(file.type) || file.size > MAXIMUM;
      if (isWrong) {
        outcome.replaceChildren(html.p({ role: "alert", class: "error" }, logoTexts.wrong));
        return;
      }
      attempt(async () => {
        await call("PUT", target, { body: file });
        return logoTexts.saved;
      });
    },
  });
  const remove = button(logoTexts.remove, () =>
    attempt(async () => {
      // Whether there is one is not asked before: browsers would report an answer that says no.
      await call("DELETE", target).catch((error) => {
        if (error.status !== 404) throw error;
      });
      control.value = "";
      return logoTexts.removed;
    }),
  );
  show().catch(() => {});
  return html.div(
    { class: "logo-fields" },
    field(logoTexts.title, control, logoTexts.hint),
    html.div({ class: "buttons" }, remove),
    outcome,
    code,
    html.small(links.length ? logoTexts.previewHint : logoTexts.noLink),
  );
}
