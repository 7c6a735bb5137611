// Imports links of another service: upload or key, dry run, run, report.
import { go, hash } from "../frame/address.js";
import { applications, call, get, path } from "../shared/api.js";
import { codeBlock, curl, sameByAPI } from "../shared/command.js";
import { anchor, button, english, facts, html, pair, table } from "../shared/element.js";
import { field, input, select } from "../shared/fields.js";
import { formatCount, timeElement } from "../shared/formats.js";
import { sendForm } from "../shared/forms.js";
import { pageTexts } from "../shared/page-texts.js";
import { fill, load, problemNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { readHead, rowsOf } from "./csv-response.js";
import { chosenColumns, columnChoices, sampleFile } from "./import-columns.js";
import "./styles.js";

const importTexts = pageTexts.imports;
const OUTCOMES = ["created", "same", "clash", "refused"];
/** Services with an API that the server can read; the others give files. */
const APIS = ["bitly", "rebrandly", "shortio", "dub", "shlink", "kutt", "yourls"];
/** Milliseconds after which the state of an import that runs is asked for again. */
const PAUSE = 700;
/** Bytes of a report that are read, and its lines that are shown. */
const READ = 64 * 1024;
const LINES = 100;

/**
 * Starts the import that the last dry run has rehearsed, by the ID of the dry run: it keeps the
 * files, so that the run needs no second upload.
 *
 * @type {Map<string, () => Promise<Import>>}
 */
const rehearsed = new Map();

/**
 * What the form held when it was sent last: another import begins with it, without its key.
 *
 * @type {{of: string, values: Record<string, string>, files: File[]} | null}
 */
let last = null;

/** @type {ShowPage} */
export function show(main, session, [id]) {
  const section = html.section({ "aria-label": texts.pages.import });
  if (id) {
    main.append(
      section,
      sameByAPI(curl("GET", target(id)), curl("GET", target(id) + "?format=csv")),
    );
    load(section, () => follow(section, id));
    return;
  }
  main.append(
    section,
    sameByAPI(
      [
        `curl -s '${location.origin}/api/v1/imports'`,
        '-H "Authorization: Bearer $WAYMARK_KEY"',
        "-F source=fdl -F dryRun=true -F file=@links.csv",
      ].join(" \\\n  "),
    ),
  );
  if (last?.of !== session.name) last = null;
  load(section, () => form(session));
}

/** @param {string} id */
const target = (id) => path`/api/v1/imports/${id}`;

/** @param {Session} session */
async function form(session) {
  const [apps, { imports }] = await Promise.all([applications(), get("/api/v1/imports")]);
  const source = select("source", Object.entries(pageTexts.sources));
  const note = html.p({ class: "soft", "aria-live": "polite" });
  const file = html.input({ type: "file", name: "file", multiple: true });
  const credentials = pair(
    field(
      importTexts.key,
      input("credentials.apiKey", "", { type: "password" }),
      importTexts.keyHint,
    ),
    field(
      importTexts.url,
      input("credentials.apiURL", "", {
        type: "url",
        placeholder: "https://shlink.example.com",
      }),
      importTexts.urlHint,
    ),
  );
  /** @param {string} name */
  const lastValue = (name) => last?.values[name] ?? "";
  const columns = html.div();
  const mapField = field(
    importTexts.map,
    html.textarea(
      {
        name: "map",
        rows: 2,
        spellcheck: "false",
        class: "code",
        placeholder: "Target=urls.web",
      },
      lastValue("map"),
    ),
    importTexts.mapHint,
  );
  const fileField = field(importTexts.file, file, importTexts.fileHint);
  const show = async () => {
    const hasAPI = APIS.includes(source.value);
    credentials.hidden = !hasAPI;
    const hint = fileField.querySelector("small");
    if (hint) hint.textContent = hasAPI ? importTexts.fileHint : importTexts.fileOnlyHint;
    const isCSV = source.value === "csv";
    fill(note, [pageTexts.notes[source.value], isCSV && " ", isCSV && sampleFile()]);
    const chosen = file.files?.[0];
    // Files of a known service have known columns.
    const choices = isCSV && chosen ? await columnChoices(chosen) : null;
    fill(columns, choices);
    mapField.hidden = choices !== null;
  };
  source.addEventListener("change", show);
  file.addEventListener("change", show);
  if (last) source.value = last.values.source;
  if (last?.files.length) file.files = listOf(last.files);
  show();
  const importForm = sendForm(
    importTexts.dryRun,
    async (values) => {
      const files = [...(file.files ?? [])];
      last = { of: session.name, values: { ...values, "credentials.apiKey": "" }, files };
      const map = mapField.hidden ? chosenColumns(columns) : linesIn(values.map);
      /** @param {boolean} dryRun */
      const send = (dryRun) => start(values, map, files, dryRun);
      const { id } = await send(true);
      rehearsed.clear();
      rehearsed.set(id, () => send(false));
      go(hash(["import", id]));
    },
    field(importTexts.source, source),
    note,
    fileField,
    columns,
    credentials,
    pair(
      apps.length > 1 &&
        field(
          texts.fields.app,
          select(
            "app",
            apps.map(({ id, name }) => [id, name ? `${name} (${id})` : id]),
            lastValue("app"),
          ),
        ),
      field(texts.fields.domain, input("domain", lastValue("domain")), importTexts.domainHint),
      field(importTexts.timeZone, input("timeZone", lastValue("timeZone") || "UTC")),
    ),
    mapField,
  );
  importForm.addEventListener("dragover", (event) => event.preventDefault());
  importForm.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    file.files = event.dataTransfer.files;
    show();
  });
  return [
    html.p(importTexts.about),
    importForm,
    imports.length > 0 &&
      table(
        importTexts.earlier,
        [importTexts.source, importTexts.state, importTexts.rows, texts.links.created],
        imports.map((/** @type {Import} */ run) => [
          anchor(hash(["import", run.id]), pageTexts.sources[run.source] ?? run.source),
          stateText(run),
          formatCount(run.counts.rows),
          timeElement(run.createdAt),
        ]),
        "list cards",
      ),
  ];
}

