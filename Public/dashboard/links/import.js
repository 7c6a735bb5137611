// Imports links of another service: upload or key, dry run, run, report.
import { go, hash } from "../frame/address.js";
import { applications, call, get, path } from "../shared/api.js";
import { codeBlock, curl, sameByAPI } from "../shared/command.js";
import { anchor, button, facts, html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { count, time } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { fill, load, problemNotice } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { head, rows } from "./csv-response.js";

const t = pageTexts.imports;
const OUTCOMES = ["created", "same", "clash", "refused"];
/** Services with an API that the server can read; the others give files. */
const APIS = ["bitly", "rebrandly", "shortio", "dub", "shlink", "kutt", "yourls"];
/**
 * What a dry run was made of, so that the run needs no second upload.
 *
 * @type {{id: string, send: () => Promise<Import>} | null}
 */
let rehearsed = null;

/** @type {ShowPage} */
export function show(main, _, [id]) {
  const place = html.section({ "aria-label": texts.pages.import });
  if (id) {
    main.append(place, sameByAPI(curl("GET", target(id)), curl("GET", target(id) + "?format=csv")));
    load(place, () => follow(place, id));
    return;
  }
  main.append(
    place,
    sameByAPI(
      [
        `curl -s '${location.origin}/api/v1/imports'`,
        '-H "Authorization: Bearer $WAYMARK_KEY"',
        "-F source=fdl -F dryRun=true -F file=@links.csv",
      ].join(" \\\n  "),
    ),
  );
  load(place, form);
}

const target = (id = "") => path`/api/v1/imports/${id}`;

async function form() {
  const [apps, { imports }] = await Promise.all([applications(), get("/api/v1/imports")]);
  const source = select("source", Object.entries(pageTexts.sources));
  const note = html.p({ class: "soft", "aria-live": "polite" });
  const file = html.input({ type: "file", name: "file", multiple: true });
  const credentials = pair(
    field(t.key, input("credentials.apiKey", "", { type: "password" }), t.keyHint),
    field(
      t.url,
      input("credentials.apiURL", "", {
        type: "url",
        placeholder: "https://shlink.example.com",
      }),
      t.urlHint,
    ),
  );
  const show = () => {
    credentials.hidden = !APIS.includes(source.value);
    note.textContent = pageTexts.notes[source.value] ?? "";
  };
  source.addEventListener("change", show);
  show();
  return [
    html.p(t.about),
    sendForm(
      t.dryRun,
      async (values) => {
        const send = (dryRun = false) => start(values, [...(file.files ?? [])], dryRun);
        const { id } = await send(true);
        rehearsed = { id, send: () => send(false) };
        go(hash(["import", id]));
      },
      field(t.source, source),
      note,
      field(t.file, file, t.fileHint),
      credentials,
      pair(
        apps.length > 1 &&
          field(
            texts.fields.app,
            select(
              "app",
              apps.map(({ id }) => [id, id]),
            ),
          ),
        field(texts.fields.domain, input("domain"), t.domainHint),
        field(t.timeZone, input("timeZone", "UTC")),
      ),
      field(
        t.map,
        html.textarea({
          name: "map",
          rows: 2,
          spellcheck: "false",
          class: "code",
          placeholder: "Target=urls.web",
        }),
        t.mapHint,
      ),
    ),
    imports.length > 0 &&
      table(
        t.earlier,
        [t.source, t.state, t.rows, texts.links.created],
        imports.map((/** @type {Import} */ one) => [
          anchor(hash(["import", one.id]), pageTexts.sources[one.source] ?? one.source),
          state(one),
          count(one.counts.rows),
          time(one.createdAt),
        ]),
        "list cards",
      ),
  ];
}

/**
 * @param {Record<string, string>} values
 * @param {File[]} files
 * @param {boolean} dryRun
 * @returns {Promise<Import>}
 */
async function start(values, files, dryRun) {
  const map = values.map
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const { source, app, domain, timeZone } = values;
  if (files.length) {
    const body = new FormData();
    for (const [name, value] of Object.entries({
      source,
      app,
      domain,
      timeZone,
      dryRun: String(dryRun),
      credentials: values["credentials.apiKey"],
    }))
      if (value) body.append(name, value);
    for (const line of map) body.append("map", line);
    for (const file of files) body.append("file", file, file.name);
    return (await call("POST", "/api/v1/imports", { body })).content;
  }
  const apiURL = values["credentials.apiURL"];
  return (
    await call("POST", "/api/v1/imports", {
      body: {
        source,
        ...(app && { app }),
        ...(domain && { domain }),
        ...(timeZone && { timeZone }),
        dryRun,
        ...(map.length > 0 && {
          map: Object.fromEntries(map.map((line) => line.split(/=(?=[^=]*$)/))),
        }),
        credentials: { apiKey: values["credentials.apiKey"], ...(apiURL && { apiURL }) },
      },
    })
  ).content;
}

/** @param {Import} one */
const state = (one) =>
  `${pageTexts.importStates[one.state] ?? one.state}${one.dryRun ? `, ${t.rehearsal}` : ""}`;

/**
 * Shows an import until it has ended.
 *
 * @param {HTMLElement} place
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
async function follow(place, id) {
  /** @type {Import} */
  const one = await get(target(id));
  const runs = one.state === "running" || one.state === "stopping";
  if (runs) {
    setTimeout(async () => {
      if (place.isConnected)
        fill(place, await follow(place, id).catch((error) => [problemNotice(error)]));
    }, 700);
  }
  const csv = target(id) + "?format=csv";
  const [heads, ...lines] = rows(await head(csv, 64 * 1024));
  const shown = runs
    ? []
    : [
        ...lines.filter((line) => line[1] !== "created"),
        ...lines.filter((line) => line[1] === "created"),
      ].slice(0, 100);
  return [
    html.p(
      { role: "status" },
      html.strong(state(one)),
      ` · ${pageTexts.sources[one.source] ?? one.source} · ${one.app}`,
    ),
    one.fileBytes > 0 &&
      runs &&
      html.progress({
        max: one.fileBytes,
        value: one.fileBytesRead,
        "aria-label": texts.pages.import,
      }),
    one.error && html.p({ class: "notice wrong", role: "alert" }, one.error),
    facts(
      "totals",
      ["rows", ...OUTCOMES].map((name) => [
        pageTexts.importOutcomes[name],
        count(one.counts[name]),
      ]),
    ),
    ...(one.notes ?? []).map((note) => html.p({ class: "soft" }, note)),
    html.div(
      { class: "buttons" },
      runs && button(t.stop, () => call("DELETE", target(id))),
      !runs &&
        one.dryRun &&
        rehearsed?.id === id &&
        one.state === "finished" &&
        html.button(
          {
            type: "button",
            click: async (event) => {
              event.target.disabled = true;
              const run = rehearsed?.send();
              try {
                if (run) go(hash(["import", (await run).id]));
              } catch (error) {
                fill(place, [problemNotice(error, () => go(hash(["import", id])))]);
              }
            },
          },
          t.run,
        ),
      html.a({ class: "button quiet", href: csv, download: `import-${id}.csv` }, t.report),
      html.a({ class: "button quiet", href: hash(["import"]) }, t.another),
    ),
    !runs && one.dryRun && rehearsed?.id !== id && html.p({ class: "soft" }, t.again),
    shown.length > 0 &&
      html.div(
        { class: "scroll", tabindex: 0 },
        table(say(t.first, shown.length), heads, shown, "cards"),
      ),
    !runs && !one.dryRun && [html.h2(t.verify), html.p(t.verifyDetail), ...command(one)],
  ].flat();
}

/** @param {Import} one */
const command = ({ source, domain }) =>
  codeBlock(
    `waymark links verify FILE --from ${source} --against ${location.origin}${
      domain ? ` --resolve ${domain}=${location.hostname}` : ""
    } --report differences.csv`,
  );
