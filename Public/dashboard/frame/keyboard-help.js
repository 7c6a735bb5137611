// The dialog that lists all shortcuts, and switches them off.
import { announce } from "../shared/announcement.js";
import { openDialog } from "../shared/dialog.js";
import { html, table } from "../shared/element.js";
import { say, texts } from "../shared/texts.js";
import { isOn, LETTERS, setOn } from "./keyboard.js";
import { openPlaces } from "./pages.js";

/** @param {Shortcut[]} ofPage */
export function openHelp(ofPage) {
  const keyTexts = texts.keyboard;
  const open = openPlaces();
  const general = [
    ...(open.links ? [["/", keyTexts.search]] : []),
    ...(open.new ? [["c", keyTexts.create]] : []),
    ...Object.entries(LETTERS)
      .filter(([, name]) => name in open)
      .map(([key, name]) => [`g ${key}`, say(keyTexts.goTo, open[name])]),
    ["Ctrl K", keyTexts.palette],
    ...(open.new ? [["u", keyTexts.undo]] : []),
    ["?", keyTexts.help],
    ["Esc", keyTexts.leave],
  ];
  const heads = [keyTexts.key, keyTexts.action];
  const row = (key = "", text = "") => [html.kbd(key), text];
  const taken = new Set(ofPage.map(({ key }) => key));
  const dialog = openDialog(
    keyTexts.title,
    ofPage.length > 0 &&
      table(
        keyTexts.here,
        heads,
        ofPage.map(({ key, text }) => row(key, text)),
        "plain",
      ),
    table(
      keyTexts.everywhere,
      heads,
      general.filter(([key]) => !taken.has(key)).map(([key, text]) => row(key, text)),
      "plain",
    ),
    html.label(
      { class: "choice" },
      html.input({
        type: "checkbox",
        checked: isOn(),
        change: (event) => {
          if (!setOn(event.target.checked)) announce(keyTexts.notKept);
        },
      }),
      keyTexts.on,
    ),
    html.div(
      { class: "buttons" },
      html.button({ type: "button", autofocus: true, click: () => dialog.close() }, texts.close),
    ),
  );
}
