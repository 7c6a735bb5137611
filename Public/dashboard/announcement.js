// Short messages about what was just done: seen for some seconds, and read by screen readers.
import { html } from "./element.js";

const region = html.div({ class: "announcement", role: "status", "aria-live": "polite" });
let timer = 0;

export function announcementRegion() {
  return region;
}

/** @param {string} text */
export function announce(text) {
  region.textContent = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => { region.textContent = ""; }, 5000);
}
