// Where a link leads a visitor, and why.
import { element, table } from "./element.js";
import { fromLocalInput } from "./formats.js";
import { fill, load, problemNotice } from "./pane.js";
import { texts } from "./texts.js";
import { explain, leadsTo, VISITORS, whoGoesWhere } from "./visitors.js";

/** @typedef {import("./model.js").Link} Link */
/** @typedef {import("./model.js").Explanation} Explanation */

const t = texts.explain;

/** @param {HTMLElement} section @param {Link} link */
export function showExplain(section, link) {
    const overview = element("div");
    const outcome = element("div", { "aria-live": "polite" });
    const agent = element("textarea", { rows: 3, spellcheck: "false", required: true }, VISITORS[0][1]);
    const sample = element("select", { change: () => { if (sample.value) agent.value = sample.value; } },
        VISITORS.map(([name, text]) => element("option", { value: text }, name)), element("option", { value: "" }, t.own));
    agent.addEventListener("input", () => { sample.value = VISITORS.find(([, text]) => text === agent.value)?.[1] ?? ""; });
    const language = element("input", { value: navigator.language, spellcheck: "false" });
    const referrer = element("input", { type: "url", placeholder: "https://news.example.com/" });
    const at = element("input", { type: "datetime-local" });
    const submit = async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        /** @type {Record<string, string>} */
        const headers = { "User-Agent": agent.value };
        if (language.value) headers["Accept-Language"] = language.value;
        if (referrer.value) headers.Referer = referrer.value;
        try {
            fill(outcome, answer(await explain(link.smartlink, headers, fromLocalInput(at.value))));
        } catch (error) {
            fill(outcome, problemNotice(error));
        }
    };
    section.replaceChildren(element("h2", { id: "explain-title" }, t.title), overview,
        element("details", {}, element("summary", {}, t.try),
            element("form", { submit }, element("label", {}, t.visitor, sample), element("label", {}, "User-Agent", agent),
                element("div", { class: "pair" }, element("label", {}, "Accept-Language", language), element("label", {}, "Referer", referrer)),
                element("label", {}, t.at, at), element("button", { type: "submit" }, t.submit)), outcome));
    load(overview, () => whoGoesWhere(link.smartlink));
}

/** @param {Explanation} found */
function answer(found) {
    const { visitor } = found;
    return [
        element("h3", {}, texts.outcomes[found.outcome] ?? found.outcome, ": ", element("span", { class: "destination" }, leadsTo(found))),
        element("p", {}, t.seenAs([visitor.platform, visitor.device, visitor.browser, visitor.bot].filter(Boolean).join(", "))),
        visitor.why.length > 0 && element("ul", {}, visitor.why.map((why) => element("li", {}, why))),
        table(t.candidates, [t.source, t.destination, t.why], found.candidates.map(({ source, url, taken, why }) => [
            taken ? element("strong", {}, "✓ ", source) : source, url ?? "–", why,
        ]), "cards"),
        element("p", { class: "soft" }, t.response(found.response.status), " ", found.click.counted ? t.counted : t.notCounted, " ", found.click.why, "."),
    ];
}
