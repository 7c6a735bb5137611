// The state of the server, as its health and its metrics tell it. What they don't tell is left out.
import { keyName } from "../frame/session.js";
import { Problem } from "../shared/api.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, facts, html } from "../shared/element.js";
import { formatCount, formatShare, timeElement } from "../shared/formats.js";
import { locale } from "../texts/language.js";
import { pageTexts } from "../shared/page-texts.js";
import { load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { Metrics } from "./metrics.js";

const systemTexts = pageTexts.system;
/** A backup older than this many days is one that has stopped. */
const BACKUP_DAYS = 7;
/** A certificate that ends this soon should have been renewed. */
const CERTIFICATE_DAYS = 14;
const DAY = 86_400;

/** @type {ShowPage} */
export function show(main, session) {
  const section = html.section({ "aria-label": texts.pages.system });
  const reload = () => load(section, content);
  main.firstElementChild?.append(button(systemTexts.reload, reload));
  main.append(
    section,
    html.p(
      { class: "soft" },
      formatText(
        systemTexts.session,
        keyName(session.name),
        [...session.scopes, session.app ?? ""].filter(Boolean).join(", "),
      ),
      " ",
      timeElement(session.expiresAt),
    ),
    sameByAPI(curl("GET", "/readyz"), curl("GET", "/metrics")),
  );
  reload();
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
  const metrics = new Metrics(await response.text());
  return [
    html.p(
      { class: `notice ${ready?.ok ? "good" : "wrong"}`, role: "status" },
      html.strong(ready?.ok ? systemTexts.ready : texts.signIn.notReady),
    ),
    html.div(
      { class: "panels" },
      part(systemTexts.process, processFacts(metrics)),
      part(systemTexts.requests, requestFacts(metrics)),
      part(systemTexts.database, databaseFacts(metrics)),
      part(systemTexts.limits, limitFacts(metrics), systemTexts.noLimits),
      part(texts.clicks.title, clickFacts(metrics)),
      part(texts.pages.webhooks, webhookFacts(metrics)),
      part(systemTexts.certificates, certificateFacts(metrics)),
    ),
    html.p(anchor("/metrics", systemTexts.all)),
  ];
}

/** @typedef {[string, Content] | false} Fact  none where the server doesn't tell */

/**
 * @param {string} title
 * @param {Fact[]} rows
 * @param {string} [otherwise]  shown where there are none
 */
function part(title, rows, otherwise) {
  const known = /** @type {[string, Content][]} */ (rows.filter(Boolean));
  if (!known.length && !otherwise) return null;
  return html.section(
    { "aria-label": title },
    html.h2(title),
    known.length ? facts("facts", known) : html.p(otherwise),
  );
}

/**
 * A number, marked where it should be zero and is not.
 *
 * @param {number | undefined} value
 */
const problemCount = (value = 0) =>
  value ? html.span({ class: "state wrong" }, formatCount(value)) : formatCount(value);

/**
 * @param {string} unit  of ECMA-402, such as `day`
 * @param {number} value
 * @param {number} [digits]
 */
const quantity = (unit, value, digits = 0) =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: digits,
  }).format(value);

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 60) return quantity("second", Math.floor(seconds));
  if (seconds < 3_600) return quantity("minute", Math.floor(seconds / 60));
  if (seconds < 2 * DAY) return quantity("hour", Math.floor(seconds / 3_600));
  return quantity("day", Math.floor(seconds / DAY));
}

/** @param {number} bytes */
function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[step],
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

/** @param {number} seconds  since 1970 */
const moment = (seconds) => timeElement(new Date(seconds * 1000).toISOString());

/** @param {number} seconds  since 1970 */
const ago = (seconds) => Date.now() / 1000 - seconds;

/** @param {Metrics} metrics */
function processFacts(metrics) {
  const version = metrics.samples("waymark_build_info")[0]?.labels.version;
  const start = metrics.sum("process_start_time_seconds");
  const memory = metrics.sum("process_resident_memory_bytes");
  const files = metrics.sum("process_open_fds");
  const read = metrics.sum("waymark_config_last_reload_success_timestamp_seconds");
  const isRefused = metrics.sum("waymark_config_last_reload_successful") === 0;
  return [
    version !== undefined && fact(systemTexts.version, version),
    start !== undefined &&
      fact(systemTexts.uptime, [
        duration(ago(start)),
        html.div({ class: "soft" }, systemTexts.since, " ", moment(start)),
      ]),
    read !== undefined &&
      fact(systemTexts.configuration, [
        moment(read),
        isRefused && html.div(html.span({ class: "state wrong" }, systemTexts.refusedReload)),
      ]),
    memory !== undefined && fact(systemTexts.memory, size(memory)),
    files !== undefined && fact(systemTexts.files, ofMost(files, metrics.sum("process_max_fds"))),
  ];
}

