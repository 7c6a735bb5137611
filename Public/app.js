// The start page: makes a link with a key that is pasted in. The key is read from its field when the form is sent and
// is never stored, neither by this script nor by the browser's form memory.
"use strict";

const field = (id) => document.getElementById(id);
const outcome = field("outcome");

field("server").textContent = location.origin;

function body() {
    const urls = {};
    for (const platform of ["web", "ios", "android"]) {
        const url = field(platform).value.trim();
        if (url) urls[platform] = url;
    }
    const app = field("app").value.trim();
    return app ? { app, urls } : { urls };
}

// A text as one word of a shell.
const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

function command(path, content) {
    return `curl -s ${quoted(location.origin + path)} \\\n  -H "Authorization: Bearer $WAYMARK_KEY" \\\n` +
        `  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(content))}`;
}

function showCommands(smartlink) {
    field("command").textContent = command("/api/v1/links", body());
    field("resolve").textContent = command("/api/v1/resolve", {
        smartlink: smartlink ?? location.origin + "/SLUG", platform: "ios",
    });
}

function element(name, text, className) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
}

// Moves focus to the result, so that keyboard and screen-reader users continue there.
function show(...content) {
    outcome.replaceChildren(...content);
    outcome.focus();
}

function showLink(link) {
    const anchor = element("a", link.smartlink);
    anchor.href = link.smartlink;
    const line = element("p", "Your link: ");
    line.append(anchor);
    show(line, element("pre", JSON.stringify(link, null, 2)));
    showCommands(link.smartlink);
}

function showProblem(problem) {
    const list = element("ul");
    for (const error of problem.errors ?? []) list.append(element("li", `${error.field} ${error.problem}`));
    show(element("p", problem.detail ?? problem.title, "wrong"), list);
}

async function make() {
    const answer = await fetch("/api/v1/links", {
        method: "POST",
        headers: { "Authorization": "Bearer " + field("key").value.trim(), "Content-Type": "application/json" },
        body: JSON.stringify(body()),
        credentials: "omit",
    });
    const content = await answer.json();
    if (answer.ok) showLink(content); else showProblem(content);
}

field("make").addEventListener("input", () => showCommands());
field("make").addEventListener("submit", async (event) => {
    event.preventDefault();
    field("submit").disabled = true;
    try {
        await make();
    } catch {
        showProblem({ detail: "The server didn’t respond. Is it still running?" });
    } finally {
        field("submit").disabled = false;
    }
});
showCommands();
