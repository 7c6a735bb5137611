export { DeeplinkingError } from "./deeplinking-error.js";
export { DeepLinkURL } from "../url/deep-link-url.js";
export { Deeplink } from "./deeplink.js";
export { Deeplinking } from "./deeplinking.js";
export {
    android as androidDialect,
    ios as iosDialect,
    standard as standardDialect,
} from "./dialect.js";
export { DeepLinkTemplate, matchTemplates } from "../templates/deep-link-template.js";
