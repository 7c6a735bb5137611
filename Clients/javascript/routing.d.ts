/** Types of `routing.js`: the app's router and typed URL templates. */

import type {
    AppUpdate,
    ClickReference,
    DeferredDeeplink,
    DeferredTraces,
    JSONObject,
    LinkDiagnostic,
    LinkRequest,
    RequestOptions,
    ResolveAnswer,
    ResolveOptions,
    WaymarkClient,
} from "./waymark.js";

/**
 * A URL as its raw text, split at the delimiters of RFC 3986, appendix B. Nothing is decoded or
 * normalised.
 */
export class DeepLinkURL {
    constructor(url: string | { toString(): string });
    readonly text: string;
    readonly scheme: string | null;
    readonly authority: string | null;
    readonly path: string;
    readonly query: string | null;
    readonly fragment: string | null;
    get host(): string | null;
    get segments(): string[];
    get queryItems(): QueryItem[];
    get isWeb(): boolean;
    /** A web link as a link of the app. */
    asAppLink(scheme: string): DeepLinkURL;
    /** Removes the query items whose names begin with `_hk_`, and returns them. */
    separatingServiceParameters(): { url: DeepLinkURL; service: ServiceParameters };
    toString(): string;
}

export interface QueryItem {
    name: string;
    /** Null without `=`. */
    value: string | null;
}

/** The service's own parameters of a deep link. */
export interface ServiceParameters {
    clickID: string | null;
    smartlinkID: string | null;
    needsMetadata: boolean;
}

/** The rules for reading URLs. */
export interface RoutingDialect {
    isCaseSensitive: boolean;
    /** Whether an empty segment counts, which only a variable matches. */
    keepsEmptySegments: boolean;
    /** Whether `%2F` separates segments. */
    escapedSlashSeparates: boolean;
    duplicateQueryItem: "first" | "last";
    /** Whether the value of a query item without `=` is the empty string rather than null. */
    flagIsEmptyString: boolean;
    duplicateDefaultRoute: "first" | "last";
    /** Whether a link becomes the current one even if no route matches. */
    keepsUnroutedDeeplink: boolean;
}
/** RFC 3986: `%2F` is data. */
export const standardDialect: Readonly<RoutingDialect>;
/** The rules of the HOKO SDK for iOS. */
export const iosDialect: Readonly<RoutingDialect>;
/** The rules of the HOKO SDK for Android. */
export const androidDialect: Readonly<RoutingDialect>;

/** What a deep link is made of. */
export interface DeeplinkDraft {
    /** A format such as `products/:product_id`. */
    route?: string | null;
    /**
     * A value for each variable of the route, other than `.` and `..`, which no URL can have as a
     * segment.
     */
    routeParameters?: Record<string, string | number | boolean> | null;
    queryParameters?: Record<string, string | number | boolean> | null;
    /** A JSON object for the app only. */
    metadata?: JSONObject | null;
    /** How many resolves receive the metadata; 0 is unlimited. */
    redeemLimit?: number;
    /** Whether an equal deep link gets the same smart link again. */
    isUnique?: boolean;
    urls?: LinkRequest["urls"];
}

/** A destination in the app: read from a URL, or made to create a smart link. */
export class Deeplink {
    /**
     * Throws `DeeplinkingError` with `missingRouteParameters`, `invalidRouteParameters` or
     * `invalidMetadata`.
     */
    constructor(draft?: DeeplinkDraft);
    /** The route's format as it was mapped; null if no route matches. */
    route: string | null;
    routeParameters: Record<string, string>;
    /** Without the service's own; null for a name without a value. */
    queryParameters: Record<string, string | null>;
    metadata: JSONObject | null;
    redeemLimit: number;
    isUnique: boolean;
    urls: NonNullable<LinkRequest["urls"]>;
    /** Whether the link was opened before the app was installed. */
    isDeferred: boolean;
    /** The URL that the app was opened with. */
    openedURL: string | null;
    clickID: string | null;
    /** The smart link that was resolved in the app. */
    smartlink: string | null;
    /** Set if the service was asked and the app is too old. */
    update: AppUpdate | null;
    /** Whether the link has metadata that was not fetched. */
    needsMetadata: boolean;
    /**
     * Why the service could not resolve the link `openedURL`, or gave no metadata;
     * `openCurrentDeeplink` tries again.
     */
    error: Error | null;
    /** Whether all filters passed and the target has run. */
    wasOpened: boolean;
    /** The route with its parameters and the query, without a scheme. */
    get url(): string | null;
    /** The body that creates the smart link. */
    get linkRequest(): LinkRequest;
}

