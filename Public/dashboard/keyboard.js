// Single-key shortcuts: off while someone types, and for those who switch them off (WCAG 2.1.4).
import { go, hash } from "./address.js";
import { announce } from "./announcement.js";
import { dialogIsOpen, openDialog } from "./dialog.js";
import { html, table } from "./element.js";
import { openPlaces } from "./pages.js";
import { setting } from "./session.js";
import { say, texts } from "./texts.js";
import { undo } from "./undo.js";

const SETTING = "waymark-keys";

/** @type {Shortcut[]} */
let ofScreen = [];
let goesTo = 0;

/** The letters of the places, after `g`. */
/** @type {Record<string, string>} */
const LETTERS = {
  o: "overview", l: "links", i: "import", e: "explain", a: "applications", d: "domains", w: "webhooks",
  k: "keys", s: "system",
};

/** @param {Shortcut[]} shortcuts */
export const setScreenKeys = (shortcuts) => { ofScreen = shortcuts; };

const isSignedIn = () => Object.keys(openPlaces()).length > 0;

const isOn = () => setting(SETTING) !== "off";

/** @param {EventTarget | null} target */
function takesText(target) {
  return target instanceof HTMLElement
    && (target.isContentEditable
      || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (isSignedIn() && (event.ctrlKey || event.metaKey) && event.key === "k") {
    event.preventDefault();
    import("./palette.js").then(({ openPalette }) => openPalette(ofScreen));
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialogIsOpen()) return;
  if (takesText(event.target)) {
    if (event.key === "Escape" && event.target instanceof HTMLElement) {
      // A search field would lose its text.
      event.preventDefault();
      event.target.blur();
    }
    return;
  }
  if (!isSignedIn() || !isOn()) return;
  const run = action(event.key);
  if (!run) return;
  event.preventDefault();
  run();
}

/** @param {string} key @returns {(() => void) | undefined} */
function action(key) {
  const follows = Date.now() - goesTo < 1500;
  goesTo = 0;
  const open = openPlaces();
  if (follows && LETTERS[key] in open) return () => go(hash([LETTERS[key]]));
  if (key === "g") return () => { goesTo = Date.now(); };
  if (key === "?") return showHelp;
  if (key === "u") return undo;
  const own = ofScreen.find((shortcut) => shortcut.key === key);
  if (own) return own.run;
  if (key === "/" && open.links) return () => go(hash(["links"], { focus: "search" }));
  if (key === "c" && open.new) return () => go(hash(["new"]));
  return undefined;
}

export function showHelp() {
  const k = texts.keyboard;
  const open = openPlaces();
  const general = [
    ...open.links ? [["/", k.search]] : [], ...open.new ? [["c", k.create]] : [],
    ...Object.entries(LETTERS).filter(([, name]) => name in open)
      .map(([key, name]) => [`g ${key}`, say(k.goTo, open[name])]),
    ["Ctrl K", k.palette], ...open.new ? [["u", k.undo]] : [], ["?", k.help], ["Esc", k.leave],
  ];
  const row = (key = "", text = "") => [html.kbd(key), text];
  const taken = new Set(ofScreen.map(({ key }) => key));
  const dialog = openDialog(k.title,
    ofScreen.length > 0
      && table(k.here, [k.key, k.action], ofScreen.map(({ key, text }) => row(key, text)), "plain"),
    table(k.everywhere, [k.key, k.action],
      general.filter(([key]) => !taken.has(key)).map(([key, text]) => row(key, text)), "plain"),
    html.label({ class: "choice" }, html.input({
      type: "checkbox", checked: isOn(),
      change: (event) => { if (!setting(SETTING, event.target.checked ? "on" : "off")) announce(k.notKept); },
    }), k.on),
    html.div({ class: "buttons" },
      html.button({ type: "button", autofocus: true, click: () => dialog.close() }, texts.close)));
}

export const listen = () => document.addEventListener("keydown", pressed);
