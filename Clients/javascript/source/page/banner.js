import { appOpening, deviceOf } from "./app-opening.js";
import { applyStyle } from "./banner-style.js";
import { awaitApp } from "./open-in-app.js";

/** @typedef {import("./app-opening.js").AppOpening} AppOpening */

/** The others are read when one of these changes. */
const attributes = [
    "href",
    "app-name",
    "text",
    "icon",
    "button",
    "deeplink",
    "android-package",
    "store-ios",
    "store-android",
];
const day = 86_400_000;

/** One for the origin: a page for each product has a smart link of its own. */
const dismissalKey = "waymark.banner";

/** Whether the banner was closed on this page, for browsers that store nothing. */
let isDismissed = false;

/** Servers and React Native have no elements; importing the module must work there. */
const Base =
    typeof HTMLElement === "function"
        ? HTMLElement
        : /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/** A banner for phones and tablets that leads to the app. */
export class WaymarkBanner extends Base {
    static get observedAttributes() {
        return attributes;
    }

    connectedCallback() {
        this.render();
    }

    attributeChangedCallback() {
        if (this.isConnected) this.render();
    }

    dismiss() {
        isDismissed = true;
        try {
            localStorage.setItem(dismissalKey, String(Date.now()));
        } catch {
            // It is hidden on this page only.
        }
        this.render();
        this.report("dismiss");
    }

    /** @param {string} name */
    report(name) {
        this.dispatchEvent(new CustomEvent("waymark-" + name, { bubbles: true }));
    }

    render() {
        const root = this.shadowRoot || this.attachShadow({ mode: "open" });
        const opening = this.opening();
        if (opening === null || !this.isWanted()) {
            root.replaceChildren();
            return;
        }
        const close = element("button", "close", "×");
        close.setAttribute("aria-label", attribute(this, "dismiss-label") || "Close");
        close.onclick = () => this.dismiss();

        const icon = element("img", "icon");
        icon.alt = "";
        icon.onerror = () => icon.remove();
        icon.src = attribute(this, "icon") || "";

        const title = attribute(this, "app-name");
        const texts = element("p", "texts");
        texts.append(
            element("span", "title", title),
            element("span", "text", attribute(this, "text")),
        );

        const link = element("a", "button", attribute(this, "button") || "Open");
        link.href = opening.open;
        link.onclick = (event) => {
            if (!(event.metaKey || event.ctrlKey || event.shiftKey)) void awaitApp(opening);
            this.report("open");
        };

        const banner = element("div", "banner");
        banner.setAttribute("role", "region");
        banner.setAttribute("aria-label", title || link.textContent || "");
        banner.onkeydown = (event) => {
            if (event.key === "Escape") this.dismiss();
        };
        banner.append(close, ...(attribute(this, "icon") ? [icon] : []), texts, link);
        root.replaceChildren(banner);
        applyStyle(root, attribute(this, "placement") === "inline");
    }

    /**
     * What the button does; null if an attribute is no URL to open.
     *
     * @returns {AppOpening | null}
     */
    opening() {
        try {
            return appOpening(
                {
                    url: new URL(attribute(this, "href") || "", document.baseURI).href,
                    deeplink: attribute(this, "deeplink"),
                    androidPackage: attribute(this, "android-package"),
                    store: {
                        ios: attribute(this, "store-ios"),
                        android: attribute(this, "store-android"),
                    },
                },
                deviceOf(navigator),
                location.href,
            );
        } catch {
            return null;
        }
    }

    /** False on computers, inside the app and after a dismissal. */
    isWanted() {
        const device = deviceOf(navigator);
        if (!attribute(this, "href") || device === "other") return false;
        const agent = navigator.userAgent;
        const appAgent = attribute(this, "app-agent");
        if (appAgent && agent.includes(appAgent)) return false;
        // A page on the home screen, and a page in a React Native app.
        const isApp =
            "ReactNativeWebView" in window || matchMedia("(display-mode: standalone)").matches;
        // Safari alone shows Apple's own banner.
        const isSafari =
            device === "ios" && /^(?!.*(CriOS|FxiOS|EdgiOS|OPT\/)).*Safari\//.test(agent);
        const hasAppleBanner = isSafari && document.querySelector("meta[name=apple-itunes-app]");
        return !isApp && !hasAppleBanner && !this.wasDismissed();
    }

    wasDismissed() {
        if (isDismissed) return true;
        const days = Number(attribute(this, "dismiss-days") || 30);
        try {
            const age = Date.now() - Number(localStorage.getItem(dismissalKey) ?? NaN);
            // A dismissal from the future, after the clock was set back, counts for nothing.
            return age >= 0 && age < days * day;
        } catch {
            return false;
        }
    }
}

/**
 * Undefined if the element has no such attribute, or an empty one.
 *
 * @param {HTMLElement} element
 * @param {string} name
 */
function attribute(element, name) {
    return element.getAttribute(name) || undefined;
}

/**
 * Text only: nothing that is given becomes markup.
 *
 * @template {"a" | "button" | "div" | "img" | "p" | "span"} Name
 * @param {Name} name
 * @param {string} part its class, and its name for `::part`
 * @param {string} [text]
 */
function element(name, part, text) {
    const created = document.createElement(name);
    created.className = part;
    created.part.value = part;
    if (text !== undefined) created.textContent = text;
    return created;
}

if (typeof customElements === "object" && !customElements.get("waymark-banner")) {
    customElements.define("waymark-banner", WaymarkBanner);
}
