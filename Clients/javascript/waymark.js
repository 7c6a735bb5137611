// The client as one module. `build` bundles it into one file.
export * from "./source/index.js";
