// The command palette: pages, what the page can do, and links, by a few letters.
import { anchor, button, dialogIsOpen, get, hash, html, linkHash, openDialog, query, texts } from "./base.js";

/** @param {Shortcut[]} shortcuts  of the page */
export function openPalette(shortcuts) {
  if (dialogIsOpen()) return;
  const list = html.div({ class: "choices" });
  let timer = 0;
  const show = async () => {
    const words = search.value.toLowerCase().trim();
    const fits = (text = "") => text.toLowerCase().includes(words);
    const pages = Object.entries({ ...texts.pages, new: texts.links.create, "new-application": texts.applications.create });
    list.replaceChildren(...pages.filter(([, text]) => fits(text)).map(([name, text]) => anchor(hash([name]), text)),
      ...shortcuts.filter(({ text }) => fits(text)).map(({ text, run }) => button(text, () => { dialog.close(); run(); })));
    if (words.length < 2) return;
    /** @type {LinkList} */
    const { links } = await get(query("/api/v1/links", { search: words, limit: "8" })).catch(() => ({ links: [] }));
    if (search.value.toLowerCase().trim() !== words) return;
    list.append(...links.map((link) => anchor(linkHash(link), [link.title ?? link.slug, html.span({ class: "soft" }, " ", link.smartlink)])));
    if (!list.firstChild) list.append(html.p({ class: "soft" }, texts.palette.empty));
  };
  const search = html.input({ type: "search", "aria-label": texts.palette.title, autofocus: true, input: () => { clearTimeout(timer); timer = window.setTimeout(show, 120); } });
  const dialog = openDialog(texts.palette.title, search, list);
  dialog.addEventListener("click", (event) => { if (event.target instanceof HTMLElement && event.target.closest("a")) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    const all = [search, .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("a, button"))];
    const here = all.findIndex((one) => one === document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) all[(here + by + all.length) % all.length].focus();
    else if (event.key === "Enter" && here === 0) all[1]?.click();
    else return;
    event.preventDefault();
  });
  show();
}
