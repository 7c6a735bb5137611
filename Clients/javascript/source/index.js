export { WaymarkClient } from "./client/waymark-client.js";
export { version } from "./client/version.js";
export { WaymarkClientError } from "./client/errors.js";
export { browserStorage, itemStorage, memoryStorage } from "./storage/storage.js";
export { openInApp } from "./page/open-in-app.js";
export { WaymarkBanner } from "./page/banner.js";
