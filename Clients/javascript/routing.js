// The router as a module of its own: pages and servers need none.
export * from "./source/routing/index.js";
