// What the server says about itself: its health, and its metrics in their own words.
import { Problem } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, html, table } from "../shared/element.js";
import { formatCount, timeElement } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";

const systemTexts = pageTexts.system;
/** The metrics that are shown, in this order. */
const NAMES = systemTexts.names;

/** @param {string} name  of a metric */
const short = (name) => name.replace(/^(waymark|process)_/, "");

/** @type {ShowPage} */
export function show(main, session) {
  const section = html.section({ "aria-label": texts.pages.system });
  const reload = () => load(section, content);
  main.firstElementChild?.append(button(systemTexts.reload, reload));
  main.append(
    html.p(
      formatText(
        systemTexts.session,
        session.name,
        [...session.scopes, session.app ?? ""].filter(Boolean).join(", "),
      ),
      " ",
      timeElement(session.expiresAt),
    ),
    section,
    sameByAPI(curl("GET", "/readyz"), curl("GET", "/metrics")),
  );
  reload();
}

/**
 * The samples of a metrics response, and the help of each metric.
 *
 * @param {string} metrics
 */
function parse(metrics) {
  /** @type {Map<string, string>} */
  const helps = new Map();
  /** @type {{name: string, labels: string, value: string}[]} */
  const samples = [];
  for (const line of metrics.split("\n")) {
    const help = /^# HELP (\S+) (.*)/.exec(line);
    if (help) helps.set(help[1], help[2]);
    const sample = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample) samples.push({ name: sample[1], labels: sample[2] ?? "", value: sample[3] });
  }
  return { helps, samples };
}

async function content() {
  const [ready, response] = await Promise.all([
    fetch("/readyz").catch(() => null),
    fetch("/metrics"),
  ]);
  if (!response.ok) {
    throw new Problem({
      title: formatText(texts.errors.status, response.status),
      detail: systemTexts.metricsElsewhere,
    });
  }
  const { helps, samples } = parse(await response.text());
  const shown = samples
    .filter(({ name, labels, value }) => NAMES.includes(short(name)) && (!labels || value !== "0"))
    .sort((first, second) => NAMES.indexOf(short(first.name)) - NAMES.indexOf(short(second.name)));
  return [
    html.p(
      { class: `notice ${ready?.ok ? "good" : "wrong"}`, role: "status" },
      html.strong(ready?.ok ? texts.signIn.ready : texts.signIn.notReady),
    ),
    table(
      systemTexts.metrics,
      [systemTexts.metric, systemTexts.value, systemTexts.meaning],
      shown.map(({ name, labels, value }) => [
        html.code(name, labels && ` ${labels}`),
        /time(stamp)?_seconds$/.test(name)
          ? timeElement(new Date(Number(value) * 1000).toISOString())
          : formatCount(Number(value)),
        helps.get(name) ?? "",
      ]),
      "cards",
    ),
    html.p(anchor("/metrics", systemTexts.all)),
  ];
}
