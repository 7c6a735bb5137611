// The service's program, which WAYMARK_PROGRAM names, with a database of its own.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = process.env.WAYMARK_PROGRAM || join(root, ".build/debug/waymark");
const adminKey = "wm_javascript0123456789abcdefghijABCDEFGHIJ";
export const iPhone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/18.0 Mobile/15E148 Safari/604.1";
export const android =
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/131.0.0.0 Mobile Safari/537.36";

/** @returns {Promise<number>} a port that nothing listens on */
export async function freePort() {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    await new Promise((resolve) => server.close(resolve));
    return port;
}

export class Service {
    constructor(folder, port) {
        this.folder = folder;
        this.url = `http://127.0.0.1:${port}`;
    }

    /** @param {{ origins?: string[] }} [options] origins whose pages may call the service */
    static async start({ origins = [] } = {}) {
        const port = await freePort();
        const service = new Service(await mkdtemp(join(tmpdir(), "waymark-javascript-")), port);
        const application = {
            id: "shop",
            name: "Shop",
            domains: ["127.0.0.1"],
            baseURL: service.url,
            cors: { origins },
            ios: { urlScheme: "shop", appStoreID: "123456789" },
            android: { package: "com.example.shop", urlScheme: "shop" },
            web: { baseURL: "https://shop.example.com" },
            templates: [
                {
                    route: "products/:product_id",
                    urls: {
                        web: "https://shop.example.com/products/:product_id",
                        ios: { link: "shop://products/:product_id", fallback: "store" },
                        android: { link: "shop://products/:product_id", fallback: "store" },
                    },
                },
            ],
        };
        await writeFile(join(service.folder, "applications.json"), JSON.stringify([application]));
        await writeFile(
            join(service.folder, "waymark.json"),
            JSON.stringify({
                listen: [`127.0.0.1:${port}`],
                database: `sqlite:${join(service.folder, "waymark.sqlite")}`,
                accessLog: "off",
                public: join(root, "Public"),
                applications: "applications.json",
            }),
        );
        await service.run();
        return service;
    }

    async run() {
        this.process = spawn(program, ["serve", "--config", join(this.folder, "waymark.json")], {
            env: { ...process.env, WAYMARK_ADMIN_KEY: adminKey },
            stdio: ["ignore", "ignore", "pipe"],
        });
        let log = "";
        this.process.stderr.on("data", (text) => {
            log += text;
        });
        this.process.once("error", (error) => {
            log += error.message;
        });
        this.ended = new Promise((resolve) => {
            this.process.once("close", resolve);
            this.process.once("error", resolve);
        });
        let isEnded = false;
        void this.ended.then(() => {
            isEnded = true;
        });
        for (;;) {
            const isReady = await fetch(this.url + "/readyz").then(
                (answer) => answer.ok,
                () => false,
            );
            if (isReady) return;
            if (isEnded) throw new Error(`the service has ended: ${log}`);
            await new Promise(setImmediate);
        }
    }

    /** Kills the program as a power failure would. */
    async kill() {
        this.process.kill("SIGKILL");
        await this.ended;
    }

    async end() {
        await this.kill();
        await rm(this.folder, { recursive: true });
    }

    /**
     * @param {string} method
     * @param {string} path
     * @param {object} [body]
     */
    async call(method, path, body) {
        const answer = await fetch(this.url + path, {
            method,
            headers: { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/json" },
            body: body && JSON.stringify(body),
        });
        const json = await answer.json();
        if (!answer.ok) throw new Error(JSON.stringify(json));
        return json;
    }

    /** The text of a key with these scopes. */
    async key(...scopes) {
        return (await this.call("POST", "/api/v1/keys", { name: "app", app: "shop", scopes })).key;
    }

    /** How often a link was opened, and so on. */
    async totals(smartlink) {
        const { hostname, pathname } = new URL(smartlink);
        return (await this.call("GET", `/api/v1/links/${hostname}${pathname}/events`)).total;
    }

    /** The link that the page's button copies for the clipboard. */
    async clipboard(smartlink) {
        const page = await (await fetch(smartlink, { headers: { "User-Agent": iPhone } })).text();
        return /data-copy="([^"]+)"/.exec(page)[1].replace(/&amp;/g, "&");
    }

    /** The install referrer that Google Play passes on. */
    async referrer(smartlink) {
        const answer = await fetch(smartlink, {
            headers: { "User-Agent": android },
            redirect: "manual",
        });
        const fallback = /S\.browser_fallback_url=([^;]+)/.exec(answer.headers.get("Location"))[1];
        return new URL(decodeURIComponent(fallback)).searchParams.get("referrer");
    }
}
