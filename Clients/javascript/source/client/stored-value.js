/** @typedef {import("../../waymark.js").ClientStorage} ClientStorage */

/**
 * @template Value
 * @typedef {{
 *     name: string, empty: string, read: (json: any) => Value | null,
 *     merge: (stored: Value, later: Value) => Value
 * }} StoredForm `read` returns null for JSON of another form; `merge` adds changes made while
 * nothing could be read
 */

/**
 * @template Value
 * @typedef {<Result>(change: (value: Value, isLoaded: boolean) => Result) => Promise<Result>}
 *     Update changes the value in place; `isLoaded` is false while the storage can't be read
 */

/** What `attempt` returns for an error. */
export const failed = Symbol();

/**
 * A stored JSON value with its copy in memory. Updates run one after the other, and each is stored
 * before its promise is fulfilled.
 *
 * If the storage can't be read, each use tries again, and nothing is written before a read has
 * succeeded, so that no stored data is lost. If a write fails, the value stays in memory and the
 * next update writes it.
 *
 * @template Value
 * @param {ClientStorage} storage
 * @param {StoredForm<Value>} form
 * @returns {Update<Value>}
 */
export function storedValue(storage, { name, empty, read, merge }) {
    /** @type {Value} */
    let value = /** @type {Value} */ (read(JSON.parse(empty)));
    // What is stored.
    let storedText = "";
    let isLoaded = false;
    let isDirty = false;
    /** @type {Promise<unknown>} */
    let last = Promise.resolve();

    /** @param {string | null | undefined} text */
    const load = async (text) => {
        let stored = null;
        try {
            stored = read(JSON.parse(text ?? empty));
        } catch {
            // It is set aside.
        }
        if (stored === null) {
            storedText = "";
            await attempt(() => storage.set(name + ".broken", String(text)));
            return;
        }
        storedText = JSON.stringify(stored);
        value = isDirty ? merge(stored, value) : stored;
    };

    /**
     * @template Result
     * @param {(value: Value, isLoaded: boolean) => Result} change
     */
    const apply = async (change) => {
        if (!isLoaded || storage.isShared) {
            // Nothing is awaited between reading and writing that the storage returns at once:
            // without locks, that is what keeps other tabs out.
            let text = attempt(() => storage.get(name));
            if (isPromise(text)) text = await text;
            isLoaded = text !== failed;
            if (isLoaded) {
                const loading = load(/** @type {string | null} */ (text));
                if (storedText === "") await loading;
            }
        }
        const result = change(value, isLoaded);
        const text = JSON.stringify(value);
        isDirty = isDirty || text !== storedText;
        if (isDirty && isLoaded && (await attempt(() => storage.set(name, text))) !== failed) {
            isDirty = false;
            storedText = text;
        }
        return result;
    };

    return (change) => {
        const result = last.then(() =>
            storage.lock ? storage.lock(name, () => apply(change)) : apply(change),
        );
        last = result.catch(() => {});
        return result;
    };
}

/**
 * The result of the call, or of its promise; `failed` for an error.
 *
 * @param {() => unknown} call
 */
export function attempt(call) {
    try {
        const result = call();
        return isPromise(result)
            ? result.then(
                  (value) => value,
                  () => failed,
              )
            : result;
    } catch {
        return failed;
    }
}

/**
 * @param {any} value
 * @returns {value is PromiseLike<unknown>}
 */
function isPromise(value) {
    return typeof value?.then === "function";
}
