// The list of links: search, filters, pages, and keys for its rows.
import { currentAddress, go, hash, hashWith, linkHash, refine } from "../frame/address.js";
import { setPageShortcuts } from "../frame/keyboard.js";
import { may } from "../frame/session.js";
import { isDeleted } from "../frame/undo.js";
import { announce } from "../shared/announcement.js";
import { get, withQuery } from "../shared/api.js";
import { copy } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, html, table } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { formatCount, timeElement } from "../shared/formats.js";
import { addressButton, destinationOf, stateBadge } from "../shared/link-parts.js";
import { emptyNotice, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { bulkForm } from "./bulk.js";
import { deleteLink } from "./deletion.js";
import { asWritten, filters, filterTexts, moreFilters, suggest } from "./list-filters.js";

/**
 * The page while it is shown.
 *
 * @typedef {object} ListPage
 * @property {Session} session
 * @property {boolean} writes  whether the key may change links
 * @property {HTMLElement} section  where the list is
 * @property {Link[]} rows
 * @property {() => void} reload
 */

const listTexts = texts.links;
/** Milliseconds without typing after which the list is filtered. */
const PAUSE = 250;
/** Pages that a search may leave empty before it is shown as one that goes on. */
const EMPTY_PAGES = 10;

/** @type {ShowPage} */
export function show(main, session) {
  const writes = may(session, "links");
  if (writes) {
    main.firstElementChild?.append(anchor(hash(["new"]), listTexts.create, { class: "button" }));
  }
  const section = html.section({ "aria-label": texts.pages.links });
  const command = html.div();
  const reload = () => {
    load(section, () => content(page));
    command.replaceChildren(sameByAPI(curl("GET", target())));
  };
  /** @type {ListPage} */
  const page = { session, writes, section, rows: [], reload };
  const search = filterForm(page);
  main.append(search, section, command);
  if (currentAddress().query.get("focus") === "search") {
    refine({ focus: null });
    search.querySelector("input")?.focus();
  }
  setPageShortcuts(shortcuts(page, search));
  reload();
}

/** The request of the list, from the cursor in the address on, or from another one. */
function target(cursor = currentAddress().query.get("cursor")) {
  return withQuery("/api/v1/links", { ...filters(), cursor, count: "true" });
}

/** @param {ListPage} page */
function filterForm({ session, reload }) {
  const { query } = currentAddress();
  let timer = 0;
  const apply = () => {
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
        apply();
      },
      input: () => {
        clearTimeout(timer);
        timer = window.setTimeout(apply, PAUSE);
      },
    },
    field(
      listTexts.search,
      input("search", query.get("search") ?? "", { type: "search", maxlength: 2048 }),
    ),
    field(
      listTexts.state,
      select(
        "state",
        [["", listTexts.anyState], ...Object.entries(texts.states)],
        query.get("state") ?? "",
      ),
    ),
    field(
      listTexts.sort,
      select(
        "sort",
        Object.entries(texts.sorts).map(([name, text]) => [
          name === "-createdAt" ? "" : name,
          text,
        ]),
        query.get("sort") ?? "",
      ),
    ),
    moreFilters(session),
  );
  return form;
}

/**
 * The first part of the list that has links: a search may find none in many of them.
 *
 * @returns {Promise<LinkList>}
 */
async function fetchLinks() {
  let list = await get(target());
  for (let asked = 1; asked < EMPTY_PAGES && !list.links.length && list.cursor; asked += 1) {
    list = await get(target(list.cursor));
  }
  return list;
}

/** @param {ListPage} page */
async function content(page) {
  const { links, cursor, total, totalIsLowerBound } = await fetchLinks();
  page.rows = links.filter((link) => !isDeleted(link));
  suggest(links);
  const { query } = currentAddress();
  const { writes } = page;
  const isFiltered = Object.keys(filters()).some((name) => name !== "sort");
  const marked = html.div({ class: "marked", hidden: true });
  if (!links.length && !cursor) {
    return isFiltered || query.get("cursor") ? nothingFound() : noLinks(writes);
  }
  const mark = () => showBulk(page, marked, all, total);
  const all = html.input({
    type: "checkbox",
    class: "mark",
    "aria-label": listTexts.selectAll,
    title: listTexts.selectAll,
    change: () => {
      for (const box of boxes(page)) box.checked = all.checked;
      mark();
    },
  });
  return [
    marked,
    links.length > 0 &&
      table(
        total === undefined
          ? listTexts.caption
          : formatText(totalIsLowerBound ? listTexts.atLeast : listTexts.total, formatCount(total)),
        [
          writes ? [all, " ", listTexts.link] : listTexts.link,
          listTexts.destination,
          listTexts.state,
          listTexts.clicks,
          listTexts.created,
          listTexts.actions,
        ],
        page.rows.map((link) => cells(page, link, mark)),
        "list cards",
      ),
    links.length === 0 && emptyNotice(listTexts.goesOn, listTexts.goesOnDetail),
    html.nav(
      { class: "pages", "aria-label": listTexts.pages },
      query.get("cursor") && anchor(hashWith({ cursor: null }), listTexts.firstPage),
      cursor && anchor(hashWith({ cursor }), links.length ? listTexts.nextPage : listTexts.goOn),
    ),
  ];
}

/**
 * @param {ListPage} page
 * @param {Link} link
 * @param {() => void} mark  after its box was ticked
 */
