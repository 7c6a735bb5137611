// An app whose service is away: it ends though an event waits for the next round.
import { memoryStorage, WaymarkClient } from "./modules.js";

const client = new WaymarkClient({
    service: "http://127.0.0.1:1",
    key: "wm_leaver",
    storage: memoryStorage(),
    retry: { attempts: 1 },
});
await client.recordOpen({ clickID: "c1" });
