/** Types of `waymark.js`. Durations are in milliseconds unless said otherwise. */

import type { Deeplink } from "./routing.js";

/** A JSON value (RFC 8259). */
export type JSONValue =
    | string
    | number
    | boolean
    | null
    | JSONValue[]
    | { [name: string]: JSONValue };
/** A JSON object. */
export type JSONObject = { [name: string]: JSONValue };

// Client

/** The platforms that links are resolved for. `ios` takes the URL for iPhones or iPads too. */
export type Platform =
    | "web"
    | "iphone"
    | "ipad"
    | "ios"
    | "android"
    | "macos"
    | "windows"
    | "linux";

/** How requests are repeated after a transient error. */
export interface RetryPolicy {
    /** Total number of attempts, at least 1. Default: 4. */
    attempts: number;
    /** Upper bound of the first wait. It doubles with each attempt. Default: 500. */
    firstWait: number;
    /** Upper bound of every wait. A longer `Retry-After` ends the request. Default: 20,000. */
    longestWait: number;
}

/** `fetch`, or a function with its signature. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** A clock; tests pass their own. */
export interface ClientClock {
    /** Unix time in milliseconds. */
    now(): number;
    /** Rejects when the signal is aborted. A background pause must not keep the process running. */
    sleep(
        milliseconds: number,
        options: { signal?: AbortSignal | null; isBackground?: boolean },
    ): Promise<void>;
}

/**
 * Where the client keeps its state: texts of a few kilobytes under the names `installation`,
 * `requests`, `events` and `links`. A storage belongs to one client, and the client never calls it
 * twice at the same time for one name. A function that does not respond within `timeLimit` makes a
 * call fail with `timedOut`.
 */
export interface ClientStorage {
    /**
     * The text last set; null or undefined if there is none. A failure means that it can't be read
     * now.
     */
    get(name: string): string | null | undefined | Promise<string | null | undefined>;
    /** Replaces the text at once: after a crash the old or the new one is there. */
    set(name: string, text: string): void | Promise<void>;
    /** Whether others (the browser's tabs) use the same values. Default: false. */
    isShared?: boolean;
    /**
     * The names of all values. With this and `remove`, and if all functions answer at once, each
     * event is also stored by itself as `event.TIME.ID` until it was sent, for storages whose tabs
     * may overwrite what they have not seen.
     */
    keys?(): string[];
    remove?(name: string): void;
    /** Runs the body while nobody else runs one of this name. */
    lock?<Result>(name: string, body: () => Promise<Result>): Promise<Result>;
}

/** The functions of React Native's AsyncStorage and the browser's `Storage`. */
export interface ItemStorage {
    getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
    setItem(key: string, value: string): void | Promise<void>;
}

/**
 * One step of opening a link or of a request. It has no parameter, no metadata, no key, and no more
 * of a URL.
 */
export interface LinkDiagnostic {
    step:
        | "request"
        | "response"
        | "retry"
        | "notHandled"
        | "resolving"
        | "resolved"
        | "resolveFailed"
        | "late"
        | "unknownAsRoute"
        | "unrouted"
        | "heldBack"
        | "superseded"
        | "kept"
        | "restored"
        | "opened";
    /** Of a web link, or of the service. */
    host?: string | null;
    /** A format such as `products/:product_id`; null for the default route. */
    route?: string | null;
    /** Of HTTP. */
    status?: number | null;
    /** An error's code. */
    error?: string;
}

