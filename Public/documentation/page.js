// The search of the documentation. The index is loaded when somebody begins to type.
import { search } from "./search.js";

/** @type {Record<string, {search: string, none: string, found: string, contents: string}>} */
const TEXTS = {
  en: {
    search: "Search the documentation",
    none: "Nothing found",
    found: "Sections found:",
    contents: "On this page",
  },
  de: {
    search: "Dokumentation durchsuchen",
    none: "Nichts gefunden",
    found: "Gefundene Abschnitte:",
    contents: "Auf dieser Seite",
  },
  fr: {
    search: "Rechercher dans la documentation",
    none: "Aucun résultat",
    found: "Sections trouvées\u202f:",
    contents: "Sur cette page",
  },
  es: {
    search: "Buscar en la documentación",
    none: "Sin resultados",
    found: "Secciones encontradas:",
    contents: "En esta página",
  },
  ja: {
    search: "ドキュメントを検索",
    none: "見つかりませんでした",
    found: "見つかった項目：",
    contents: "このページの内容",
  },
};

const language = navigator.languages.map((tag) => tag.split("-")[0]).find((tag) => tag in TEXTS);
const texts = TEXTS[language ?? "en"];

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const field = /** @type {HTMLInputElement} */ (element("question"));
const results = element("results");
const outcome = element("outcome");

/** @type {Promise<import("./search.js").Section[]> | undefined} */
let index;

function loadIndex() {
  index ??= fetch("/_/docs/search.json").then((response) => response.json());
  index.catch(() => {
    index = undefined;
  });
  return index;
}

async function show() {
  const question = field.value;
  const sections = question.trim() ? await loadIndex() : [];
  // Something else was typed meanwhile.
  if (field.value !== question) return;
  const found = search(sections, question);
  results.replaceChildren(
    ...found.map(({ page, title, heading, anchor, start }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `/_/docs/${page}${anchor && `#${anchor}`}`;
      link.textContent = heading === title ? title : `${title}: ${heading}`;
      const text = document.createElement("small");
      text.textContent = start;
      item.append(link, text);
      return item;
    }),
  );
  outcome.textContent = found.length
    ? `${texts.found} ${found.length}`
    : question.trim() && texts.none;
}

document.documentElement.dataset.language = language ?? "en";
for (const named of document.querySelectorAll("[data-text]")) {
  const name = /** @type {HTMLElement} */ (named).dataset.text;
  const text = name === "contents" ? texts.contents : texts.search;
  if (named === field) field.placeholder = text;
  else named.textContent = text;
  named.setAttribute("lang", language ?? "en");
}
field.setAttribute("aria-label", texts.search);
field.addEventListener("input", show);
field.addEventListener("focus", loadIndex);
field.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === field) return;
  event.preventDefault();
  field.focus();
});
