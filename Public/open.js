// The page that opens an app. Nothing happens by itself: only after a tap on the button does the page wait a moment,
// and where the app did not come to the front by then it goes to the store or the web page. Only after a tap on the other
// button does the link go to the clipboard, where the app may find it at its first start.
"use strict";

const patience = 2500;

let timer = null;

function cancel() {
    clearTimeout(timer);
    timer = null;
}

for (const button of document.querySelectorAll("a[data-fallback]")) {
    button.addEventListener("click", () => {
        cancel();
        timer = setTimeout(() => {
            timer = null;
            if (!document.hidden) location.href = button.dataset.fallback;
        }, patience);
    });
}

// The app came to the front, or the page is being left: going anywhere now would pull the person back.
document.addEventListener("visibilitychange", () => {
    if (document.hidden) cancel();
});
addEventListener("pagehide", cancel);
addEventListener("blur", cancel);

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Pages that did not come through TLS have no clipboard, and a person may refuse it.
        return copySelected(text);
    }
}

function copySelected(text) {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    document.body.append(field);
    field.select();
    try {
        return document.execCommand("copy");
    } catch {
        return false;
    } finally {
        field.remove();
    }
}

for (const block of document.querySelectorAll("[data-handover]")) {
    const button = block.querySelector("button[data-copy]");
    const status = block.querySelector("[role=status]");
    button.addEventListener("click", async () => {
        const isCopied = await copy(button.dataset.copy);
        status.textContent = isCopied ? (block.dataset.copied ?? "Copied. Now get the app.") : `Copy this yourself: ${button.dataset.copy}`;
        button.focus();
    });
    block.hidden = false;
}
