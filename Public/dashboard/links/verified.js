// Whether a link works, as the last check of the server found it: a badge, and what was found.
import { may } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { call } from "../shared/api.js";
import { button, english, html } from "../shared/element.js";
import { formatMoment, timeElement } from "../shared/formats.js";
import { linkPath } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { fill, problemNotice } from "../shared/pane.js";
import { formatText } from "../shared/texts.js";

const verifiedTexts = pageTexts.verification;
/** @type {Record<string, string>} */
const states = verifiedTexts.states;
/** @type {Record<string, string>} */
const visitors = verifiedTexts.visitors;
/** @type {Record<string, string>} */
const codes = verifiedTexts.codes;
/** A sign beside the word, for those who don't tell the colours apart. */
const SIGNS = { good: "✓", broken: "✗", unknown: "?" };
const CLASSES = { good: "active", broken: "wrong", unknown: "disabled" };

/**
 * @param {Verified} [verified]
 * @returns {Node}
 */
export function verifiedBadge(verified) {
  if (!verified) return html.span({ class: "state disabled" }, verifiedTexts.never);
  const { state, at } = verified;
  return html.span(
    {
      class: `state ${CLASSES[state] ?? ""}`,
      title: formatText(verifiedTexts.checkedAt, formatMoment(at)),
    },
    html.span({ "aria-hidden": true }, `${SIGNS[state] ?? ""} `),
    states[state] ?? state,
  );
}

/**
 * What is wrong and what to do, in words.
 *
 * @param {string} code
 */
export const codeText = (code) => codes[code] ?? code;

/** @param {VerifiedFinding[]} findings */
function findingList(findings) {
  /** The same fault of several visitors is one item. */
  const groups = /** @type {Map<string, VerifiedFinding[]>} */ (new Map());
  for (const finding of findings) {
    const key = JSON.stringify([finding.code, finding.message, finding.url]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return html.ul(
    { class: "findings" },
    [...groups.values()].map((group) => {
      const [{ code, message, url }] = group;
      const who = group.map(({ as }) => visitors[as] ?? as).join(", ");
      return html.li(
        html.strong(formatText(verifiedTexts.affected, who)),
        html.div(codeText(code)),
        html.div({ class: "soft destination" }, english(message)),
        url && !message.includes(url) && html.div({ class: "destination" }, url),
      );
    }),
  );
}

/**
 * The last check of a link, and a way to check it now.
 *
 * @param {Session} session
 * @param {Link} link
 */
export function verifiedSection(session, link) {
  const section = html.section({ class: "verified", "aria-labelledby": "verified-title" });
  /** @param {Verified} [verified] */
  const show = (verified) => {
    const check = button(
      verifiedTexts.check,
      async () => {
        check.setAttribute("disabled", "");
        check.textContent = verifiedTexts.checking;
        try {
          const { content } = await call("POST", linkPath(link) + ":verify");
          show(content.verified);
          announce(formatText(verifiedTexts.checked, states[content.verified.state] ?? ""));
        } catch (error) {
          show(verified);
          section.append(problemNotice(error));
        }
        section.querySelector("button")?.focus();
      },
      { class: "quiet small" },
    );
    fill(section, [
      html.h2({ id: "verified-title" }, verifiedTexts.title),
      html.p(
        verifiedBadge(verified),
        " ",
        verified && [
          html.span({ class: "soft" }, verifiedTexts.lastCheck, " "),
          timeElement(verified.at),
          " ",
        ],
        may(session, "links") && check,
      ),
      verified?.state === "unknown" && html.p({ class: "soft" }, verifiedTexts.whyUnknown),
      verified && verified.findings.length > 0 && findingList(verified.findings),
    ]);
  };
  show(link.verified);
  return section;
}
