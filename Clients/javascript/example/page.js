// A product page: the banner, a button that opens the app, and one that makes a link to share.
import { openInApp, WaymarkClient } from "../waymark.js";

// A page of your own has these values in it. Here they come from the address, for the tests.
const values = new URLSearchParams(location.hash.slice(1));
const url = values.get("smartlink") || "https://go.example.com/Ab3dE9x";
const deeplink = "trailhead://products/42";
const store = { ios: new URL("store.html", location.href).href };

const banner = document.querySelector("waymark-banner");
banner.setAttribute("deeplink", deeplink);
banner.setAttribute("store-ios", store.ios);
banner.setAttribute("href", url);

document.querySelector("#open").addEventListener("click", async () => {
    document.title = await openInApp({ url, deeplink, store });
});

document.querySelector("#share").addEventListener("click", async () => {
    const client = new WaymarkClient({
        // The key may only create links; the service lists this page's origin in `cors.origins`.
        service: values.get("service") || "https://go.example.com",
        key: values.get("key") || "wm_…",
        app: "shop",
        sendsEvents: false,
    });
    document.querySelector("#shared").value = await client.createSmartlink({
        route: "products/:product_id",
        routeParameters: { product_id: 42 },
    });
});
