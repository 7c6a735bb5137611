// What the server says about itself: its health, and its metrics in their own words.
import { Problem } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, html, table } from "../shared/element.js";
import { count, time } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";

const t = pageTexts.system;
const NAMES = t.names;

/** @param {string} name */
const short = (name) => name.replace(/^(waymark|process)_/, "");

/** @type {ShowPage} */
export function show(main, session) {
  const place = html.section({ "aria-label": texts.pages.system });
  const reload = () => load(place, content);
  main.firstElementChild?.append(button(t.reload, reload));
  main.append(
    html.p(
      say(
        t.session,
        session.name,
        [...session.scopes, session.app ?? ""].filter(Boolean).join(", "),
      ),
      " ",
      time(session.expiresAt),
    ),
    place,
    sameByAPI(curl("GET", "/readyz"), curl("GET", "/metrics")),
  );
  reload();
}

async function content() {
  const [ready, response] = await Promise.all([
    fetch("/readyz").catch(() => null),
    fetch("/metrics"),
  ]);
  if (!response.ok)
    throw new Problem({
      title: say(texts.errors.status, response.status),
      detail: t.metricsElsewhere,
    });
  const metrics = await response.text();
  /** @type {Map<string, string>} */
  const helps = new Map();
  /** @type {[string, string, string][]} */
  const samples = [];
  for (const line of metrics.split("\n")) {
    const help = /^# HELP (\S+) (.*)/.exec(line);
    if (help) helps.set(help[1], help[2]);
    const sample = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample && NAMES.includes(short(sample[1])))
      samples.push([sample[1], sample[2] ?? "", sample[3]]);
  }
  return [
    html.p(
      { class: `notice ${ready?.ok ? "good" : "wrong"}`, role: "status" },
      html.strong(ready?.ok ? texts.signIn.ready : texts.signIn.notReady),
    ),
    table(
      t.metrics,
      [t.metric, t.value, t.meaning],
      samples
        .sort(([one], [other]) => NAMES.indexOf(short(one)) - NAMES.indexOf(short(other)))
        .filter(([, labels, value]) => !labels || value !== "0")
        .map(([name, labels, value]) => [
          html.code(name, labels && ` ${labels}`),
          /time(stamp)?_seconds$/.test(name)
            ? time(new Date(Number(value) * 1000).toISOString())
            : count(Number(value)),
          helps.get(name) ?? "",
        ]),
      "cards",
    ),
    html.p(anchor("/metrics", t.all)),
  ];
}