export interface ClientOptions {
    /**
     * The service's URL: `https://go.example.com`, optionally with a port and a path. `http` only
     * for a service on this device: `localhost`, `127.0.0.0/8`, `[::1]`.
     */
    service: string | { toString(): string };
    /** An API key with the scope `resolve` and, to create links, `create`; never another. */
    key: string;
    /**
     * The application's ID. Claims require it; creations do if the service has several
     * applications.
     */
    app?: string;
    /** The platform that links are resolved for. React Native: `Platform.OS`. Default: `web`. */
    platform?: Platform;
    /** The hosts of the app's smart links. Default: the service's host. */
    domains?: readonly string[];
    /**
     * Where the state is kept. Default: `localStorage` in a page, otherwise memory, which loses it
     * at the end.
     */
    storage?: ClientStorage | ItemStorage;
    /** The app's version. If set, the service says when a link requires a newer one (`update`). */
    appVersion?: string;
    /** How requests are repeated. */
    retry?: { [Member in keyof RetryPolicy]?: RetryPolicy[Member] | undefined };
    /** Time limit of one attempt. Default: 15,000. */
    timeLimit?: number;
    /** Maximum size of a response in bytes. Default: 262,144. */
    answerLimit?: number;
    /** Maximum number of queued events. Default: 500. */
    eventLimit?: number;
    /** Maximum age of a queued event. Default: six days. */
    eventAge?: number;
    /** Whether events are sent by themselves. Default: true. */
    sendsEvents?: boolean;
    /** Called with each request, response and retry. Errors that it throws are ignored. */
    onDiagnostic?: (diagnostic: LinkDiagnostic) => unknown;
    /** Sends the requests. Default: the global `fetch`. */
    fetch?: FetchFunction;
    clock?: ClientClock;
    /** A number in 0 ..< 1 that spreads retries. Default: `Math.random`. */
    random?: () => number;
}

export interface RequestOptions {
    /** Cancels the request; the error is `cancelled`. */
    signal?: AbortSignal | null;
}

export interface ResolveOptions extends RequestOptions {
    /** Whether to take a redeem. Without one there is no metadata. Default: true. */
    redeem?: boolean;
    /**
     * Stores the answer. Until its promise is fulfilled, the idempotency key stays, so that the
     * same call after the end of the process gets the same answer.
     */
    keep?: (answer: ResolveAnswer) => void | Promise<void>;
}

export interface ClaimOptions extends RequestOptions {
    /** Stores the deferred deep link. Until its promise is fulfilled, the claim is not over. */
    keep?: (deferred: DeferredDeeplink) => void | Promise<void>;
}

/** A click, or the smart link itself. The click takes precedence. A `Deeplink` is one. */
export interface ClickReference {
    /** `_hk_cid` of the URL that the app was opened with. */
    clickID?: string | null;
    /** The smart link as it was opened. */
    smartlink?: string | null;
}

/** The update that a link requires. */
export interface AppUpdate {
    minimumVersion: string;
    /** The app's page in its store. */
    url: string | null;
}

export interface ResolveAnswer {
    /** The destination for the platform; null if the link has none. */
    deeplink: string | null;
    route: string | null;
    routeParameters: Record<string, string>;
    /** Those of the link and of the URL that was opened. */
    queryParameters: Record<string, string>;
    /** Null without metadata, and when the redeem limit is reached. */
    metadata: JSONObject | null;
    redeem: {
        /** Null: unlimited. */
        limit: number | null;
        used: number;
        remaining: number | null;
        /**
         * `redeemed`, `exhausted`, `none`, `unlimited`, `skipped`, or what a newer service adds.
         */
        status: string | null;
    };
    /** Set if the app is older than the link requires. */
    update: AppUpdate | null;
}

export interface DeferredDeeplink extends ResolveAnswer {
    /** How the link was found: `referrer`, `clipboard`, or what a newer service adds. */
    match: { method: string };
    clickID: string | null;
}

/** What may tell where the installation came from. Only what comes from the service is sent. */
export interface DeferredTraces {
    /** Play's install referrer, as it is. */
    referrer?: string | null;
    /** The clipboard's text, read with the person's consent. */
    clipboard?: string | null;
}

/** The body of `POST /api/v1/links`; the documentation of the REST API has all members. */
export interface LinkRequest {
    app?: string;
    domain?: string;
    slug?: string;
    route?: string;
    routeParameters?: Record<string, string | number | boolean>;
    queryParameters?: Record<string, string | number | boolean>;
    urls?: { [platform in Platform]?: string | { link: string; fallback?: string } };
    metadata?: JSONObject;
    redeemLimit?: number;
    validFrom?: string;
    expiresAt?: string;
    maxClicks?: number;
    social?: { title?: string; description?: string; imageURL?: string };
    campaign?: { source?: string; medium?: string; name?: string; term?: string; content?: string };
    tags?: string[];
    unique?: boolean;
    [member: string]: unknown;
}

