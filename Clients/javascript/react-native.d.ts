import type { ReactElement, ReactNode } from "react";
import type { DeferredTraces, WaymarkClient } from "./waymark.js";
import type {
    Deeplink,
    Deeplinking,
    DeeplinkingOptions,
    DeeplinkTarget,
    Opening,
} from "./routing.js";

export interface WaymarkProviderProps
    extends Omit<DeeplinkingOptions, "client" | "resolver" | "creator" | "recorder"> {
    /** Made once, outside of components. */
    client: WaymarkClient;
    /**
     * The functions by the formats of their routes, such as
     * `{ "products/:product_id": ({ routeParameters }) => … }`. The formats are those of the first
     * render, the functions those of the last.
     */
    routes: Readonly<Record<string, DeeplinkTarget>>;
    /** For links that no route matches, and for smart links that can't be resolved. */
    defaultRoute?: DeeplinkTarget;
    /**
     * While false, links are held back, and kept over a restart; once true, the last one opens.
     * Default: true.
     */
    isReady?: boolean;
    /** Google Play's install referrer, for the first launch: Expo's `getInstallReferrerAsync`. */
    readReferrer?: () => Promise<string | null | undefined> | string | null | undefined;
    children?: ReactNode;
}

/** What `useWaymark` gives. */
export interface Waymark {
    client: WaymarkClient;
    deeplinking: Deeplinking;
    /** The last opening that was a link of the app; null before the first. */
    opening: Opening | null;
    open(url: string): Promise<Opening | null>;
    /** The last link once more: one that was held back, came late, or could not be resolved. */
    openCurrent(): Promise<Opening | null>;
    openDeferred(traces: DeferredTraces): Promise<Opening | null>;
}

/**
 * Makes the app's router, opens the links that the app is opened with, and gives both to the hooks.
 * Put it around the app's navigation, once.
 */
export function WaymarkProvider(props: WaymarkProviderProps): ReactElement;

/** The client, the router and the last link. Throws outside of a `WaymarkProvider`. */
export function useWaymark(): Waymark;

/**
 * The last link that was opened, and what became of it. The component renders again at each
 * opening.
 */
export function useDeeplink(): {
    deeplink: Deeplink | null;
    status: Opening["status"] | null;
    error: Error | null;
    openCurrent: Waymark["openCurrent"];
};

/**
 * For the button "Continue where I left off" of the first launch: `paste` claims the link of the
 * clipboard.
 *
 * @param readText reads the clipboard, for example Expo's `getStringAsync`; is called at the tap
 *     only
 */
export function usePasteLink(readText: () => Promise<string | null | undefined>): {
    paste(): Promise<Opening | null>;
    isPasting: boolean;
};
