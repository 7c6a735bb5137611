// Clicks of the last minute as they come, while the page is seen.
import { linkHash } from "../frame/address.js";
import { anchor, html } from "../shared/element.js";
import { formatCount } from "../shared/formats.js";
import { nameIn } from "../shared/link-parts.js";
import { formatText, texts } from "../shared/texts.js";

/** Milliseconds that a click is counted. */
const MINUTE = 60_000;
/** Milliseconds after which clicks that are too old leave the line. */
const PAUSE = 5_000;
/** Links that are named. */
const FEW = 3;

/** One line, however often the overview is shown: clicks that it has counted are not lost. */
class LiveClicks {
  element = html.p({ class: "live" });
  /** @type {EventSource | null} */
  #events = null;
  /** @type {(Name & {at: number, people: number})[]} */
  #recent = [];

  constructor() {
    setInterval(() => this.show(), PAUSE);
    document.addEventListener("visibilitychange", () => this.show());
  }

  show() {
    this.#listen(this.element.isConnected && !document.hidden);
    this.#recent = this.#recent.filter(({ at }) => at > Date.now() - MINUTE);
    /** @type {Map<string, number>} */
    const sums = new Map();
    for (const { domain, slug, people } of this.#recent) {
      const name = `${domain}/${slug}`;
      sums.set(name, (sums.get(name) ?? 0) + people);
    }
    const total = [...sums.values()].reduce((sum, people) => sum + people, 0);
    const most = [...sums].sort(([, first], [, second]) => second - first).slice(0, FEW);
    this.element.replaceChildren(
      formatText(texts.overview.live, formatCount(total)),
      ...most.flatMap(([name, people]) => [
        " ",
        anchor(linkHash(nameIn(name)), name),
        ` ${formatCount(people)}`,
      ]),
    );
  }

  /** @param {boolean} isSeen  nobody waits for clicks while the page is not */
  #listen(isSeen) {
    if (!isSeen) {
      this.#events?.close();
      this.#events = null;
    } else if (!this.#events || this.#events.readyState === EventSource.CLOSED) {
      // A stream that was refused, as where the key has too many, is asked for again.
      this.#events = new EventSource("/api/v1/clicks/live");
      this.#events.onmessage = ({ data }) => {
        for (const link of JSON.parse(data).links) this.#recent.push({ ...link, at: Date.now() });
        this.show();
      };
    }
  }
}

const liveClicks = new LiveClicks();

/** The line, which begins to listen once it is in the page. */
export function live() {
  setTimeout(() => liveClicks.show());
  return liveClicks.element;
}