/** The link as the service answers it. */
export interface LinkAnswer {
    smartlink: string;
    [member: string]: unknown;
}

export interface Conversion {
    /**
     * 1 to 255 bytes, such as the number of an order. The service counts an ID once within 90 days.
     */
    id: string;
    /** 1 to 100 bytes, such as `purchase`. */
    name: string;
    /** What the app was opened with. Default: the click that led to this installation. */
    of?: ClickReference | null;
    /** An exact decimal and a currency of ISO 4217. */
    value?: { amount: string; currency: string };
}

export interface EventCounts {
    /** Not yet confirmed by the service. */
    waiting: number;
    /** Given up because there were too many, or they were too old. */
    dropped: number;
    /** Given up because the service refused them. */
    refused: number;
}

/**
 * The app's client of the smart link service.
 *
 * Every request that creates a link or takes a redeem has an idempotency key, stored before it is
 * sent: repeating the call after a lost response, even after a restart, takes no second redeem and
 * creates no second link.
 */
export class WaymarkClient {
    /**
     * Throws `WaymarkClientError` with `invalidAddress` or `invalidKey`, and `TypeError` for an
     * unknown platform, a number that is negative or none, and a storage without `get` and `set`.
     */
    constructor(options: ClientOptions);
    /** The service's URL. */
    readonly service: string;
    /** The hosts of the app's smart links, in lower case. */
    readonly domains: readonly string[];
    readonly app: string | undefined;
    readonly platform: Platform;

    /**
     * Resolves a smart link as it was opened, or a click, to its destination and metadata. This
     * takes a redeem if the link has a redeem limit. Equal calls at the same time share an
     * idempotency key, so they take one redeem.
     */
    resolve(
        link: string | { toString(): string } | ClickReference,
        options?: ResolveOptions,
    ): Promise<ResolveAnswer>;
    /** Creates a smart link and returns its URL. */
    createSmartlink(link: LinkRequest | Deeplink, options?: RequestOptions): Promise<string>;
    /** Creates a smart link and returns the whole answer. */
    createLink(link: LinkRequest | Deeplink, options?: RequestOptions): Promise<LinkAnswer>;
    /**
     * Claims the deferred deep link of this installation: call it once, at the first launch. Null
     * without one, or if it was answered before, while another claim runs, and while the storage
     * can't be read. The first call records the installation, and the first with a click records it
     * once more with that click.
     */
    claimDeferred(
        traces?: DeferredTraces | null,
        options?: ClaimOptions,
    ): Promise<DeferredDeeplink | null>;
    /**
     * Ends the claim without a request, for an app that was opened with a link at its first launch.
     */
    skipDeferred(): Promise<void>;
    /**
     * Records that the app was opened through a click or a smart link (a string). Without either,
     * with a click ID over 1,024 bytes or with a smart link over 4,096 bytes it does nothing.
     * Fulfilled when the event is stored.
     */
    recordOpen(click: string | ClickReference): Promise<void>;
    /**
     * Records that the app was installed; only the first call has an effect, and the first with a
     * click.
     */
    recordInstallation(clickID?: string | null): Promise<void>;
    /**
     * Reports something that a person did because of a link. Not queued. Returns whether it was
     * counted now. Without `of` it rejects with `unreachable` while the storage can't be read.
     */
    reportConversion(conversion: Conversion, options?: RequestOptions): Promise<boolean>;
    /** Sends the queued events now. Rejects if some can't be sent; they stay queued. */
    flush(): Promise<void>;
    eventCounts(): Promise<EventCounts>;
    /**
     * The JSON of a path of the REST API, such as `/api/v1/apps/shop`; undefined if the answer is
     * none.
     */
    get(path: string): Promise<unknown>;
    /** A further value in the client's storage, for the package's other modules. */
    stored<Value>(
        form: StoredForm<Value>,
    ): <Result>(change: (value: Value, isLoaded: boolean) => Result) => Promise<Result>;
    /** Stops sending events by itself. */
    close(): void;
}

