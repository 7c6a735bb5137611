// The first launches of an app that needs a sign-in: node first-launch.js SERVICE KEY FOLDER
// REFERRER [signed-in] Prints the link that was opened, or ends as a process that the system kills
// while the sign-in is open.
import { Deeplinking, FileStorage, WaymarkClient } from "./modules.js";

const [service, key, folder, referrer, isSignedIn] = process.argv.slice(2);
const client = new WaymarkClient({
    service,
    key,
    app: "shop",
    platform: "android",
    storage: new FileStorage(folder),
    sendsEvents: false,
});
// A busy machine is not what is tested.
const deeplinking = new Deeplinking({ client, schemes: ["shop"], openingTimeLimit: 600_000 });
deeplinking.map("products/:product_id", ({ routeParameters, metadata, isDeferred }) => {
    console.log(JSON.stringify({ routeParameters, metadata, isDeferred }));
});
deeplinking.addFilter(async () => {
    if (!isSignedIn) process.kill(process.pid, "SIGKILL");
    return true;
});
await deeplinking.openDeferred({ referrer });
await deeplinking.openDeferred({ referrer });
console.log(JSON.stringify(await client.eventCounts()));
