// Tabs: one panel of several is shown. Arrow keys go from one tab to the next.
import { html } from "../../shared/element.js";

/** Of all tabs so far: it makes their IDs unique. */
let count = 0;

/**
 * `open` prepares a panel, and says whether it can be shown.
 *
 * @param {string} label
 * @param {{title: string, panel: HTMLElement, open?: () => boolean}[]} choices
 */
export function tabs(label, choices) {
  const buttons = choices.map(({ title, panel }, index) => {
    count += 1;
    panel.id ||= `panel-${count}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", title);
    return html.button(
      {
        type: "button",
        class: "tab",
        role: "tab",
        "aria-controls": panel.id,
        click: () => show(index),
        keydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {string} */ (event.key)];
          if (!step) return;
          event.preventDefault();
          show((index + step + choices.length) % choices.length);
        },
      },
      title,
    );
  });
  let shown = -1;
  /** @param {number} chosen */
  const show = (chosen) => {
    const isFirst = shown < 0;
    if (!isFirst && choices[chosen].open?.() === false) return;
    shown = chosen;
    choices.forEach(({ panel }, index) => {
      panel.hidden = index !== chosen;
      buttons[index].setAttribute("aria-selected", String(index === chosen));
      buttons[index].tabIndex = index === chosen ? 0 : -1;
    });
    if (!isFirst) buttons[chosen].focus();
  };
  show(0);
  return html.div(
    html.div({ class: "tabs", role: "tablist", "aria-label": label }, buttons),
    choices.map(({ panel }) => panel),
  );
}
