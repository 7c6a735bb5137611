// A program with its own deep links, played from the first launch: node node.js SERVICE KEY FOLDER
// The key has the scopes `resolve` and `create`.
import { FileStorage } from "../node.js";
import { Deeplink, Deeplinking } from "../routing.js";
import { WaymarkClient } from "../waymark.js";

const [service, key, folder] = process.argv.slice(2);
const client = new WaymarkClient({
    service,
    key,
    app: "shop",
    platform: "android",
    storage: new FileStorage(folder),
});
const deeplinking = new Deeplinking({ client, schemes: ["shop"] });
deeplinking.map("products/:product_id", ({ routeParameters, metadata }) => {
    console.log(`product ${routeParameters.product_id}, coupon ${metadata?.coupon ?? "none"}`);
});
deeplinking.mapDefault(() => console.log("home"));

const smartlink = await deeplinking.generateSmartlink(
    new Deeplink({
        route: "products/:product_id",
        routeParameters: { product_id: 42 },
        metadata: { coupon: "20" },
        redeemLimit: 1,
    }),
);
console.log("created");
await deeplinking.open(smartlink);
await deeplinking.open(smartlink);
await deeplinking.open("shop://products/7");
await client.flush();
console.log(await client.eventCounts());
client.close();
