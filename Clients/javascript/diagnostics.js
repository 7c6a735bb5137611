// Checks of the app's links against the service, for debug builds.
export { check } from "./source/diagnostics/check.js";
