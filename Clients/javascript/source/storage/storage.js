/** @typedef {import("../../waymark.js").ClientStorage} ClientStorage */
/** @typedef {import("../../waymark.js").ItemStorage} ItemStorage */

/** @returns {ClientStorage} a storage that keeps everything in memory only */
export function memoryStorage() {
    /** @type {Map<string, string>} */
    const values = new Map();
    return {
        get: (name) => values.get(name),
        set: (name, text) => {
            values.set(name, text);
        },
    };
}

/**
 * A storage with `getItem`, `setItem` and `removeItem`: React Native's AsyncStorage, or a
 * synchronous one with the same functions.
 *
 * @param {ItemStorage} items
 * @param {string} [prefix]
 * @returns {ClientStorage}
 */
export function itemStorage(items, prefix = "waymark.") {
    return {
        get: (name) => items.getItem(prefix + name),
        set: (name, text) => items.setItem(prefix + name, text),
    };
}

/**
 * The browser's `localStorage`, shared with the origin's other tabs. It may be missing, full, or
 * throw at any use.
 *
 * @param {string} [prefix]
 * @returns {ClientStorage}
 */
export function browserStorage(prefix = "waymark.") {
    const items = () => globalThis.localStorage;
    return {
        isShared: true,
        get: (name) => items().getItem(prefix + name),
        set: (name, text) => items().setItem(prefix + name, text),
        remove: (name) => items().removeItem(prefix + name),
        // Keys of others become names that nobody uses.
        keys: () => Object.keys(items()).map((key) => key.replace(prefix, "")),
        lock: (name, body) => withLock(prefix + name, body),
    };
}

/**
 * Runs the body while no other tab runs one of this name, if the browser has locks (secure contexts
 * only).
 *
 * @template Result
 * @param {string} name
 * @param {() => Promise<Result>} body
 * @returns {Promise<Result>}
 */
function withLock(name, body) {
    return new Promise((resolve, reject) => {
        const run = () => body().then(resolve, reject);
        const locks = globalThis.navigator?.locks;
        // Sandboxed frames and pages that are being left get no locks.
        if (locks) locks.request(name, run).catch(run);
        else void run();
    });
}

/**
 * @param {ClientStorage | ItemStorage | undefined} storage
 * @returns {ClientStorage}
 */
export function storageOf(storage) {
    const pageStorage = localStorageOfPage();
    if (!storage) return pageStorage ? browserStorage() : memoryStorage();
    if ("get" in storage && "set" in storage) return storage;
    const items = /** @type {ItemStorage} */ (storage);
    if (!items.getItem || !items.setItem) throw new TypeError("storage needs get and set");
    // Given as it is, the browser's own storage is shared by tabs, too.
    return items === pageStorage ? browserStorage() : itemStorage(items);
}

/** Pages only: Node's is a file that must be asked for, and warns where it is not. */
function localStorageOfPage() {
    try {
        return typeof document === "object" ? globalThis.localStorage : null;
    } catch {
        return null;
    }
}
