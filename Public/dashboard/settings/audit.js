// Who changed what on the server, and who was refused: the audit log, newest first.
import { currentAddress, hash, hashWith, linkHash, refine } from "../frame/address.js";
import { keyName } from "../frame/session.js";
import { get, Problem, withQuery } from "../shared/api.js";
import { changedValues } from "../shared/changed-values.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, html, table } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { timeElement } from "../shared/formats.js";
import { nameIn } from "../shared/link-parts.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { texts } from "../shared/texts.js";

const auditTexts = pageTexts.audit;
const FILTERS = ["person", "key", "action", "from", "to"];
/** All actions on objects of one kind. */
const GROUPS = ["link", "application", "key", "webhook", "person", "import", "session"].map(
  (type) => `${type}.*`,
);

/** @type {ShowPage} */
export function show(main) {
  const section = html.section({ "aria-label": texts.pages.audit });
  const below = html.div();
  const reload = () =>
    load(section, async () => {
      below.replaceChildren();
      const content = await entries();
      if (content.isKept) below.replaceChildren(...footer());
      return content.element;
    });
  main.append(html.p({ class: "soft" }, auditTexts.about), filterForm(reload), section, below);
  reload();
}

/** What the address asks for. */
function asked() {
  const { query } = currentAddress();
  return Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]));
}

const target = () =>
  withQuery("/api/v1/audit", { ...asked(), cursor: currentAddress().query.get("cursor") });

/** @param {() => void} reload */
function filterForm(reload) {
  const { query } = currentAddress();
  /** @param {string} name */
  const value = (name) => query.get(name) ?? "";
  /**
   * A choice of people or keys. Without the right to see them there is none.
   *
   * @param {string} name
   * @param {string} label
   * @param {() => Promise<{id: string, name: string}[]>} list
   */
  const choice = (name, label, list) => {
    const control = select(name, [["", auditTexts.anybody]], "");
    const place = field(label, control);
    list().then(
      (known) => {
        const options = known.map(({ id, name: shown }) => [id, keyName(shown)]);
        const chosen = value(name);
        if (chosen && !options.some(([id]) => id === chosen)) options.push([chosen, chosen]);
        control.replaceWith(
          Object.assign(select(name, [["", auditTexts.anybody], ...options], chosen), {
            id: control.id,
          }),
        );
      },
      () => place.remove(),
    );
    return place;
  };
  const actions = html.datalist({ id: "audit-actions" });
  const action = field(
    auditTexts.action,
    input("action", value("action"), {
      maxlength: 100,
      list: "audit-actions",
      placeholder: "link.*",
      focus: () => {
        const options = [...seen, ...GROUPS].sort().map((name) => html.option({ value: name }));
        actions.replaceChildren(...options);
      },
    }),
  );
  action.append(actions);
  const form = html.form(
    {
      class: "filters",
      role: "search",
      submit: (event) => event.preventDefault(),
      change: () => {
        refine({ ...values(form), cursor: null });
        reload();
      },
    },
    choice("person", auditTexts.person, async () => (await get("/api/v1/people")).people),
    choice("key", texts.signIn.key, async () => (await get("/api/v1/keys")).keys),
    action,
    field(texts.clicks.from, input("from", value("from"), { type: "date" })),
    field(texts.clicks.until, input("to", value("to"), { type: "date" })),
  );
  return form;
}

/**
 * Actions of the entries that were seen, which the field suggests.
 *
 * @type {Set<string>}
 */
const seen = new Set();

/** @returns {Promise<{element: Content, isKept: boolean}>} */
async function entries() {
  /** @type {{entries: AuditEntry[], cursor: string | null}} */
  let answer;
  try {
    answer = await get(target());
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    return { element: emptyNotice(auditTexts.notKept, auditTexts.notKeptDetail), isKept: false };
  }
  const { query } = currentAddress();
  for (const { action } of answer.entries) seen.add(action);
  const isFiltered = FILTERS.some((name) => query.get(name)) || query.get("cursor");
  if (!answer.entries.length && !answer.cursor) {
    return {
      element: isFiltered
        ? emptyNotice(
            auditTexts.noneSuch,
            auditTexts.noneSuchDetail,
            anchor(hash(["audit"]), texts.clicks.clear, { class: "button" }),
          )
        : emptyNotice(auditTexts.none, auditTexts.noneDetail),
      isKept: true,
    };
  }
  return {
    element: [
      table(
        html.span({ class: "unseen" }, texts.pages.audit),
        [auditTexts.at, auditTexts.who, auditTexts.action, auditTexts.object, auditTexts.changed],
        answer.entries.map((entry) => [
          timeElement(entry.at),
          who(entry),
          html.code({ class: "nowrap" }, entry.action),
          objectOf(entry),
          changedValues(entry.before, entry.after) ?? "–",
        ]),
        "cards",
      ),
      html.nav(
        { class: "pages", "aria-label": texts.links.pages },
        query.get("cursor") && anchor(hashWith({ cursor: null }), auditTexts.newest),
        answer.cursor && anchor(hashWith({ cursor: answer.cursor }), auditTexts.older),
      ),
    ],
    isKept: true,
  };
}

/** @returns {Node[]} */
const footer = () => [
  html.p(
    anchor(withQuery("/api/v1/audit", { ...asked(), format: "jsonl" }), auditTexts.download, {
      class: "button quiet small",
      download: "audit.jsonl",
    }),
  ),
  sameByAPI(curl("GET", target())),
];

/** @param {AuditEntry} entry */
function who({ by, address }) {
  /** @type {Record<"addresses" | "ways", Record<string, string>>} */
  const { addresses, ways } = auditTexts;
  const named = by.person ?? by.key;
  const place = address && (addresses[address] ?? address);
  return html.div(
    html.div(named ? keyName(named.name) : ((by.via && ways[by.via]) ?? "–")),
    place && html.small({ class: "soft" }, place),
  );
}

/** @param {AuditEntry} entry */
function objectOf({ object: { type, id }, app }) {
  const isHere = type === "link" && id !== null;
  return html.div(
    html.span({ class: "soft" }, type, " "),
    html.span({ class: "destination" }, isHere ? anchor(linkHash(nameIn(id)), id) : id),
    app && app !== id && html.div(html.small({ class: "soft" }, app)),
  );
}