/** How a value is stored as JSON. */
export interface StoredForm<Value> {
    name: string;
    /** The JSON of the first value. */
    empty: string;
    /** Null for JSON of another form, which is then set aside. */
    read(json: any): Value | null;
    /** Adds changes that were made while nothing could be read. */
    merge(stored: Value, later: Value): Value;
}

/** The client's version. */
export const version: string;

/** A problem document (RFC 9457) of the service. */
export interface Problem {
    /** Such as `urn:waymark:problem:link-expired`. */
    type: string;
    title: string;
    status: number;
    detail: string;
    /** The invalid members of a request. */
    errors: { field: string; problem: string }[];
}

export type WaymarkErrorCode =
    | "refused"
    | "unexpectedAnswer"
    | "offline"
    | "timedOut"
    | "unreachable"
    | "notTrusted"
    | "answerTooLarge"
    | "cancelled"
    | "invalidAddress"
    | "invalidKey";

/**
 * Why a request to the service failed. It never contains the key; its message has at most 1,000
 * characters.
 */
export class WaymarkClientError extends Error {
    constructor(
        code: WaymarkErrorCode,
        details?: {
            reason?: string;
            problem?: Problem | null;
            status?: number;
            retryAfter?: number | null;
        },
    );
    readonly code: WaymarkErrorCode;
    /** With `refused`. */
    readonly problem: Problem | null;
    /**
     * The HTTP status, with `refused` and `unexpectedAnswer`; 0 for a redirect, which browsers
     * hide.
     */
    readonly status: number | null;
    /** The service's `Retry-After`. */
    readonly retryAfter: number | null;
    /** Whether the same request may succeed later. */
    get isTransient(): boolean;
}

// Storage

/** `localStorage`, shared with other tabs of the origin. */
export function browserStorage(prefix?: string): ClientStorage;
/** AsyncStorage of React Native. */
export function itemStorage(items: ItemStorage, prefix?: string): ClientStorage;
export function memoryStorage(): ClientStorage;

// Web pages

export interface OpenInAppOptions {
    /** The smart link, which is also the default fallback. */
    url: string;
    /**
     * The URL that the app opens: a custom scheme, or a universal or app link on another host than
     * the page's. Without it, the smart link is opened. Of an `intent:`, only the URL counts.
     */
    deeplink?: string | undefined;
    /** Android's package: only this app opens the link. */
    androidPackage?: string | undefined;
    /**
     * The app's pages in the stores, as fallbacks in place of the smart link. `android` loses the
     * install referrer, so nothing is deferred there. Default: the smart link, whose page opens the
     * store.
     */
    store?: { ios?: string | undefined; android?: string | undefined };
    /**
     * A smart link with `_hk_cid` for the clipboard, if the App Store is opened. Ask the person
     * first.
     */
    copy?: string;
    /**
     * Whether to add the page's campaign parameters and click ID to the URLs that are opened.
     * Default: true.
     */
    keepsParameters?: boolean;
    /** How long to wait for the app before the fallback opens. Default: 2,500. */
    timeout?: number;
}

/**
 * `left`: the browser opened another page or app, or asks whether to; `fallback`: the app did not
 * open in time; `cancelled`: another call replaced this one.
 */
export type OpenInAppOutcome = "left" | "fallback" | "cancelled";

/**
 * Opens the app from a web page. Call it in the handler of a click or a key. Rejects with
 * `TypeError` for URLs that it does not open, such as `javascript:`, and with `NotAllowedError`
 * without a gesture.
 */
export function openInApp(options: OpenInAppOptions): Promise<OpenInAppOutcome>;

/**
 * The element `<waymark-banner>`, defined when the module is loaded in a browser. README has its
 * attributes.
 */
export interface WaymarkBanner extends HTMLElement {
    /** Hides the banner on all pages of the origin for `dismiss-days`. */
    dismiss(): void;
}
export const WaymarkBanner: { new (): WaymarkBanner; prototype: WaymarkBanner };

declare global {
    interface HTMLElementTagNameMap {
        "waymark-banner": WaymarkBanner;
    }
    // For projects without the types of browsers; they merge with those elsewhere.
    interface AbortSignal {}
    interface HTMLElement {}
    interface RequestInit {}
    interface Response {}
}
