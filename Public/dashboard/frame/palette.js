// The command palette: pages, what the page can do, and links, by a few letters.

import { get, query } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { anchor, button, html } from "../shared/element.js";
import { texts } from "../shared/texts.js";
import { hash, linkHash } from "./address.js";
import { openPlaces } from "./pages.js";

/** @param {Shortcut[]} shortcuts  of the page */
export function openPalette(shortcuts) {
  const list = html.div({ class: "choices" });
  let timer = 0;
  const show = async () => {
    const words = search.value.trim();
    const fits = (text = "") => text.toLowerCase().includes(words.toLowerCase());
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
    /** @type {LinkList} */
    const { links } = await (words.length > 1 && places.links
      ? get(query("/api/v1/links", { search: words, limit: "8" }))
      : Promise.reject()
    ).catch(() => ({ links: [] }));
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
  const later = () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, 120);
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
    input: later,
  });
  const dialog = openDialog(texts.palette.title, search, list);
  dialog.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const all = [
      search,
      .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("a, button")),
    ];
    const here = all.findIndex((one) => one === document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) all[(here + by + all.length) % all.length].focus();
    // What was pasted a moment ago is still being looked for.
    else if (event.key === "Enter" && here === 0) open();
    else return;
    event.preventDefault();
  });
  show();
}
