// An app whose target throws for the URL that it was started with. Prints the reported errors and
// the opened links.
import { Deeplinking } from "./modules.js";

process.on("unhandledRejection", (error) =>
    console.log(`reported ${/** @type {Error} */ (error).message}`),
);
const deeplinking = new Deeplinking({ schemes: ["shop"] });
deeplinking.map("boom", () => {
    throw new Error("boom");
});
deeplinking.map("p/:id", ({ routeParameters }) => console.log(`opened ${routeParameters.id}`));
const listeners = new Set();
const stop = await deeplinking.listen({
    getInitialURL: async () => "shop://boom",
    addEventListener: (_, listener) => {
        listeners.add(listener);
        return { remove: () => listeners.delete(listener) };
    },
});
for (const url of ["shop://p/1", "shop://boom", "shop://p/2"]) {
    listeners.forEach((listener) => listener({ url }));
}
stop();
console.log(`${listeners.size} listeners`);
