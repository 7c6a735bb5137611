// The list of links: search, filters, pages, and keys for its rows.
import { changed, current, go, hash, linkHash, refine } from "../frame/address.js";
import { setScreenKeys } from "../frame/keyboard.js";
import { may } from "../frame/session.js";
import { deleteLater, isDeleted } from "../frame/undo.js";
import { announce } from "../shared/announcement.js";
import { call, get, query } from "../shared/api.js";
import { copy } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { confirm } from "../shared/dialog.js";
import { anchor, button, html, table } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { count, time } from "../shared/formats.js";
import { addressButton, destinationOf, linkPath, stateBadge } from "../shared/link-parts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { say, texts } from "../shared/texts.js";
import { bulkForm } from "./bulk.js";
import { asWritten, filters, filterTexts, moreFilters, suggest } from "./list-filters.js";

const t = texts.links;
/** Pages that a search may leave empty before it is shown as one that goes on. */
const EMPTY_PAGES = 10;

/** @type {ShowPage} */
export function show(main, session) {
  const writes = may(session, "links");
  if (writes) main.firstElementChild?.append(anchor(hash(["new"]), t.create, { class: "button" }));
  const place = html.section({ "aria-label": texts.pages.links });
  const command = html.div();
  const reload = () => {
    load(place, () => content(session, reload));
    command.replaceChildren(sameByAPI(curl("GET", target())));
  };
  const search = filterForm(session, reload);
  main.append(search, place, command);
  if (current().query.get("focus") === "search") {
    refine({ focus: null });
    search.querySelector("input")?.focus();
  }
  setScreenKeys(rowKeys(place, search, writes, reload));
  reload();
}

function target(cursor = current().query.get("cursor")) {
  return query("/api/v1/links", { ...filters(), cursor, count: "true" });
}

/**
 * @param {Session} session
 * @param {() => void} reload
 */
function filterForm(session, reload) {
  const { query: now } = current();
  let timer = 0;
  const changes = () => {
    clearTimeout(timer);
    const set = Object.entries(values(form)).map(([name, value]) => [name, asWritten(name, value)]);
    refine({ ...Object.fromEntries(set), cursor: null });
    reload();
  };
  const form = html.form(
    {
      class: "filters",
      role: "search",
      submit: (event) => {
        event.preventDefault();
        changes();
      },
      input: () => {
        clearTimeout(timer);
        timer = window.setTimeout(changes, 250);
      },
    },
    field(t.search, input("search", now.get("search") ?? "", { type: "search", maxlength: 2048 })),
    field(
      t.state,
      select("state", [["", t.anyState], ...Object.entries(texts.states)], now.get("state") ?? ""),
    ),
    field(
      t.sort,
      select(
        "sort",
        Object.entries(texts.sorts).map(([name, text]) => [
          name === "-createdAt" ? "" : name,
          text,
        ]),
        now.get("sort") ?? "",
      ),
    ),
    moreFilters(session),
  );
  return form;
}

/** @returns {Promise<LinkList>} */
async function page() {
  let list = await get(target());
  for (let turn = 1; turn < EMPTY_PAGES && !list.links.length && list.cursor; turn += 1) {
    list = await get(target(list.cursor));
  }
  return list;
}

/** @type {Link[]} */
let rows = [];

/**
 * @param {Session} session
 * @param {() => void} reload
 */
async function content(session, reload) {
  const { links, cursor, total, totalIsLowerBound } = await page();
  rows = links.filter((link) => !isDeleted(link));
  suggest(links);
  const { query: now } = current();
  const writes = may(session, "links");
  const isFiltered = Object.keys(filters()).some((name) => name !== "sort");
  const marked = html.div({ class: "marked", hidden: true });
  if (!links.length && !cursor)
    return isFiltered || now.get("cursor") ? nothingFound() : noLinks(writes);
  const mark = () => showBulk(marked, all, total, reload);
  const all = html.input({
    type: "checkbox",
    class: "mark",
    "aria-label": t.selectAll,
    title: t.selectAll,
    change: () => {
      for (const box of boxes()) box.checked = all.checked;
      mark();
    },
  });
  return [
    marked,
    links.length > 0 &&
      table(
        total === undefined
          ? t.caption
          : say(totalIsLowerBound ? t.atLeast : t.total, count(total)),
        [
          writes ? [all, " ", t.link] : t.link,
          t.destination,
          t.state,
          t.clicks,
          t.created,
          t.actions,
        ],
        rows.map((link) => cells(link, writes, reload, mark)),
        "list cards",
      ),
    links.length === 0 && emptyNotice(t.goesOn, t.goesOnDetail),
    html.nav(
      { class: "pages", "aria-label": t.pages },
      now.get("cursor") && anchor(changed({ cursor: null }), t.firstPage),
      cursor && anchor(changed({ cursor }), links.length ? t.nextPage : t.goOn),
    ),
  ];
}

/**
 * @param {Link} link
 * @param {boolean} writes
 * @param {() => void} reload
 * @param {() => void} mark
 */
