// The folders of links as a tree, for filters and for moving links.
import { get } from "../../shared/api.js";
import { formatCount } from "../../shared/formats.js";

/** @typedef {{folder: string, links: number}} Folder */

/** What each level of the tree is moved in by. */
const STEP = "\u2003";
/** How long the counts hold, in milliseconds. */
const FRESH = 10_000;
/** @type {{at: number, folders: Promise<Folder[]>} | null} */
let cache = null;
/** A server without folders is not asked again. */
let hasFolders = true;

/**
 * All folders; none where the server has no list of them.
 *
 * @returns {Promise<Folder[]>}
 */
export function knownFolders() {
  if (!hasFolders) return Promise.resolve([]);
  if (!cache || cache.at < Date.now() - FRESH) {
    const folders = get("/api/v1/folders").then(
      (answer) => answer.folders,
      ({ status }) => {
        hasFolders = status !== 404;
        return [];
      },
    );
    cache = { at: Date.now(), folders };
  }
  return cache.folders;
}

/** Forgets the counts, so that the next reader asks for them. */
export function forgetFolders() {
  cache = null;
}

/**
 * Options of a choice: each folder below the one that it is in, with the number of links in it and
 * below.
 *
 * @param {Folder[]} folders
 * @returns {string[][]}
 */
export function folderTree(folders) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { folder, links } of folders) {
    const parts = folder.split("/");
    parts.forEach((_, index) => {
      const path = parts.slice(0, index + 1).join("/");
      counts.set(path, (counts.get(path) ?? 0) + links);
    });
  }
  // By their segments, so that a folder is followed by those in it.
  /** @param {string} path */
  const key = (path) => path.replaceAll("/", "\0");
  return [...counts]
    .sort(([first], [second]) => (key(first) < key(second) ? -1 : 1))
    .map(([path, count]) => {
      const parts = path.split("/");
      const name = STEP.repeat(parts.length - 1) + parts.at(-1);
      return [path, `${name} (${formatCount(count)})`];
    });
}
