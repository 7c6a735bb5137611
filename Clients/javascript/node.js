export { FileStorage } from "./source/storage/file-storage.js";