/** The link is kept until the promise is settled, if there is one. */
export type DeeplinkTarget = (deeplink: Deeplink) => unknown;
/** Called before the target; its promise is not awaited. */
export type DeeplinkHandler = (deeplink: Deeplink) => unknown;
/** Whether the link may open now. Called before handlers and target, one after the other. */
export type DeeplinkFilter = (deeplink: Deeplink) => boolean | Promise<boolean>;

/** The outcome of opening a link. */
export type Opening =
    | { status: "opened"; deeplink: Deeplink; error: null }
    /** No route matched, a filter returned false, or another link was opened meanwhile. */
    | { status: "notOpened"; deeplink: Deeplink; error: null }
    /**
     * The service could not resolve it in time; the deep link has its URL and error, and is null if
     * another is current.
     */
    | { status: "failed"; deeplink: Deeplink | null; error: Error }
    /**
     * It is not for the app: a scheme that is not in `schemes`, or more than 16,384 bytes. Nothing
     * has happened.
     */
    | { status: "notHandled"; deeplink: null; error: null };

/** What opening a URL would do, and why. */
export interface LinkExplanation {
    outcome: "opens" | "opensDefault" | "resolves" | "nothing" | "notHandled";
    why:
        | "foreignScheme"
        | "tooLong"
        | "smartlink"
        | "lazyLink"
        | "otherHost"
        | "appLink"
        | "answerRoute"
        | "answerURL"
        | "unknownLink"
        | "failed";
    /** What routes are matched with. */
    url: string | null;
    route: string | null;
    routeParameters: Record<string, string>;
    /** Formats that match too, in order of priority. */
    otherRoutes: string[];
    /** The error's code, if the service was asked and could not resolve the link. */
    error: string | null;
    /** All this in one line. */
    text: string;
}

export interface DeeplinkingOptions {
    /** Resolves and creates links, and records openings. */
    client?: WaymarkClient;
    /**
     * The app's URL schemes, without a colon. URLs of other schemes are not handled, except web
     * links; without any, all are. Web links of other hosts are opened under the first; a lazy link
     * (`/lazy?uri=…`) is opened without a request only if it contains a link of one of them, a web
     * link or a route.
     */
    schemes?: readonly string[];
    /** The hosts of the app's smart links. Default: the client's. */
    domains?: readonly string[];
    /** Default: `standard`. */
    dialect?: "standard" | "ios" | "android" | Partial<RoutingDialect>;
    /**
     * After this time a link opens nothing: what the service answers later waits for
     * `openCurrentDeeplink`. In milliseconds. Default: 5,000.
     */
    openingTimeLimit?: number;
    /** Called with each step of opening a link. Errors that it throws are ignored. */
    onDiagnostic?: (diagnostic: LinkDiagnostic) => unknown;
    /** Unix time in milliseconds; tests pass their own. */
    clock?: { now(): number };
    /** In place of the client. */
    resolver?: { resolve(link: ClickReference, options?: ResolveOptions): Promise<ResolveAnswer> };
    creator?: { createSmartlink(link: LinkRequest): Promise<string> };
    recorder?: { recordOpen(deeplink: Deeplink): unknown };
}

/** React Native's `Linking`, or `expo-linking`. */
export interface Linking {
    getInitialURL(): Promise<string | null>;
    addEventListener(
        type: "url",
        listener: (event: { url: string }) => void,
    ): { remove(): void } | undefined | void;
}

/**
 * The app's router. The order of mapping does not matter: from left to right, a literal precedes a
 * variable. The last opened link wins.
 */
