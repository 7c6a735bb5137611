// What an invited person sees first: their name, and the ways to sign in from now on.
import { anchor, button, html } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { problemNotice } from "../shared/pane.js";
import { formatText } from "../shared/texts.js";
import { hasPasskeys, hasProvider, prepare } from "./passkeys.js";

const invitationTexts = pageTexts.invitation;

/**
 * @param {HTMLElement} main
 * @param {string} invitation  its token
 * @param {() => void} done
 */
export async function show(main, invitation, done) {
  const outcome = html.div({ "aria-live": "polite" });
  const { name, make } = await prepare({ invitation });
  const passkey = html.button(
    {
      type: "button",
      click: async () => {
        passkey.disabled = true;
        try {
          await make();
          done();
        } catch (error) {
          outcome.replaceChildren(problemNotice(error));
          passkey.disabled = false;
        }
      },
    },
    invitationTexts.make,
  );
  const provider = html.p();
  main.replaceChildren(
    html.div(
      { class: "narrow" },
      html.h1({ tabindex: -1 }, formatText(invitationTexts.welcome, name)),
      html.div(
        { class: "panel" },
        html.p(hasPasskeys() ? invitationTexts.about : invitationTexts.noPasskeys),
        html.div(
          { class: "buttons" },
          hasPasskeys() && passkey,
          button(invitationTexts.later, done),
        ),
        provider,
        outcome,
      ),
    ),
  );
  main.querySelector("button")?.focus();
  if (await hasProvider()) {
    const address = `/_/oidc?invitation=${encodeURIComponent(invitation)}`;
    provider.append(anchor(address, invitationTexts.provider));
  }
}