/**
 * Files as an input takes them.
 *
 * @param {File[]} files
 */
function listOf(files) {
  const list = new DataTransfer();
  for (const file of files) list.items.add(file);
  return list.files;
}

/** @param {string} text */
const linesIn = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/**
 * Sends an import: its files, or the key with which the server reads the source.
 *
 * @param {Record<string, string>} values
 * @param {string[]} map  COLUMN=FIELD
 * @param {File[]} files
 * @param {boolean} dryRun
 * @returns {Promise<Import>}
 */
async function start(values, map, files, dryRun) {
  const { source, app, domain, timeZone } = values;
  if (files.length) {
    const body = new FormData();
    const members = {
      source,
      app,
      domain,
      timeZone,
      dryRun: String(dryRun),
      credentials: values["credentials.apiKey"],
    };
    for (const [name, value] of Object.entries(members)) if (value) body.append(name, value);
    for (const line of map) body.append("map", line);
    for (const file of files) body.append("file", file, file.name);
    return (await call("POST", "/api/v1/imports", { body })).content;
  }
  const apiURL = values["credentials.apiURL"];
  const body = {
    source,
    ...(app && { app }),
    ...(domain && { domain }),
    ...(timeZone && { timeZone }),
    dryRun,
    // A column may have an equals sign in its name: the last one separates it from the field.
    ...(map.length > 0 && {
      map: Object.fromEntries(map.map((line) => line.split(/=(?=[^=]*$)/))),
    }),
    credentials: { apiKey: values["credentials.apiKey"], ...(apiURL && { apiURL }) },
  };
  return (await call("POST", "/api/v1/imports", { body })).content;
}