export class Deeplinking {
    constructor(options?: DeeplinkingOptions);
    /** The most recent link, whether or not filters let it pass. */
    currentDeeplink: Deeplink | null;
    /**
     * Maps a route; an empty one is the default route. Throws `DeeplinkingError` with
     * `duplicateRoute`.
     */
    map(route: string, target: DeeplinkTarget): void;
    /** Maps links that match no route. */
    mapDefault(target: DeeplinkTarget): void;
    isMapped(route: string): boolean;
    /** Whether a default route is mapped. */
    get hasDefaultRoute(): boolean;
    /** The app's URL schemes. */
    readonly schemes: readonly string[];
    /** The hosts of the app's smart links. */
    readonly domains: readonly string[];
    /** The mapped formats in order of priority. */
    get mappedRoutes(): string[];
    /** Returns a function that removes the filter. */
    addFilter(filter: DeeplinkFilter): () => void;
    /**
     * Adds code that receives each link that is about to open. Returns a function that removes it.
     */
    addHandler(handler: DeeplinkHandler): () => void;
    /**
     * Opens any URL that an app can be opened with. A link that waits neither for the service nor
     * for a promise of a filter has opened when the call returns. Rejects with what a filter,
     * handler or target throws.
     */
    open(
        url: string | { toString(): string },
        options?: { isDeferred?: boolean },
    ): Promise<Opening>;
    /** Opens a smart link; if it can't be resolved, nothing opens, not even the default route. */
    openSmartlink(smartlink: string | { toString(): string }): Promise<Opening>;
    /**
     * Opens a link that was made by the app, or for which a filter returned false. Its route must
     * be mapped.
     */
    openDeeplink(deeplink: Deeplink): Promise<Opening>;
    /**
     * Opens the current link again, for example after a login that a filter required: also the one
     * that was kept when the process ended before its target had run, or before a link that was
     * refused for good or has no route. A link that could not be resolved is resolved now. Null
     * without a link, and while a newer one waits for the service.
     */
    openCurrentDeeplink(): Promise<Opening | null>;
    /**
     * Claims the deferred deep link and opens it: call it at each launch. It is given until its
     * target has run, at most for 30 days. A link that the app was opened with takes precedence;
     * the claim is over then. Null if there is none.
     */
    openDeferred(traces?: DeferredTraces, options?: RequestOptions): Promise<Opening | null>;
    /**
     * The link that led to the installation, once it was claimed; without its metadata after it was
     * opened.
     */
    installationDeeplink(): Promise<DeferredDeeplink | null>;
    /**
     * Resolves the current link if that failed, and opens nothing. Pages do it by themselves; call
     * it in React Native when NetInfo says that the network is back.
     */
    networkIsBack(): Promise<void>;
    /**
     * What `open` would do, and why. It runs nothing and records nothing, and asks the service,
     * without taking a redeem, only with `asksService`.
     */
    explain(
        url: string | { toString(): string },
        options?: { asksService?: boolean },
    ): Promise<LinkExplanation>;
    /** Whether `open` would find a route. Runs no filters and sends nothing. */
    canOpen(url: string | { toString(): string }): boolean;
    /** Whether a link was opened or is waiting for the service. */
    get hasLink(): boolean;
    /**
     * Opens the URL that the app was started with, and those that follow. Fulfilled when the first
     * one has opened, with a function that ends it. A click that Android gives again, because the
     * process had ended, opens once.
     */
    listen(linking: Linking): Promise<() => void>;
    /**
     * Creates a smart link that leads to the deep link, whose route must be mapped unless it has
     * URLs.
     */
    generateSmartlink(deeplink: Deeplink): Promise<string>;
}

export type DeeplinkingErrorCode =
    | "duplicateRoute"
    | "duplicateDefaultRoute"
    | "invalidMetadata"
    | "missingRouteParameters"
    | "invalidRouteParameters"
    | "routeNotMapped"
    | "noService"
    | "generationFailed"
    | "timedOut";

/** An error of deep links in the app, without a request. */
export class DeeplinkingError extends Error {
    constructor(code: DeeplinkingErrorCode, reason: string, names?: string[]);
    readonly code: DeeplinkingErrorCode;
    /** The routes, members or parameters that it is about. */
    readonly names: string[];
    /** Whether the same call may succeed later. */
    get isTransient(): boolean;
}

// Templates

export type ValueType = "string" | "int" | "double" | "bool";

export interface TemplateParameter {
    name: string;
    type: ValueType;
    /** Default: false. */
    required?: boolean;
}

export interface TemplateValues {
    path: Record<string, string | number | boolean>;
    query: Record<string, string | number | boolean>;
    /** As written. */
    fragment: string | null;
}

export interface TemplateOptions {
    /** Whether a template without parameters matches a URL with a query. Default: false. */
    toleratesUndeclaredQuery?: boolean;
    /**
     * How the host of a web link counts; an array: it must be one of these. Default: `isFirstPart`.
     */
    webHost?: "isFirstPart" | "isLeftOut" | readonly string[];
}

/**
 * The URLs of a deep link: terms and typed values of the path, and typed parameters of the query.
 * Immutable.
 */
export class DeepLinkTemplate {
    constructor();
    term(text: string): DeepLinkTemplate;
    string(name: string): DeepLinkTemplate;
    /** A safe integer. */
    int(name: string): DeepLinkTemplate;
    double(name: string): DeepLinkTemplate;
    bool(name: string): DeepLinkTemplate;
    query(parameters: readonly TemplateParameter[]): DeepLinkTemplate;
    /** Null if the URL does not match. */
    values(url: string | { toString(): string }, options?: TemplateOptions): TemplateValues | null;
    /** The URL of these values; null if no URL could be read back as them. */
    url(
        values: {
            path?: TemplateValues["path"];
            query?: TemplateValues["query"];
            fragment?: string | null;
        },
        target: { scheme: string; host?: string },
    ): string | null;
}

/** The first template that matches. */
export function matchTemplates(
    templates: readonly DeepLinkTemplate[],
    url: string | { toString(): string },
    options?: TemplateOptions,
): { index: number; values: TemplateValues } | null;
