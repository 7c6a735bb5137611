// The page that opens an app. Nothing happens by itself: only after a tap on the button does the page wait a
// moment, and where the app did not come to the front by then it goes to the store or the web page. On the
// way to the store the link goes to the clipboard, where the app may find it at its first start, unless the
// person has taken the tick away.
"use strict";

// In milliseconds: how long the app may take to come up, and how long the clipboard may hold up the way to
// the store.
const patience = 2500;
const clipboardPatience = 500;

// What only works with this script was hidden until now.
for (const block of document.querySelectorAll("[data-needs-script]")) block.hidden = false;

// A picture that can't be fetched leaves no gap.
for (const picture of document.querySelectorAll("img.picture, img.icon")) {
    const hide = () => { picture.hidden = true; };
    if (picture.complete && picture.naturalWidth === 0) hide();
    picture.addEventListener("error", hide);
}

// Works at once, but is being retired.
function copySelected(text) {
    const field = document.createElement("textarea");
    const focused = document.activeElement;
    field.value = text;
    field.readOnly = true;
    field.className = "offscreen";
    document.body.append(field);
    field.select();
    field.setSelectionRange(0, text.length);
    try {
        return document.execCommand("copy");
    } catch {
        return false;
    } finally {
        field.remove();
        focused?.focus?.({ preventScroll: true });
    }
}

const elapsed = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, false));

// True once the text is on the clipboard. Never fails, and never takes longer than `clipboardPatience`. Pages
// that did not come through TLS have no clipboard but the old way; browsers and people may refuse either.
async function copy(text) {
    let written = Promise.resolve(false);
    try {
        written = navigator.clipboard.writeText(text).then(() => true, () => false);
    } catch {
        // No such thing here.
    }
    return await Promise.race([written, elapsed(clipboardPatience)]) || copySelected(text);
}

for (const opening of document.querySelectorAll("[data-opening]")) {
    const open = opening.querySelector("a[data-fallback]");
    const store = opening.querySelector("a[data-copy]");
    const tick = opening.querySelector("[data-continue]");
    const mayCopy = () => store !== null && tick !== null && tick.checked;

    // The tap on the button is what the browser lets the page write for, but the link is wanted only where
    // the app stays away: browsers take a promise of the text, which may come later or be broken.
    let handOver = null;
    let timer = null;

    function promiseLink() {
        try {
            let settle = null;
            const text = new Promise((resolve, reject) => { settle = { resolve, reject }; });
            text.catch(() => {});
            const written = navigator.clipboard.write([new ClipboardItem({ "text/plain": text })])
                .then(() => true, () => false);
            handOver = { settle, written };
        } catch {
            handOver = null;
        }
    }

    function cancel() {
        clearTimeout(timer);
        timer = null;
        handOver?.settle.reject(new Error("not needed"));
        handOver = null;
    }

    async function fallBack() {
        timer = null;
        const promised = handOver;
        handOver = null;
        if (document.hidden) {
            promised?.settle.reject(new Error("not needed"));
            return;
        }
        if (mayCopy()) {
            let isCopied = false;
            if (promised) {
                promised.settle.resolve(new Blob([store.dataset.copy], { type: "text/plain" }));
                isCopied = await Promise.race([promised.written, elapsed(clipboardPatience)]);
            }
            if (!isCopied) await copy(store.dataset.copy);
        }
        if (!document.hidden) location.href = open.dataset.fallback;
    }

    open.addEventListener("click", () => {
        cancel();
        if (mayCopy()) promiseLink();
        timer = setTimeout(fallBack, patience);
    });

    // The app came to the front, or the page is being left: going anywhere now would pull the person back.
    document.addEventListener("visibilitychange", () => { if (document.hidden) cancel(); });
    addEventListener("pagehide", cancel);
    addEventListener("blur", cancel);

    store?.addEventListener("click", async (event) => {
        cancel();
        if (!mayCopy()) return;
        // A link that is opened in another tab leaves this page where it is.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
            copy(store.dataset.copy);
            return;
        }
        event.preventDefault();
        await copy(store.dataset.copy);
        location.href = store.href;
    });
}

for (const button of document.querySelectorAll("button[data-copy]")) {
    const status = button.closest("[data-needs-script]").querySelector("[role=status]");
    button.addEventListener("click", async () => {
        const isCopied = await copy(button.dataset.copy);
        status.textContent = isCopied
            ? button.dataset.copied : button.dataset.byHand.replace("{link}", () => button.dataset.copy);
        button.focus();
    });
}
