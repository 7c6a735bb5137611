// An app that records opens and is killed: node recorder.js SERVICE KEY FOLDER CLICK…
import { FileStorage, WaymarkClient } from "./modules.js";

const [service, key, folder, ...clicks] = process.argv.slice(2);
const client = new WaymarkClient({
    service,
    key,
    app: "shop",
    platform: "ios",
    storage: new FileStorage(folder),
});
for (const clickID of clicks) await client.recordOpen({ clickID });
process.stdout.write("stored\n");
setInterval(() => {}, 1_000);
