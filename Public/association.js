// The tester of association files. The key is read from its field for every request and is never stored; the dashboard's session
// does without one.
"use strict";

const field = (id) => document.getElementById(id);
const outcome = field("outcome");

function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (className) made.className = className;
    return made;
}

const source = () => document.querySelector("input[name=source]:checked").value;

function showSource() {
    const isDocument = source() === "document";
    field("document-field").hidden = !isDocument;
    field("application-fields").hidden = isDocument;
    field("document").required = isDocument;
    field("application").required = !isDocument;
}

function subject() {
    if (source() === "document") return { document: field("document").value };
    return { application: field("application").value.trim(), kind: field("kind").value };
}

async function ask(path, body) {
    const key = field("key").value.trim();
    const answer = await fetch("/api/v1/association/" + path, {
        method: "POST",
        headers: {
            ...(key ? { "Authorization": "Bearer " + key } : { "X-Waymark-Dashboard": "1" }),
            "Content-Type": "application/json",
        },
        body: JSON.stringify(body),
        // Without a key, the session of the dashboard is asked.
        credentials: key ? "omit" : "same-origin",
    });
    const content = await answer.json();
    return answer.ok ? content : { problem: content };
}

const said = (problem) => (problem.errors ?? []).length
    ? problem.errors.map((error) => `${error.field} ${error.problem}`).join("; ")
    : problem.detail ?? problem.title;

function table(caption, heads, rows) {
    const made = element("table");
    made.append(element("caption", caption));
    const head = element("tr");
    for (const text of heads) {
        const cell = element("th", text);
        cell.scope = "col";
        head.append(cell);
    }
    const top = element("thead");
    top.append(head);
    const body = element("tbody");
    for (const { cells, className } of rows) {
        const row = element("tr", null, className);
        cells.forEach((cell, place) => {
            const made = element("td");
            made.append(cell);
            if (heads[place]) made.dataset.label = heads[place];
            row.append(made);
        });
        body.append(row);
    }
    made.append(top, body);
    return made;
}

function place(step) {
    if (step.detail === null) return "–";
    return step.component === null ? `entry ${step.detail}` : `entry ${step.detail}, rule ${step.component}`;
}

function verdict(answer) {
    if (answer.opens) return `Opens in ${answer.appID}`;
    return answer.excluded ? "Stays in the browser: a rule excludes it" : "Stays in the browser";
}

function showAnswer(url, answer) {
    const made = element("section", null, "result");
    made.append(element("h3", url));
    if (answer.problem) {
        made.append(element("p", said(answer.problem), "wrong"));
        return made;
    }
    if (answer.opens) made.classList.add("opens");
    made.append(element("p", verdict(answer), "verdict"));
    if (!answer.documented) {
        made.append(element("p",
            "This is not documented: the notes below give the readings that there are."));
    }
    if (answer.trace.length) {
        const rows = answer.trace.map((step) => ({
            cells: [place(step), step.fits ? "fits" : "does not fit", step.why],
            className: step.fits && step.detail === answer.detail && step.component === answer.component
                ? "decides"
                : null,
        }));
        made.append(table("What was looked at, in order", ["Rule", "Result", "Why"], rows));
    }
    if (answer.warnings.length) {
        const more = element("details");
        more.open = !answer.documented || !answer.opens;
        more.append(element("summary", "Keep in mind"));
        const list = element("ul");
        for (const warning of answer.warnings) list.append(element("li", warning));
        more.append(list);
        made.append(more);
    }
    return made;
}

function showReport(report) {
    const made = element("section", null, "result");
    made.append(element("h3", "The file itself"));
    if (report.problem) {
        made.append(element("p", said(report.problem), "wrong"));
        return made;
    }
    if (report.clean) made.classList.add("opens");
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    made.append(element("p", report.clean ? "Nothing is wrong with it"
        : `${count(report.errors, "error")}, ${count(report.warnings, "warning")}`, "verdict"));
    const rows = report.findings.map((finding) => {
        const what = element("div");
        what.append(element("div", finding.problem));
        if (finding.mend) what.append(element("div", finding.mend, "soft"));
        what.append(element("code", finding.code, "soft"));
        return {
            cells: [
                element("span", finding.severity, "severity " + finding.severity),
                finding.line === null ? "–" : `${finding.line}:${finding.column}`, what,
            ],
        };
    });
    if (rows.length) made.append(table("Findings", ["Kind", "Line", "What"], rows));
    return made;
}

async function test() {
    const urls = field("urls").value.split("\n").map((line) => line.trim()).filter((line) => line);
    const context = field("context").value;
    const app = field("app").value.trim();
    const results = [showReport(await ask("lint", subject()))];
    for (const url of urls) {
        const body = { ...subject(), url };
        if (context) body.context = context;
        if (app) body.app = app;
        results.push(showAnswer(url, await ask("simulate", body)));
    }
    outcome.replaceChildren(element("h2", "Results"), ...results.slice(1), results[0]);
    outcome.focus({ preventScroll: true });
    outcome.scrollIntoView({ block: "start" });
}

for (const choice of document.querySelectorAll("input[name=source]")) choice.addEventListener(
    "change", showSource);
field("test").addEventListener("submit", async (event) => {
    event.preventDefault();
    field("submit").disabled = true;
    try {
        await test();
    } catch {
        outcome.replaceChildren(element("p", "The server did not answer. Is it still running?", "wrong"));
    } finally {
        field("submit").disabled = false;
    }
});
showSource();
