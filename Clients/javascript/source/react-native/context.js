import { createContext } from "react";

/** @typedef {import("../../react-native.js").Waymark} Waymark */

/**
 * What the provider gives to the hooks; null outside of one.
 *
 * @type {import("react").Context<Waymark | null>}
 */
export const WaymarkContext = createContext(/** @type {Waymark | null} */ (null));
