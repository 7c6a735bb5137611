// The dialog that lists all shortcuts, and switches them off.
import { announce } from "../shared/announcement.js";
import { openDialog } from "../shared/dialog.js";
import { html, table } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { formatText, texts } from "../shared/texts.js";
import { areShortcutsOn, LETTERS, switchShortcuts } from "./keyboard.js";
import { openPlaces } from "./pages.js";

/** @param {Shortcut[]} ofPage */
export function openHelp(ofPage) {
  const shortcutTexts = pageTexts.keyboard;
  const open = openPlaces();
  const general = [
    ...(open.links ? [["/", shortcutTexts.search]] : []),
    ...(open.new ? [["c", shortcutTexts.create]] : []),
    ...Object.entries(LETTERS)
      .filter(([, name]) => name in open)
      .map(([key, name]) => [`g ${key}`, formatText(shortcutTexts.goTo, open[name])]),
    ["Ctrl K", shortcutTexts.palette],
    ...(open.new ? [["u", shortcutTexts.undo]] : []),
    ["?", shortcutTexts.help],
    ["Esc", shortcutTexts.leave],
  ];
  const heads = [shortcutTexts.key, shortcutTexts.action];
  /**
   * @param {string} key
   * @param {string} text
   */
  const row = (key, text) => [html.kbd(key), text];
  const taken = new Set(ofPage.map(({ key }) => key));
  const dialog = openDialog(
    texts.keyboard.title,
    ofPage.length > 0 &&
      table(
        shortcutTexts.here,
        heads,
        ofPage.map(({ key, text }) => row(key, text)),
        "plain",
      ),
    table(
      shortcutTexts.everywhere,
      heads,
      general.filter(([key]) => !taken.has(key)).map(([key, text]) => row(key, text)),
      "plain",
    ),
    html.label(
      { class: "choice" },
      html.input({
        type: "checkbox",
        checked: areShortcutsOn(),
        change: (event) => {
          if (!switchShortcuts(event.target.checked)) announce(texts.keyboard.notKept);
        },
      }),
      shortcutTexts.on,
    ),
    html.div(
      { class: "buttons" },
      html.button({ type: "button", autofocus: true, click: () => dialog.close() }, texts.close),
    ),
  );
}
