// An app that writes without a pause: node writer.js FOLDER. Prints how many events are stored.
import { FileStorage, WaymarkClient } from "./modules.js";

const client = new WaymarkClient({
    service: "https://go.example.com",
    key: "wm_writer",
    storage: new FileStorage(process.argv[2]),
    sendsEvents: false,
    eventLimit: 100_000,
});
for (;;) {
    await client.recordOpen({ clickID: "c" });
    process.stdout.write(`${(await client.eventCounts()).waiting}\n`);
}
