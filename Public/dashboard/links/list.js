// The list of links: search, filters, pages, and keys for its rows.
import { currentAddress, go, hash, hashWith, linkHash, refine } from "../frame/address.js";
import { setPageShortcuts } from "../frame/keyboard.js";
import { may } from "../frame/session.js";
import { isDeleted } from "../frame/undo.js";
import { announce } from "../shared/announcement.js";
import { get, withQuery } from "../shared/api.js";
import { copy } from "../shared/clipboard.js";
import { curl, sameByAPI } from "../shared/command.js";
import { anchor, button, find, html, table } from "../shared/element.js";
import { field, input, select, values } from "../shared/fields.js";
import { formatCount, pluralText } from "../shared/formats.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice, fill, load } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";
import { bulkBar } from "./list/bulk.js";
import { deleteLink } from "./deletion.js";
import { copyHash, manyHash } from "./form/body.js";
import { filterAdder, filterChips } from "./list/chips.js";
import { asWritten, filters, moreFilters, suggest } from "./list/filters.js";
import { linkRow } from "./list/row.js";
import { viewChoice } from "./list/views.js";
import { clearSelection, keepSelection, selected } from "./list/selection.js";
import "./styles.js";

/**
 * The page while it is shown.
 *
 * @typedef {object} ListPage
 * @property {Session} session
 * @property {boolean} writes  whether the key may change links
 * @property {HTMLElement} section  where the list is
 * @property {Link[]} rows
 * @property {() => Promise<void>} reload
 * @property {() => void} extend  selects the rows from the last one that was ticked
 *
 * @typedef {{cursor: string | null, limit?: string}} Part  one request of several for a page
 */

const listTexts = pageTexts.list;
/** How each column is sorted by an order. */
const ORDERS = /** @type {Record<string, Record<string, string>>} */ ({
  4: { "-clicks": "descending" },
  6: { "": "descending", createdAt: "ascending" },
});
/** Milliseconds without typing after which the list is filtered. */
const PAUSE = 250;
/** Links of a page. */
const PAGE = 50;
/** Requests for a page, each of which may find few links or none, before it is shown as it is. */
const REQUESTS = 10;

/** @type {ShowPage} */
export function show(main, session) {
  const writes = may(session, "links");
  if (writes) {
    main.firstElementChild?.append(
      html.div(
        { class: "buttons" },
        anchor(manyHash(), pageTexts.many.open, { class: "button quiet" }),
        anchor(hash(["new"]), texts.links.create, { class: "button" }),
      ),
    );
  }
  const section = html.section({ "aria-label": texts.pages.links });
  const command = html.div();
  const chips = html.div({ class: "chips" });
  const views = viewChoice();
  const reload = async () => {
    views.show();
    filterChips().then((content) => fill(chips, content));
    command.replaceChildren(sameByAPI(curl("GET", target())));
    await load(section, () => content(page));
  };
  /** @type {ListPage} */
  const page = { session, writes, section, rows: [], reload, extend: () => {} };
  const search = filterForm(page, views.element);
  main.append(search, chips, section, command);
  if (currentAddress().query.get("focus") === "search") {
    refine({ focus: null });
    search.querySelector("input")?.focus();
  }
  setPageShortcuts(shortcuts(page, search));
  reload();
}

/** The request of the list, from the cursor in the address on. */
function target() {
  const cursor = currentAddress().query.get("cursor");
  return withQuery("/api/v1/links", { ...filters(), cursor, count: "true" });
}

/**
 * @param {ListPage} page
 * @param {HTMLElement} views
 */
function filterForm({ session, reload }, views) {
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
      texts.links.state,
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
    filterAdder(session),
    views,
    moreFilters(session),
  );
  return form;
}

/**
 * A page of the list, and the requests that it came by. Filters that no index answers find its
 * links in parts; all are counted once, which may take longer than all parts.
 *
 * @returns {Promise<LinkList & {parts: Part[]}>}
 */
async function fetchLinks() {
  /** @type {Part[]} */
  const parts = [{ cursor: currentAddress().query.get("cursor") }];
  /** @type {LinkList} */
  const list = await get(target());
  while (parts.length < REQUESTS && list.links.length < PAGE && list.cursor) {
    const part = { cursor: list.cursor, limit: String(PAGE - list.links.length) };
    parts.push(part);
    const more = await get(withQuery("/api/v1/links", { ...filters(), ...part }));
    list.links.push(...more.links);
    list.cursor = more.cursor;
  }
  return { ...list, parts };
}