/** @param {Metrics} metrics */
function requestFacts(metrics) {
  const total = metrics.sum("waymark_http_responses_total");
  if (total === undefined) return [];
  /** @param {string} digit */
  const of = (digit) =>
    metrics
      .samples("waymark_http_responses_total")
      .find(({ labels }) => labels.class === `${digit}xx`)?.value ?? 0;
  /** @param {string} digit */
  const share = (digit) => `${formatCount(of(digit))} (${formatShare(of(digit), total)})`;
  const connections = metrics.sum("waymark_connections_open");
  return [
    fact(systemTexts.answered, formatCount(total)),
    fact(systemTexts.succeeded, share("2")),
    fact(systemTexts.redirected, share("3")),
    fact(systemTexts.refused, share("4")),
    fact(systemTexts.failed, problemCount(of("5"))),
    connections !== undefined && fact(systemTexts.connections, formatCount(connections)),
  ];
}

/** @param {Metrics} metrics */
function databaseFacts(metrics) {
  const free = metrics.sum("waymark_store_free_bytes");
  const connections = metrics.sum("waymark_store_connections");
  const backup = metrics.sum("waymark_backup_timestamp_seconds");
  const skew = metrics.sum("waymark_clock_skew_seconds");
  const failures = metrics.sum("waymark_store_failures_total");
  const isFull = metrics.sum("waymark_store_full") === 1;
  const isOld = backup !== undefined && ago(backup) > BACKUP_DAYS * DAY;
  return [
    free !== undefined &&
      fact(systemTexts.disk, [
        size(free),
        isFull && html.div(html.span({ class: "state wrong" }, systemTexts.full)),
      ]),
    connections !== undefined &&
      fact(
        systemTexts.storeConnections,
        ofMost(connections, metrics.sum("waymark_store_connection_limit")),
      ),
    backup !== undefined &&
      fact(
        systemTexts.backup,
        backup
          ? html.span({ class: isOld ? "state wrong" : null }, moment(backup))
          : html.span({ class: "state wrong" }, systemTexts.noBackup),
      ),
    failures !== undefined && fact(systemTexts.storeFailures, problemCount(failures)),
    skew !== undefined &&
      Math.abs(skew) >= 1 &&
      fact(
        systemTexts.skew,
        html.span({ class: "state wrong" }, quantity("second", Math.abs(skew), 1)),
      ),
  ];
}

/**
 * Limits that something has reached since the server started.
 *
 * @param {Metrics} metrics
 * @returns {Fact[]}
 */
function limitFacts(metrics) {
  /** @type {[string, number][]} */
  const rates = metrics
    .samples("waymark_rate_limited_total")
    .map(({ labels, value }) => [limitName(labels.limit), value]);
  /** @type {[string, number][]} */
  const others = Object.entries(systemTexts.refusals).map(([name, text]) => [
    text,
    metrics.sum(`waymark_${name}_total`) ?? 0,
  ]);
  return [...rates, ...others]
    .filter(([, count]) => count)
    .map(([name, count]) => fact(name, formatCount(count)));
}

/** @param {string} limit  as the configuration names it */
const limitName = (limit) =>
  formatText(
    systemTexts.rateLimit,
    /** @type {Record<string, string>} */ (systemTexts.rates)[limit] ?? limit,
  );

/** @param {Metrics} metrics */
function clickFacts(metrics) {
  const counted = metrics.sum("waymark_clicks_total");
  if (counted === undefined) return [];
  const waiting = metrics.sum("waymark_click_records_waiting");
  const spooled = metrics.sum("waymark_click_records_spooled_bytes");
  const dropped =
    (metrics.sum("waymark_clicks_dropped_total") ?? 0) +
    (metrics.sum("waymark_click_records_dropped_total") ?? 0);
  return [
    fact(systemTexts.counted, formatCount(counted)),
    waiting !== undefined && fact(systemTexts.unwritten, formatCount(waiting)),
    Boolean(spooled) && fact(systemTexts.spooled, size(spooled ?? 0)),
    fact(systemTexts.lost, problemCount(dropped)),
  ];
}

/** @param {Metrics} metrics */
function webhookFacts(metrics) {
  const waiting = metrics.sum("waymark_webhook_deliveries_waiting");
  if (waiting === undefined) return [];
  const delay = metrics.sum("waymark_webhook_delay_seconds") ?? 0;
  return [
    fact(systemTexts.deliveries, formatCount(waiting)),
    delay >= 60 && fact(systemTexts.overdue, duration(delay)),
    fact(
      systemTexts.failedDeliveries,
      problemCount(metrics.sum("waymark_webhook_deliveries_failed_total")),
    ),
  ];
}

/** @param {Metrics} metrics */
const certificateFacts = (metrics) =>
  metrics
    .samples("waymark_tls_certificate_expiry_timestamp_seconds")
    .map(({ labels, value }) =>
      fact(
        labels.certificate,
        html.span(
          { class: -ago(value) < CERTIFICATE_DAYS * DAY ? "state wrong" : null },
          texts.until,
          " ",
          moment(value),
        ),
      ),
    );

/**
 * @param {string} name
 * @param {Content} value
 * @returns {Fact}
 */
const fact = (name, value) => [name, value];

/**
 * @param {number} value
 * @param {number | undefined} most
 */
const ofMost = (value, most) =>
  most === undefined
    ? formatCount(value)
    : formatText(systemTexts.ofMost, formatCount(value), formatCount(most));
