// The page that opens an app. Nothing happens by itself: only after a tap on the button does the page wait a moment,
// and where the app did not come to the front by then it goes to the store or the web page.
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
