// Single-key shortcuts: off while someone types, and for those who switch them off (WCAG 2.1.4).
import { setting } from "../shared/setting.js";
import { go, hash } from "./address.js";
import { openPlaces } from "./pages.js";

const SETTING = "waymark-keys";
/** Milliseconds that `g` waits for the letter of a place. */
const PATIENCE = 1500;

/**
 * Those of the page that is shown.
 *
 * @type {Shortcut[]}
 */
let pageShortcuts = [];
/** When `g` was pressed last. */
let pressedG = 0;

/**
 * The letters of the places, after `g`.
 *
 * @type {Record<string, string>}
 */
export const LETTERS = {
  o: "overview",
  l: "links",
  i: "import",
  e: "explain",
  a: "applications",
  d: "domains",
  w: "webhooks",
  k: "keys",
  s: "system",
};

/** @param {Shortcut[]} shortcuts */
export const setPageShortcuts = (shortcuts) => {
  pageShortcuts = shortcuts;
};

const isSignedIn = () => Object.keys(openPlaces()).length > 0;

export const areShortcutsOn = () => setting(SETTING) !== "off";

/**
 * @param {boolean} isOn
 * @returns {boolean} whether the browser could store it
 */
export const switchShortcuts = (isOn) => setting(SETTING, isOn ? "on" : "off") !== null;

/** @param {EventTarget | null} target */
function takesText(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=checkbox], [type=radio])"))
  );
}

/** @param {KeyboardEvent} event */
function handleKey(event) {
  if (isSignedIn() && (event.ctrlKey || event.metaKey) && event.key === "k") {
    event.preventDefault();
    showPalette();
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
  if (!isSignedIn() || !areShortcutsOn()) return;
  const run = action(event.key);
  if (!run) return;
  event.preventDefault();
  run();
}

/**
 * What a key does now.
 *
 * @param {string} key
 * @returns {(() => void) | undefined}
 */
function action(key) {
  const follows = Date.now() - pressedG < PATIENCE;
  pressedG = 0;
  const open = openPlaces();
  if (follows && LETTERS[key] in open) return () => go(hash([LETTERS[key]]));
  if (key === "g") {
    return () => {
      pressedG = Date.now();
    };
  }
  if (key === "?") return showHelp;
  if (key === "u") return undo;
  const ofKey = pageShortcuts.find((shortcut) => shortcut.key === key);
  if (ofKey) return ofKey.run;
  if (key === "/" && open.links) return () => go(hash(["links"], { focus: "search" }));
  if (key === "c" && open.new) return () => go(hash(["new"]));
  return undefined;
}

const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;

export async function showHelp() {
  const { openHelp } = await import("./keyboard-help.js");
  if (!dialogIsOpen()) openHelp(pageShortcuts);
}

async function undo() {
  (await import("./undo.js")).undo();
}

export async function showPalette() {
  const { openPalette } = await import("./palette.js");
  if (!dialogIsOpen()) openPalette(pageShortcuts);
}

export const listenForShortcuts = () => document.addEventListener("keydown", handleKey);