/**
 * Loads the clicks after the list, so that the list appears first.
 *
 * @param {HTMLElement} list
 * @param {Link[]} links
 * @param {Part[]} parts
 */
async function addRecentClicks(list, links, parts) {
  const cells = [...list.querySelectorAll(".recent")];
  const module = await import("./list/recent-clicks.js").catch(() => undefined);
  if (!module) return cells.forEach((cell) => cell.classList.remove("waiting"));
  const include = "recentClicks";
  const targets = parts.map((part) =>
    withQuery("/api/v1/links", { ...filters(), ...part, include }),
  );
  await module.showRecentClicks(cells, links, targets);
}

/** @param {ListPage} page */
async function content(page) {
  const { links, cursor, total, totalIsLowerBound, parts } = await fetchLinks();
  page.rows = links.filter((link) => !isDeleted(link));
  suggest(links);
  const { query } = currentAddress();
  const { sort, ...conditions } = filters();
  keepSelection(conditions);
  if (!links.length && !cursor) {
    return Object.keys(conditions).length > 0 || query.get("cursor")
      ? nothingFound()
      : noLinks(page.writes);
  }
  const selection = page.writes
    ? selectionParts(page, conditions, totalIsLowerBound ? undefined : total)
    : null;
  const list = links.length > 0 && linkTable(page, total, totalIsLowerBound, selection);
  if (list) addRecentClicks(list, page.rows, parts);
  return [
    list,
    links.length === 0 && emptyNotice(listTexts.goesOn, listTexts.goesOnDetail),
    html.nav(
      { class: "pages", "aria-label": texts.links.pages },
      query.get("cursor") && anchor(hashWith({ cursor: null }), listTexts.firstPage),
      cursor && anchor(hashWith({ cursor }), links.length ? listTexts.nextPage : listTexts.goOn),
      links.length > 0 && button(listTexts.csv, save, { class: "quiet small apart-end" }),
    ),
    selection?.bar,
  ];
}

/**
 * @param {ListPage} page
 * @param {number | undefined} total
 * @param {boolean | undefined} isLowerBound
 * @param {ReturnType<typeof selectionParts> | null} selection
 */
function linkTable(page, total, isLowerBound, selection) {
  const list = table(
    total === undefined
      ? listTexts.caption
      : formatText(isLowerBound ? listTexts.atLeast : listTexts.total, formatCount(total)),
    [
      selection ? html.div({ class: "who-row" }, selection.head, listTexts.link) : listTexts.link,
      listTexts.title,
      listTexts.destination,
      texts.links.state,
      sortHead(page, texts.links.clicks, "-clicks", ""),
      html.span({ title: listTexts.recentDetail }, listTexts.recent),
      sortHead(page, texts.links.created, "", "createdAt"),
      html.span({ class: "unseen" }, texts.links.actions),
    ],
    page.rows.map((link, index) => linkRow(link, selection && selection.boxes[index])),
    "list cards links",
  );
  for (const [column, orders] of Object.entries(ORDERS)) {
    const order = orders[currentAddress().query.get("sort") ?? ""];
    if (order) list.querySelectorAll("th")[Number(column)].setAttribute("aria-sort", order);
  }
  return list;
}

/** @param {{target: HTMLButtonElement}} event */
async function save({ target: pressed }) {
  pressed.disabled = true;
  try {
    const { saveList } = await import("./list/csv.js");
    const { count, hasMore } = await saveList(filters());
    const text = hasMore ? listTexts.savedFirst : listTexts.saved;
    announce(formatText(text, pluralText(pageTexts.bulk.links, count)));
  } catch (error) {
    announce(error instanceof Error ? error.message : String(error));
  } finally {
    pressed.disabled = false;
  }
}

/**
 * The head of a column by which the list can be sorted.
 *
 * @param {ListPage} page
 * @param {string} text
 * @param {string} first  the order that a press sets
 * @param {string} other  that another press sets
 */