/**
 * What the command line would be told, in words of the form.
 *
 * @param {string} text
 */
const inForm = (text) =>
  Object.entries(importTexts.options).reduce(
    (words, [option, instead]) => words.replace(option, instead),
    text,
  );

/** @param {Import} run */
const stateText = ({ state, dryRun }) => {
  const text = pageTexts.importStates[state] ?? state;
  return dryRun ? `${text}, ${importTexts.rehearsal}` : text;
};

/**
 * Shows an import until it has ended.
 *
 * @param {HTMLElement} section
 * @param {string} id
 * @returns {Promise<Child[]>}
 */
async function follow(section, id) {
  /** @type {Import} */
  const job = await get(target(id));
  const isRunning = job.state === "running" || job.state === "stopping";
  if (isRunning) {
    setTimeout(async () => {
      if (section.isConnected) {
        fill(section, await follow(section, id).catch((error) => [problemNotice(error)]));
      }
    }, PAUSE);
  }
  const csv = target(id) + "?format=csv";
  const [heads, ...lines] = rowsOf(await readHead(csv, READ));
  const startRun = rehearsed.get(id);
  const run = async (/** @type {any} */ event) => {
    event.target.disabled = true;
    try {
      if (startRun) go(hash(["import", (await startRun()).id]));
    } catch (error) {
      fill(section, [problemNotice(error, () => go(hash(["import", id])))]);
    }
  };
  // What needs attention comes first.
  const isCreated = (/** @type {string[]} */ [, outcome]) => outcome === "created";
  const shown = isRunning
    ? []
    : [...lines.filter((line) => !isCreated(line)), ...lines.filter(isCreated)]
        .slice(0, LINES)
        .map((line) => line.map(inForm));
  return [
    html.p(
      { role: "status" },
      html.strong(stateText(job)),
      ` · ${pageTexts.sources[job.source] ?? job.source} · ${job.app}`,
    ),
    job.fileBytes > 0 &&
      isRunning &&
      html.progress({
        max: job.fileBytes,
        value: job.fileBytesRead,
        "aria-label": texts.pages.import,
      }),
    job.error && html.p({ class: "notice wrong", role: "alert", lang: "en" }, inForm(job.error)),
    facts(
      "totals",
      ["rows", ...OUTCOMES].map((name) => [
        pageTexts.importOutcomes[name],
        formatCount(job.counts[name]),
      ]),
    ),
    ...(job.notes ?? []).map((note) => html.p({ class: "soft", lang: "en" }, note)),
    html.div(
      { class: "buttons" },
      isRunning && button(importTexts.stop, () => call("DELETE", target(id))),
      !isRunning &&
        job.dryRun &&
        startRun &&
        job.state === "finished" &&
        html.button({ type: "button", click: run }, importTexts.run),
      html.a(
        { class: "button quiet", href: csv, download: `import-${id}.csv` },
        importTexts.report,
      ),
      html.a({ class: "button quiet", href: hash(["import"]) }, importTexts.another),
    ),
    !isRunning && job.dryRun && !startRun && html.p({ class: "soft" }, importTexts.again),
    shown.length > 0 &&
      html.div(
        { class: "scroll", tabindex: 0 },
        table(
          formatText(importTexts.first, shown.length),
          heads,
          shown.map((cells) => cells.map((cell) => english(cell))),
          "cards",
        ),
      ),
    !isRunning &&
      !job.dryRun && [
        html.h2(importTexts.verify),
        html.p(importTexts.verifyDetail),
        ...command(job),
      ],
  ].flat();
}

/** @param {Import} job */
function command({ source, domain }) {
  const words = ["waymark links verify FILE", `--from ${source}`, `--against ${location.origin}`];
  // The service may be tried under another name than its domain.
  if (domain) words.push(`--resolve ${domain}=${location.hostname}`);
  return codeBlock([...words, "--report differences.csv"].join(" "));
}
