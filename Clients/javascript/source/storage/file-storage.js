import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with one small JSON file per value. Files are replaced atomically. */
export class FileStorage {
    /** @param {string | URL} folder */
    constructor(folder) {
        this.folder = typeof folder === "string" ? folder : fileURLToPath(folder);
    }

    /** @param {string} name */
    async get(name) {
        try {
            return await readFile(this.file(name), "utf8");
        } catch (error) {
            if (isMissing(error)) return null;
            throw error;
        }
    }

    /**
     * @param {string} name
     * @param {string} text
     */
    async set(name, text) {
        try {
            await this.write(name, text);
        } catch (error) {
            if (!isMissing(error)) throw error;
            await mkdir(this.folder, { recursive: true, mode: 0o700 });
            await this.write(name, text);
        }
    }

    /** @param {string} name */
    async remove(name) {
        await rm(this.file(name), { force: true });
    }

    /**
     * Flushed before the rename: after a power failure, too, the old or the new text is there.
     *
     * @param {string} name
     * @param {string} text
     */
    async write(name, text) {
        const temporary = `${this.file(name)}.${process.pid}.new`;
        try {
            const file = await open(temporary, "w", 0o600);
            try {
                await file.writeFile(text, "utf8");
                await file.sync();
            } finally {
                await file.close();
            }
            await rename(temporary, this.file(name));
        } catch (error) {
            await rm(temporary, { force: true }).catch(() => {});
            throw error;
        }
    }

    /** @param {string} name */
    file(name) {
        return join(this.folder, name + ".json");
    }
}

/** @param {unknown} error */
function isMissing(error) {
    return /** @type {{ code?: string }} */ (error).code === "ENOENT";
}