function sortHead(page, text, first, other) {
  const sort = currentAddress().query.get("sort") ?? "";
  const isFirst = sort === first;
  const arrow = isFirst ? "↓" : sort === other && other ? "↑" : "";
  const name = `sort-by-${first}`;
  const press = async () => {
    const next = isFirst ? other : first;
    refine({ sort: next, cursor: null });
    const choice = /** @type {HTMLSelectElement | null} */ (find("select[name=sort]"));
    if (choice) choice.value = next;
    await page.reload();
    find(`[name="${name}"]`)?.focus();
  };
  return button([text, html.span({ "aria-hidden": true }, ` ${arrow}`)], press, {
    class: "plain sort",
    name,
  });
}

/**
 * The boxes of the rows, the one for all of them, and the bar for what is selected.
 *
 * @param {ListPage} page
 * @param {Record<string, string>} conditions
 * @param {number} [total]
 */
function selectionParts(page, conditions, total) {
  /** The row that was ticked last: a range begins there. */
  let last = -1;
  const names = page.rows.map(({ domain, slug }) => `${domain}/${slug}`);
  /**
   * @param {number} index
   * @param {boolean} isSelected
   */
  const set = (index, isSelected) => {
    // From all that match, one is taken away: those of this page remain.
    if (selected.isAll && !isSelected) {
      clearSelection();
      names.forEach((name, at) => selected.names.set(name, page.rows[at]));
    }
    if (isSelected) selected.names.set(names[index], page.rows[index]);
    else selected.names.delete(names[index]);
  };
  /**
   * @param {number} index
   * @param {boolean} isRange  whether all rows from the last one on are meant
   */
  const mark = (index, isRange) => {
    const from = isRange && last >= 0 ? last : index;
    const isSelected = boxes[index].checked;
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) set(at, isSelected);
    last = index;
    showBoxes();
    show();
  };
  const boxes = page.rows.map(({ slug }, index) =>
    html.input({
      type: "checkbox",
      class: "mark",
      value: names[index],
      "aria-label": formatText(listTexts.select, slug),
      click: (event) => mark(index, event.shiftKey),
    }),
  );
  const head = html.input({
    type: "checkbox",
    class: "mark",
    "aria-label": listTexts.selectAll,
    title: listTexts.selectAll,
    change: () => {
      const isSelected = head.checked;
      if (!isSelected && selected.isAll) clearSelection();
      else for (const index of names.keys()) set(index, isSelected);
      showBoxes();
      show();
    },
  });
  const showBoxes = () => {
    boxes.forEach((box, index) => {
      box.checked = selected.isAll || selected.names.has(names[index]);
    });
    const ticked = boxes.filter(({ checked }) => checked).length;
    head.checked = ticked > 0 && ticked === boxes.length;
    head.indeterminate = ticked > 0 && !head.checked;
  };
  const { bar, show } = bulkBar({ conditions, total, showBoxes, reload: page.reload });
  page.extend = () => {
    const row = boxes.findIndex((box) => box.closest("tr")?.contains(document.activeElement));
    if (row < 0) return;
    boxes[row].checked = true;
    mark(row, true);
  };
  showBoxes();
  show();
  return { boxes, head, bar };
}

/** What is said where filters leave no link. */
function nothingFound() {
  const { sort, ...set } = filters();
  return emptyNotice(
    Object.keys(set).length > 1 ? listTexts.nothingFoundAll : listTexts.nothingFound,
    set.search ? listTexts.nothingFoundDetail : listTexts.nothingFilteredDetail,
    html.a({ class: "button", href: hash(["links"]) }, listTexts.showAll),
  );
}

/** @param {boolean} writes  whether the key may make one */
function noLinks(writes) {
  return emptyNotice(
    listTexts.none,
    listTexts.noneDetail,
    writes && html.p(html.a({ class: "button", href: hash(["new"]) }, texts.links.create)),
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
  const shortcutTexts = pageTexts.keyboard;
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
    { key: "d", text: pageTexts.link.duplicate, run: withRow((link) => go(copyHash(link))) },
    { key: "x", text: shortcutTexts.mark, run: mark },
    { key: "X", text: listTexts.range, run: () => page.extend() },
    {
      key: "#",
      text: shortcutTexts.delete,
      run: withRow((link) =>
        deleteLink(link, () => {
          selected.names.delete(`${link.domain}/${link.slug}`);
          page.reload();
        }),
      ),
    },
  ];
  return page.writes ? [...reading, ...writing] : reading;
}
