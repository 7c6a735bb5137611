// Short messages about what was just done: seen for some seconds, and read by screen readers.
import { html } from "./element.js";

export const announcementRegion = html.div({
  class: "announcement",
  role: "status",
  "aria-live": "polite",
});
/** Ends the message that is shown. */
let timer = 0;

/**
 * @param {Content} content
 * @param {number} [seconds]
 */
export function announce(content, seconds = 5) {
  announcementRegion.replaceChildren(...html.div(content).childNodes);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    announcementRegion.textContent = "";
  }, seconds * 1000);
}
