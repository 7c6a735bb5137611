export { useDeeplink, usePasteLink, useWaymark } from "./hooks.js";
export { WaymarkProvider } from "./provider.js";
