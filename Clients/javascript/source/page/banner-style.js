// Styles of the banner. A constructed style sheet is no inline style, so a strict Content Security
// Policy allows it. Browsers without one (Safari before 16.4) get the declarations of the elements
// by the CSSOM, which it allows too. The system's colors follow light and dark mode; the accent has
// enough contrast to both.

/** @type {Record<string, string>} */
const declarations = {
    banner:
        "position:fixed;inset:auto 0 0;z-index:2147483000;box-sizing:border-box;" +
        "display:flex;align-items:center;" +
        "gap:12px;padding:10px 12px calc(10px + env(safe-area-inset-bottom));" +
        "color-scheme:light dark;background:var(--waymark-background,Canvas);" +
        "color:var(--waymark-color,CanvasText);" +
        "border-top:1px solid #8885;font:16px/1.3 system-ui,sans-serif;text-align:start",
    close:
        "flex:none;width:44px;height:44px;margin-inline:-8px -4px;padding:0;border:0;" +
        "background:none;color:inherit;" +
        "font:24px/1 system-ui,sans-serif;cursor:pointer",
    icon: "flex:none;width:48px;height:48px;border-radius:11px",
    texts: "flex:1;min-width:0;margin:0;overflow-wrap:anywhere",
    title: "display:block;font-weight:600",
    text: "display:block;font-size:14px;opacity:.75",
    button:
        "flex:none;box-sizing:border-box;min-height:44px;max-width:45%;padding:11px 18px;" +
        "border-radius:22px;background:var(--waymark-accent,#1f6feb);" +
        "color:var(--waymark-accent-text,#fff);font-weight:600;" +
        "text-decoration:none",
};

/**
 * Undefined until it is asked for; null where the browser has none.
 *
 * @type {CSSStyleSheet | null | undefined}
 */
let sheet;

function makeSheet() {
    try {
        const styles = new CSSStyleSheet();
        const rules = Object.keys(declarations).map((name) => `.${name}{${declarations[name]}}`);
        styles.replaceSync(
            rules.join("") +
                ":host([placement=inline]) .banner{position:static}:focus-visible{" +
                "outline:3px solid var(--waymark-accent,#1f6feb);outline-offset:2px}",
        );
        return styles;
    } catch {
        return null;
    }
}

/**
 * @param {ShadowRoot} root
 * @param {boolean} isInline
 */
export function applyStyle(root, isInline) {
    if (sheet === undefined) sheet = makeSheet();
    if (sheet && "adoptedStyleSheets" in root) {
        root.adoptedStyleSheets = [sheet];
        return;
    }
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (
        root.querySelectorAll("[class]")
    )) {
        element.style.cssText = declarations[element.className];
        if (isInline && element.className === "banner") element.style.position = "static";
    }
}
