/** Types of `diagnostics.js`, for debug builds. */

import type { Deeplinking } from "./routing.js";
import type { WaymarkClient } from "./waymark.js";

/** What a check has found. */
export interface LinkFinding {
    check: "service" | "key" | "clock" | "app" | "domains" | "scheme" | "routes";
    state: "ok" | "finding" | "skipped";
    detail: string;
    /** What to do; null unless `state` is `finding`. */
    fix: string | null;
}

export interface CheckOptions {
    /** Writes a line. Default: `console.log`. */
    print?: (line: string) => void;
    /** Reads the service's clock. Default: the global `fetch`. */
    fetch?: (url: string, init?: RequestInit) => Promise<Response>;
}

/**
 * Compares the app with the service and prints one line for each check, in the form of `waymark
 * doctor`. It changes nothing and takes no redeem.
 */
export function check(
    client: WaymarkClient,
    deeplinking: Deeplinking,
    options?: CheckOptions,
): Promise<LinkFinding[]>;
