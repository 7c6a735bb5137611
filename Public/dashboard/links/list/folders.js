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

/** Has the counts asked for anew. */
export function forgetFolders() {
  cache = null;
}

/**
 * Options of a choice: each folder below the one that it is in, with its number of links.
 *
 * @param {Folder[]} folders
 * @returns {string[][]}
 */
export function folderTree(folders) {
  const counts = new Map(folders.map(({ folder, links }) => [folder, links]));
  const paths = new Set();
  for (const path of counts.keys()) {
    const parts = path.split("/");
    parts.forEach((_, index) => paths.add(parts.slice(0, index + 1).join("/")));
  }
  // By their segments, so that a folder is followed by those in it.
  const sorted = [...paths].sort((first, second) =>
    first.replaceAll("/", "\0") < second.replaceAll("/", "\0") ? -1 : 1,
  );
  return sorted.map((path) => {
    const parts = path.split("/");
    const count = counts.get(path);
    const number = count === undefined ? "" : ` (${formatCount(count)})`;
    return [path, STEP.repeat(parts.length - 1) + parts.at(-1) + number];
  });
}