function cells({ writes, reload }, link, mark) {
  return [
    html.div(
      writes &&
        html.input({
          type: "checkbox",
          class: "mark",
          value: `${link.domain}/${link.slug}`,
          "aria-label": formatText(listTexts.select, link.slug),
          change: mark,
        }),
      " ",
      anchor(linkHash(link), link.title ?? link.slug, { class: "row-link" }),
      " ",
      addressButton(link),
      link.tags.length > 0 &&
        html.div(
          link.tags.map((tag) =>
            html.a({ class: "tag", href: hashWith({ tag, cursor: null }) }, tag),
          ),
        ),
    ),
    html.span({ class: "destination" }, destinationOf(link)),
    stateBadge(link.state),
    html.span({ class: "number" }, formatCount(link.clicks)),
    timeElement(link.createdAt),
    html.div(
      { class: "row-buttons" },
      writes &&
        html.a(
          { href: linkHash(link, "edit"), "aria-label": formatText(listTexts.editOf, link.slug) },
          texts.edit,
        ),
      writes &&
        button(texts.delete, () => deleteLink(link, reload), {
          "aria-label": formatText(listTexts.deleteOf, link.slug),
        }),
    ),
  ];
}

/**
 * Those of the rows.
 *
 * @param {ListPage} page
 */
const boxes = ({ section }) =>
  /** @type {HTMLInputElement[]} */ ([...section.querySelectorAll("tbody input.mark")]);

/**
 * The form for what is selected.
 *
 * @param {ListPage} page
 * @param {HTMLElement} container
 * @param {HTMLInputElement} head  the box for the whole page
 * @param {number | undefined} total
 */
function showBulk(page, container, head, total) {
  const all = boxes(page);
  const names = all.filter((box) => box.checked).map((box) => box.value);
  head.checked = names.length > 0 && names.length === all.length;
  head.indeterminate = names.length > 0 && !head.checked;
  container.hidden = !names.length;
  if (!names.length) return;
  const { sort, ...conditions } = filters();
  const counted = formatText(texts.bulk.count, formatCount(names.length));
  const status = html.strong({ role: "status" }, counted);
  const everything = html.input({
    type: "checkbox",
    change: () => {
      status.textContent = everything.checked ? texts.bulk.whole : counted;
    },
  });
  container.replaceChildren(
    html.section(
      { class: "panel", "aria-label": texts.bulk.label },
      status,
      Object.keys(conditions).length > 0 &&
        html.label(
          { class: "choice" },
          everything,
          total === undefined ? texts.bulk.all : formatText(texts.bulk.allOf, formatCount(total)),
        ),
      bulkForm(() => (everything.checked ? conditions : { links: names }), page.reload),
    ),
  );
}

/** What is said where filters leave no link; each filter can be taken away. */
async function nothingFound() {
  const set = await filterTexts();
  const chips = set.map(({ name, text }) =>
    html.a(
      {
        class: "tag",
        href: hashWith({ [name]: null, cursor: null }),
        "aria-label": formatText(texts.clicks.withoutFilter, text),
      },
      text,
      " ×",
    ),
  );
  const searches = set.some(({ name }) => name === "search");
  return emptyNotice(
    set.length > 1 ? listTexts.nothingFoundAll : listTexts.nothingFound,
    searches ? listTexts.nothingFoundDetail : listTexts.nothingFilteredDetail,
    html.p({ class: "chips" }, chips),
    html.a({ class: "button", href: hash(["links"]) }, listTexts.allLinks),
  );
}

/** @param {boolean} writes  whether the key may make one */
function noLinks(writes) {
  return emptyNotice(
    listTexts.none,
    listTexts.noneDetail,
    writes && html.p(html.a({ class: "button", href: hash(["new"]) }, listTexts.create)),
    html.pre(
      { tabindex: 0 },
      html.code(curl("POST", "/api/v1/links", { urls: { web: "https://www.example.com/" } })),
    ),
  );
}

/**
 * @param {ListPage} page
 * @param {HTMLElement} search
 */
function shortcuts(page, search) {
  const anchors = () =>
    /** @type {HTMLElement[]} */ ([...page.section.querySelectorAll(".row-link")]);
  /** The row that has the focus; -1 where none has. */
  const focusedRow = () =>
    anchors().findIndex((anchor) => anchor.closest("tr")?.contains(document.activeElement));
  /** @param {1 | -1} step */
  const move = (step) => {
    const rows = anchors();
    const focused = focusedRow();
    const next = focused < 0 && step < 0 ? rows.length - 1 : focused + step;
    rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
  };
  /**
   * @param {(link: Link) => void} work
   * @returns {() => void}
   */
  const withRow = (work) => () => {
    const link = page.rows[focusedRow()];
    if (link) work(link);
    else announce(listTexts.noRow);
  };
  const mark = () => {
    const box = anchors()[focusedRow()]?.parentElement?.querySelector("input");
    if (box) box.click();
    else announce(listTexts.noRow);
  };
  const shortcutTexts = texts.keyboard;
  const reading = [
    { key: "/", text: shortcutTexts.search, run: () => search.querySelector("input")?.focus() },
    { key: "j", text: shortcutTexts.down, run: () => move(1) },
    { key: "k", text: shortcutTexts.up, run: () => move(-1) },
    { key: "y", text: shortcutTexts.copy, run: withRow((link) => copy(link.smartlink)) },
    {
      key: "q",
      text: shortcutTexts.code,
      run: withRow((link) => go(`${linkHash(link)}?show=code`)),
    },
  ];
  const writing = [
    { key: "e", text: shortcutTexts.edit, run: withRow((link) => go(linkHash(link, "edit"))) },
    { key: "x", text: shortcutTexts.mark, run: mark },
    {
      key: "#",
      text: shortcutTexts.delete,
      run: withRow((link) => deleteLink(link, page.reload)),
    },
  ];
  return page.writes ? [...reading, ...writing] : reading;
}
