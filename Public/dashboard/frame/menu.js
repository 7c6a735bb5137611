// The menu: a bar at the side that shows what the key may do. On a narrow screen it is folded away.
import { button, html } from "../shared/element.js";
import { texts } from "../shared/texts.js";
import { hash } from "./address.js";
import { showHelp, showPalette } from "./keyboard.js";
import { menu } from "./pages.js";
import { keyName } from "./session.js";

/**
 * @param {HTMLElement} header
 * @param {Session} session
 * @param {() => void} signOut
 */
export function showMenu(header, session, signOut) {
  const places = menu();
  const fold = button(texts.navigation, () => setOpen(header, !isOpen(header)), {
    class: "quiet small fold-menu",
    "aria-controls": "menu",
    "aria-expanded": "false",
  });
  header.replaceChildren(
    html.a({ class: "brand", href: hash([places[0][0]]) }, "Waymark"),
    fold,
    html.div(
      { id: "menu" },
      html.nav(
        { "aria-label": texts.navigation },
        places.map(([name, title]) => html.a({ href: hash([name]) }, title)),
      ),
      html.div(
        { class: "buttons" },
        button(texts.palette.title, showPalette, {
          class: "quiet small",
          title: "Ctrl+K",
        }),
        button("?", showHelp, {
          class: "quiet small",
          "aria-label": texts.keyboard.title,
        }),
      ),
      html.div(
        { class: "who" },
        html.a({ href: hash(["account"]) }, keyName(session.name)),
        html.small([...session.scopes, session.app].filter(Boolean).join(", ")),
      ),
      button(texts.signOut, signOut, { class: "quiet small" }),
    ),
  );
  header.onkeydown = ({ key }) => {
    if (key !== "Escape" || !isOpen(header)) return;
    closeMenu(header);
    fold.focus();
  };
  header.hidden = false;
}

/** @param {HTMLElement} header */
const isOpen = (header) => header.classList.contains("open");

/**
 * @param {HTMLElement} header
 * @param {boolean} value
 */
function setOpen(header, value) {
  header.classList.toggle("open", value);
  header.querySelector("[aria-expanded]")?.setAttribute("aria-expanded", String(value));
}

/** @param {HTMLElement} header */
export const closeMenu = (header) => setOpen(header, false);

/**
 * @param {HTMLElement} header
 * @param {string} address  of the place that is shown
 */
export function markInMenu(header, address) {
  for (const entry of header.querySelectorAll("nav a")) {
    if (entry.getAttribute("href") === address) entry.setAttribute("aria-current", "page");
    else entry.removeAttribute("aria-current");
  }
}
