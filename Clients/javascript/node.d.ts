import type { ClientStorage } from "./waymark.js";

/**
 * A folder with one small JSON file per value, for Node. It is made on the first write, readable by
 * the user only, and belongs to one client in one process.
 */
export class FileStorage implements ClientStorage {
    constructor(folder: string | URL);
    get(name: string): Promise<string | null>;
    set(name: string, text: string): Promise<void>;
    remove(name: string): Promise<void>;
}

declare global {
    // For projects without the types of Node; it merges with theirs.
    interface URL {}
}
