// Clicks of the last minute as they come, while the page is seen.
import { linkHash } from "../frame/address.js";
import { anchor, html } from "../shared/element.js";
import { count } from "../shared/formats.js";
import { say, texts } from "../shared/texts.js";

const place = html.p({ class: "live" });
/** @type {EventSource | null} */
let source = null;
/** @type {(Name & {at: number, people: number})[]} */
let recent = [];

function show() {
  const isSeen = place.isConnected && !document.hidden;
  if (!isSeen) source?.close();
  source = isSeen ? (source ?? open()) : null;
  recent = recent.filter(({ at }) => at > Date.now() - 60_000);
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { domain, slug, people } of recent)
    sums[`${domain}/${slug}`] = (sums[`${domain}/${slug}`] ?? 0) + people;
  place.replaceChildren(
    say(texts.overview.live, count(recent.reduce((sum, { people }) => sum + people, 0))),
    ...Object.entries(sums)
      .sort(([, one], [, other]) => other - one)
      .slice(0, 3)
      .flatMap(([name, people]) => {
        const [domain, ...slug] = name.split("/");
        return [" ", anchor(linkHash({ domain, slug: slug.join("/") }), name), ` ${count(people)}`];
      }),
  );
}

function open() {
  const made = new EventSource("/api/v1/clicks/live");
  made.onmessage = ({ data }) => {
    for (const link of JSON.parse(data).links) recent.push({ ...link, at: Date.now() });
    show();
  };
  return made;
}

export function live() {
  setTimeout(show);
  return place;
}
setInterval(show, 5000);
document.addEventListener("visibilitychange", show);
