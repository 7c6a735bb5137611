export {
    useDeeplink,
    usePasteLink,
    useWaymark,
    WaymarkProvider,
} from "./source/react-native/index.js";
