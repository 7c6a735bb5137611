// Whether a slug is free, while it is typed, and one that could be taken instead.
import { get, withQuery } from "../../shared/api.js";
import { button, html } from "../../shared/element.js";
import { pageTexts } from "../../shared/page-texts.js";
import { fill } from "../../shared/pane.js";
import { formatText } from "../../shared/texts.js";

const formTexts = pageTexts.form;
/** Milliseconds without typing after which the server is asked. */
const PAUSE = 250;
/** Numbers behind a slug that are tried where it is taken. */
const TRIES = [2, 3, 4, 5, 6, 7, 8, 9];

/**
 * A text as a slug: "Summer sale!" becomes "Summer-sale".
 *
 * @param {string} text
 */
export const slugOf = (text) =>
  text
    .normalize("NFC")
    .split("/")
    .map((part) =>
      part
        .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200d\ufe0f_.~@-]+/gu, "-")
        .replace(/-{2,}/g, "-")
        .replace(/^[-.]+|[-.]+$/g, ""),
    )
    .filter(Boolean)
    .slice(0, 4)
    .join("/");

/**
 * The link that has a slug.
 *
 * @param {string} domain
 * @param {string} slug
 * @returns {Promise<Link | undefined>}
 */
export async function linkAt(domain, slug) {
  const target = withQuery("/api/v1/links", { search: `${domain}/${slug}`, limit: "1" });
  /** @type {Link[]} */
  const links = (await get(target)).links;
  return links.find(
    (link) =>
      link.domain === domain &&
      [link.slug, ...(link.aliases ?? [])].some(
        (known) => known.toLowerCase() === slug.toLowerCase() || known === `${domain}/${slug}`,
      ),
  );
}

/**
 * What is said below the field, and a function that looks again.
 *
 * @param {(slug: string) => void} take  sets the field
 */
export function slugCheck(take) {
  const element = html.div({ class: "slug-check", role: "status" });
  let timer = 0;
  let turn = 0;
  let asked = "";
  /** @param {string} slug */
  const offer = (slug) =>
    button(formatText(formTexts.useSlug, slug), () => take(slug), { class: "quiet small" });

  /**
   * @param {string} domain
   * @param {string} typed
   * @param {string} title  of which a slug can be made
   */
  const check = async (domain, typed, title) => {
    turn += 1;
    const mine = turn;
    /** @param {Content} content */
    const say = (content) => {
      if (mine === turn) fill(element, content);
    };
    const wanted = slugOf(typed || title.toLowerCase());
    if (!wanted) return say(typed ? formTexts.slugHow : null);
    try {
      const owner = await linkAt(domain, wanted);
      const isWanted = typed === wanted;
      if (!owner) {
        return say(
          isWanted
            ? html.span({ class: "good" }, formatText(formTexts.free, `${domain}/${wanted}`))
            : [typed && [formTexts.slugHow, " "], offer(wanted)],
        );
      }
      for (const number of TRIES) {
        const other = `${wanted}-${number}`;
        if (mine !== turn) return undefined;
        if (!(await linkAt(domain, other))) {
          const name = owner.title ?? owner.slug;
          return say([typed && [formatText(formTexts.takenBy, name), " "], offer(other)]);
        }
      }
      return say(typed && formatText(formTexts.takenBy, owner.title ?? owner.slug));
    } catch {
      // The server says at the latest when the link is created.
      return say(null);
    }
  };

  return {
    element,
    /** @param {Values} values */
    look: ({ domain = "", slug = "", title = "" }) => {
      const question = JSON.stringify([domain, slug, slug ? "" : title]);
      if (question === asked) return;
      asked = question;
      clearTimeout(timer);
      timer = window.setTimeout(() => check(domain, slug.trim(), title), PAUSE);
    },
  };
}
