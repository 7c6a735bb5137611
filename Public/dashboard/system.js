// What the server says about itself: its health, and its metrics in their own words.
import { anchor, button, count, curl, element, load, Problem, sameByAPI, say, table, texts, time } from "./base.js";

const t = texts.system;
const NAMES = `build_info start_time_seconds resident_memory_bytes open_fds applications connections_open http_responses_total requests_shed_total timeouts_total
  rate_limited_total cached_links cache_bytes cache_hits_total cache_misses_total clicks_total clicks_dropped_total click_records_waiting
  click_records_dropped_total store_failures_total config_last_reload_successful config_last_reload_success_timestamp_seconds
  tls_certificate_expiry_timestamp_seconds`.split(/\s+/);

/** @param {string} name */
const short = (name) => name.replace(/^(waymark|process)_/, "");

/** @param {HTMLElement} main @param {Session} session */
export function showSystem(main, session) {
  const place = element("section", { "aria-label": texts.pages.system });
  const reload = () => load(place, content);
  main.firstElementChild?.append(button(t.reload, reload));
  main.append(element("p", {}, say(t.session, session.name, [...session.scopes, session.app ?? ""].filter(Boolean).join(", ")), " ", time(session.expiresAt)), place,
    sameByAPI(curl("GET", "/readyz"), curl("GET", "/metrics")));
  reload();
}

async function content() {
  const [ready, response] = await Promise.all([fetch("/readyz").catch(() => null), fetch("/metrics")]);
  if (!response.ok) throw new Problem({ title: say(texts.errors.status, response.status), detail: t.metricsElsewhere });
  const metrics = await response.text();
  /** @type {Map<string, string>} */
  const helps = new Map();
  /** @type {[string, string, string][]} */
  const samples = [];
  for (const line of metrics.split("\n")) {
    const help = /^# HELP (\S+) (.*)/.exec(line);
    if (help) helps.set(help[1], help[2]);
    const sample = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample && NAMES.includes(short(sample[1]))) samples.push([sample[1], sample[2] ?? "", sample[3]]);
  }
  return [
    element("p", { class: `notice ${ready?.ok ? "good" : "wrong"}`, role: "status" }, element("strong", {}, ready?.ok ? texts.signIn.ready : texts.signIn.notReady)),
    table(t.metrics, [t.metric, t.value, t.meaning], samples.sort(([one], [other]) => NAMES.indexOf(short(one)) - NAMES.indexOf(short(other))).filter(([, labels, value]) => !labels || value !== "0").map(([name, labels, value]) => [
      element("code", {}, name, labels && ` ${labels}`), /time(stamp)?_seconds$/.test(name) ? time(new Date(Number(value) * 1000).toISOString()) : count(Number(value)), helps.get(name) ?? "",
    ]), "cards"),
    element("p", {}, anchor("/metrics", t.all)),
  ];
}
