// The command palette: pages, what the page can do, and links, by a few letters.
import { get, withQuery } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { anchor, button, html } from "../shared/element.js";
import { texts } from "../shared/texts.js";
import { hash, linkHash } from "./address.js";
import { openPlaces } from "./pages.js";

/** Milliseconds without typing after which links are searched. */
const PAUSE = 120;

/**
 * Those of a search; none where it fails.
 *
 * @param {string} words
 * @returns {Promise<Link[]>}
 */
const linksWith = (words) =>
  get(withQuery("/api/v1/links", { search: words, limit: "8" })).then(
    ({ links }) => links,
    () => [],
  );

/** @param {Shortcut[]} shortcuts  of the page */
export function openPalette(shortcuts) {
  const list = html.div({ class: "choices" });
  let timer = 0;
  const show = async () => {
    const words = search.value.trim();
    /** @param {string} text */
    const fits = (text) => text.toLowerCase().includes(words.toLowerCase());
    const places = openPlaces();
    list.replaceChildren(
      ...Object.entries(places)
        .filter(([, text]) => fits(text))
        .map(([name, text]) => anchor(hash([name]), text)),
      ...shortcuts
        .filter(({ text }) => fits(text))
        .map(({ text, run }) =>
          button(text, () => {
            dialog.close();
            run();
          }),
        ),
    );
    const links = words.length > 1 && places.links ? await linksWith(words) : [];
    // Something else was typed meanwhile.
    if (search.value.trim() !== words) return;
    list.append(
      ...links.map((link) =>
        anchor(linkHash(link), [
          link.title ?? link.slug,
          html.span({ class: "soft" }, " ", link.smartlink),
        ]),
      ),
    );
    if (!list.firstChild) list.append(html.p({ class: "soft" }, texts.palette.empty));
  };
  const showSoon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, PAUSE);
  };
  const open = async () => {
    clearTimeout(timer);
    await show();
    /** @type {HTMLElement | null} */ (list.querySelector("a, button"))?.click();
  };
  const search = html.input({
    type: "search",
    "aria-label": texts.palette.title,
    autofocus: true,
    input: showSoon,
  });
  const dialog = openDialog(texts.palette.title, search, list);
  dialog.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const items = [
      search,
      .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("a, button")),
    ];
    const focused = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      items[(focused + step + items.length) % items.length].focus();
      event.preventDefault();
    } else if (event.key === "Enter" && focused === 0) {
      // What was pasted a moment ago is still being looked for.
      open();
      event.preventDefault();
    }
  });
  show();
}
