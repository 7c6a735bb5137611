import { limited } from "../client/clock.js";
import { appOpening, deviceOf } from "./app-opening.js";

/** @typedef {import("../../waymark.js").OpenInAppOptions} OpenInAppOptions */
/** @typedef {import("../../waymark.js").OpenInAppOutcome} OpenInAppOutcome */
/** @typedef {import("./app-opening.js").AppOpening} AppOpening */

/** In milliseconds: how long the clipboard may delay the store. */
const clipboardTimeout = 500;

/** Ends the wait of the tap before, if there is one. */
let cancelLast = () => {};

/**
 * Opens the app by a click of the person, and the fallback if the app does not appear.
 *
 * @param {OpenInAppOptions} options
 * @returns {Promise<OpenInAppOutcome>}
 */
export async function openInApp(options) {
    const opening = appOpening(options, deviceOf(navigator), location.href);
    if (
        /** @type {{ userActivation?: { isActive: boolean } }} */ (navigator).userActivation
            ?.isActive === false
    ) {
        throw new DOMException("openInApp needs a click or a key", "NotAllowedError");
    }
    // Nothing is awaited until here: what follows needs the gesture.
    const outcome = awaitApp(opening, options.timeout);
    const link = document.createElement("a");
    link.href = opening.open;
    link.click();
    return outcome;
}

/**
 * Waits for the app after a tap. Leaving the page, hiding it or losing the focus ends the wait: the
 * app was opened, or the browser asks whether to open it, and another page would replace that
 * question.
 *
 * @param {AppOpening} opening
 * @param {number} [timeout] in milliseconds
 * @returns {Promise<OpenInAppOutcome>}
 */
export function awaitApp({ fallback, copy }, timeout = 2_500) {
    cancelLast();
    if (fallback === null) return Promise.resolve("left");
    const clipboard = copy === null ? null : promiseText(copy);
    return new Promise((resolve) => {
        const end = (/** @type {OpenInAppOutcome} */ outcome) => {
            cancelLast = () => {};
            clearTimeout(timer);
            document.removeEventListener("visibilitychange", onVisibility);
            removeEventListener("pagehide", leave);
            removeEventListener("blur", leave);
            resolve(outcome);
        };
        const drop = (/** @type {OpenInAppOutcome} */ outcome) => {
            clipboard?.drop();
            end(outcome);
        };
        const leave = () => drop("left");
        const onVisibility = () => {
            if (document.hidden) leave();
        };
        const timer = setTimeout(async () => {
            if (document.hidden) return leave();
            await clipboard?.write();
            if (document.hidden) return leave();
            end("fallback");
            location.href = fallback;
        }, timeout);
        document.addEventListener("visibilitychange", onVisibility);
        addEventListener("pagehide", leave);
        addEventListener("blur", leave);
        cancelLast = () => drop("cancelled");
    });
}

/**
 * The gesture allows a text on the clipboard, but it is wanted only if the app does not open:
 * browsers take a promise of a text, which may come later or be broken.
 *
 * @param {string} text
 */
function promiseText(text) {
    /** @type {(blob: Blob) => void} */
    let settle = () => {};
    /** @type {(reason: Error) => void} */
    let drop = () => {};
    const promised = new Promise((/** @type {(blob: Blob) => void} */ resolve, reject) => {
        [settle, drop] = [resolve, reject];
    });
    promised.catch(() => {});
    const written = (async () =>
        navigator.clipboard.write([new ClipboardItem({ "text/plain": promised })]))();
    written.catch(() => {});
    return {
        drop: () => drop(new Error("not needed")),
        // Without a clipboard the store opens without the link.
        write: () => {
            settle(new Blob([text], { type: "text/plain" }));
            return limited(() => written, clipboardTimeout).catch(() => {});
        },
    };
}