function cells(link, writes, reload, mark) {
  return [
    html.div(
      writes &&
        html.input({
          type: "checkbox",
          class: "mark",
          value: `${link.domain}/${link.slug}`,
          "aria-label": say(t.select, link.slug),
          change: mark,
        }),
      " ",
      anchor(linkHash(link), link.title ?? link.slug, { class: "row-link" }),
      " ",
      addressButton(link),
      link.tags.length > 0 &&
        html.div(
          link.tags.map((tag) =>
            html.a({ class: "tag", href: changed({ tag, cursor: null }) }, tag),
          ),
        ),
    ),
    html.span({ class: "destination" }, destinationOf(link)),
    stateBadge(link.state),
    html.span({ class: "number" }, count(link.clicks)),
    time(link.createdAt),
    html.div(
      { class: "row-buttons" },
      writes &&
        html.a(
          { href: linkHash(link, "edit"), "aria-label": say(t.editOf, link.slug) },
          texts.edit,
        ),
      writes &&
        button(texts.delete, () => deleteLink(link, reload), {
          "aria-label": say(t.deleteOf, link.slug),
        }),
    ),
  ];
}

/** Those of the rows. */
const boxes = () =>
  /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("tbody input.mark")]);

/**
 * The form for what is selected.
 *
 * @param {HTMLElement} place
 * @param {HTMLInputElement} head  the box for the whole page
 * @param {number | undefined} total
 * @param {() => void} reload
 */
function showBulk(place, head, total, reload) {
  const names = boxes()
    .filter((box) => box.checked)
    .map((box) => box.value);
  head.checked = names.length > 0 && names.length === boxes().length;
  head.indeterminate = names.length > 0 && !head.checked;
  place.hidden = !names.length;
  if (!names.length) return;
  const { sort, ...conditions } = filters();
  const some = say(texts.bulk.count, count(names.length));
  const status = html.strong({ role: "status" }, some);
  const all = html.input({
    type: "checkbox",
    change: () => {
      status.textContent = all.checked ? texts.bulk.whole : some;
    },
  });
  place.replaceChildren(
    html.section(
      { class: "panel", "aria-label": texts.bulk.label },
      status,
      Object.keys(conditions).length > 0 &&
        html.label(
          { class: "choice" },
          all,
          total === undefined ? texts.bulk.all : say(texts.bulk.allOf, count(total)),
        ),
      bulkForm(() => (all.checked ? conditions : { links: names }), reload),
    ),
  );
}

/**
 * @param {Link} link
 * @param {() => void} done
 */
export function deleteLink(link, done) {
  confirm({
    title: t.deleteTitle,
    detail: say(t.deleteDetail, link.smartlink),
    action: texts.delete,
    work: async () => {
      deleteLater([`${link.domain}/${link.slug}`], say(t.deleted, link.slug), () =>
        call("DELETE", linkPath(link)),
      );
      done();
    },
  });
}

async function nothingFound() {
  const set = await filterTexts();
  const chips = set.map(({ name, text }) =>
    html.a(
      {
        class: "tag",
        href: changed({ [name]: null, cursor: null }),
        "aria-label": say(texts.clicks.withoutFilter, text),
      },
      text,
      " ×",
    ),
  );
  const searches = set.some(({ name }) => name === "search");
  return emptyNotice(
    set.length > 1 ? t.nothingFoundAll : t.nothingFound,
    searches ? t.nothingFoundDetail : t.nothingFilteredDetail,
    html.p({ class: "chips" }, chips),
    html.a({ class: "button", href: hash(["links"]) }, t.allLinks),
  );
}

/** @param {boolean} writes */
function noLinks(writes) {
  return emptyNotice(
    t.none,
    t.noneDetail,
    writes && html.p(html.a({ class: "button", href: hash(["new"]) }, t.create)),
    html.pre(
      { tabindex: 0 },
      html.code(curl("POST", "/api/v1/links", { urls: { web: "https://www.example.com/" } })),
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} search
 * @param {boolean} writes
 * @param {() => void} reload
 */
function rowKeys(place, search, writes, reload) {
  const anchors = () => [
    .../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".row-link")),
  ];
  const here = () =>
    anchors().findIndex((anchor) => anchor.closest("tr")?.contains(document.activeElement));
  const move = (by = 0) => {
    const all = anchors();
    const next = here() < 0 && by < 0 ? all.length - 1 : here() + by;
    all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
  };
  const withRow = (/** @type {(link: Link) => void} */ work) => () => {
    const row = rows[here()];
    if (row) work(row);
    else announce(t.noRow);
  };
  const keys = texts.keyboard;
  return [
    { key: "/", text: keys.search, run: () => search.querySelector("input")?.focus() },
    { key: "j", text: keys.down, run: () => move(1) },
    { key: "k", text: keys.up, run: () => move(-1) },
    { key: "y", text: keys.copy, run: withRow((link) => copy(link.smartlink)) },
    { key: "q", text: keys.code, run: withRow((link) => go(linkHash(link) + "?show=code")) },
    ...(writes
      ? [
          { key: "e", text: keys.edit, run: withRow((link) => go(linkHash(link, "edit"))) },
          {
            key: "x",
            text: keys.mark,
            run: () => {
              const box = anchors()[here()]?.parentElement?.querySelector("input");
              if (box) box.click();
              else announce(t.noRow);
            },
          },
          { key: "#", text: keys.delete, run: withRow((link) => deleteLink(link, reload)) },
        ]
      : []),
  ];
}
