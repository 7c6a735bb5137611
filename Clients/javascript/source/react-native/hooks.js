import { useCallback, useContext, useState } from "react";
import { WaymarkContext } from "./context.js";

/** The client, the router and the last link. */
export function useWaymark() {
    const waymark = useContext(WaymarkContext);
    if (waymark === null) {
        throw new Error("useWaymark needs a WaymarkProvider around its component");
    }
    return waymark;
}

/** The last link that was opened, what became of it, and a function that opens it again. */
export function useDeeplink() {
    const { opening, openCurrent } = useWaymark();
    return {
        deeplink: opening?.deeplink ?? null,
        status: opening?.status ?? null,
        error: opening?.error ?? null,
        openCurrent,
    };
}

/**
 * For the button "Continue where I left off" of the first launch: `paste` claims the link of the
 * clipboard. The client sends the text only if it is a smart link of the app's domains with a
 * click.
 *
 * @param {() => Promise<string | null | undefined>} readText reads the clipboard; is called at the
 *     tap only
 */
export function usePasteLink(readText) {
    const { openDeferred } = useWaymark();
    const [isPasting, setPasting] = useState(false);
    const paste = useCallback(async () => {
        setPasting(true);
        try {
            return await openDeferred({ clipboard: await readText() });
        } finally {
            setPasting(false);
        }
    }, [openDeferred, readText]);
    return { paste, isPasting };
}
