public import WaymarkAPI

/// A destination in the app: a route with its parameters. It is either read from a URL the app was opened with, or
/// created by the app to generate a smart link.
///
/// Everything except `wasOpened` is fixed on creation. An instance may be used from any thread; filters, handlers and
/// the target receive the same one.
public final class Deeplink: Sendable {
    /// The route's format as it was mapped (`products/:product_id`); nil if no route matches or the link was created
    /// without one.
    public let route: String?
    /// The decoded values of the route's variables; empty if no route matches. Always strings.
    public let routeParameters: [String: String]
    /// The decoded query, without the service's own `_hk_*` items.
    public let queryParameters: QueryParameters
    /// The smart link's data for the app only; nil if it has none, its redeem limit is reached, or it could not be
    /// fetched.
    public let metadata: DeeplinkMetadata?
    /// Why the given metadata was rejected; nil if it was valid.
    public let metadataError: DeeplinkingError?
    /// How many resolves of the generated smart link receive the metadata. Default: 0, unlimited.
    public let redeemLimit: Int
    /// Whether an equal deep link gets the same smart link again. Default: false.
    public let isUnique: Bool
    /// Whether the link was opened before the app was installed.
    public let isDeferred: Bool
    /// The URL the app was opened with, including the service's parameters; nil for a link created by the app.
    public let openedURL: DeepLinkURL?
    /// The app that opened the URL, if the system reports it; otherwise nil.
    public let sourceApplication: String?
    /// The service's parameters in the URL.
    public let service: ServiceParameters
    /// The smart link that was resolved in the app; nil if the app was opened with a URL of its own.
    public let smartlink: String?
    /// Set if the service was queried and the link requires a newer app than `ClientOptions.appVersion`: show it, and
    /// hold the link back in a filter. Nil if the app is new enough or the service was not queried: a link that the
    /// app was opened with and that has no metadata is opened without a query.
    public let update: AppUpdate?
    /// Why the service did not answer: the smart link has no destination, or the link lacks the metadata that it
    /// announces. It is the resolver's error, or `WaymarkClientError.timedOut` at `Deeplinking.openingTimeLimit`; nil
    /// if nothing failed. `openedURL` has the URL, and `Deeplinking.openCurrentDeeplink()` asks again.
    public let error: (any Error)?
    /// The scene that received the link, for apps with several windows: `UISceneSession.persistentIdentifier`, or what
    /// the app passed. Nil if it is unknown.
    public let sceneID: String?

    /// Whether it is a smart link without its destination.
    let isUnresolved: Bool
    /// Whether it may be a route of the app if the service does not know it.
    let mayBeRoute: Bool
    /// Whether asking for it again is of no use: it is not kept, and takes the place of no kept link.
    var isRefused: Bool { isUnresolved && (error as? WaymarkClientError)?.isTransient != true }
    private let changeable: LockedValue<Changeable>

    private struct Changeable {
        var urls: [DeeplinkPlatform: String] = [:]
        var wasOpened = false
        var wasRecorded = false
        var kept: KeptReference?
    }

    /// For links opened by the router.
    init(
        route: String?, routeParameters: [String: String], queryParameters: QueryParameters,
        metadata: DeeplinkMetadata?, metadataError: DeeplinkingError? = nil, redeemLimit: Int = 0,
        isUnique: Bool = false, isDeferred: Bool = false, openedURL: DeepLinkURL? = nil,
        sourceApplication: String? = nil, service: ServiceParameters = ServiceParameters(), smartlink: String? = nil,
        update: AppUpdate? = nil, error: (any Error)? = nil, sceneID: String? = nil, kept: KeptReference? = nil,
        wasRecorded: Bool = false, isUnresolved: Bool = false, mayBeRoute: Bool = true,
        urls: [DeeplinkPlatform: String] = [:]
    ) {
        self.route = route
        self.routeParameters = routeParameters
        self.queryParameters = queryParameters
        self.metadata = metadata
        self.metadataError = metadataError
        self.redeemLimit = redeemLimit
        self.isUnique = isUnique
        self.isDeferred = isDeferred
        self.openedURL = openedURL
        self.sourceApplication = sourceApplication
        self.service = service
        self.smartlink = smartlink
        self.update = update
        self.error = error
        self.sceneID = sceneID
        self.isUnresolved = isUnresolved
        self.mayBeRoute = mayBeRoute
        changeable = LockedValue(Changeable(urls: urls, wasRecorded: wasRecorded, kept: kept))
    }

    /// Whether all filters passed and the target has run. False in handlers and in the target, true afterwards.
    public internal(set) var wasOpened: Bool {
        get { changeable.withLock { $0.wasOpened } }
        set { changeable.withLock { $0.wasOpened = newValue } }
    }

    /// Platform-specific URLs, which override those of the smart link's template. Default: empty.
    public var urls: [DeeplinkPlatform: String] {
        changeable.withLock { $0.urls }
    }

    /// For HOKO's `addURL`, which changes an existing link. The last URL for a platform wins.
    package func addURL(_ url: String, for platform: DeeplinkPlatform) {
        changeable.withLock { $0.urls[platform] = url }
    }

    /// The scheme of the URL the app was opened with; nil if it has none or the link was created by the app.
    public var urlScheme: String? { openedURL?.scheme }

    /// The click that led to this link; nil if there was none.
    public var clickID: String? { service.clickID }

    /// Whether the link has metadata that has not been fetched.
    public var needsMetadata: Bool { service.needsMetadata && metadata == nil }

    /// Whether the link came from a smart link.
    var isFromSmartlink: Bool { clickID != nil || service.smartlinkID != nil || smartlink != nil }

    /// Returns true on the first call only: that caller records the opening.
    func takeRecording() -> Bool {
        changeable.withLock { state in
            defer { state.wasRecorded = true }
            return !state.wasRecorded
        }
    }

    /// Whether `takeRecording()` was called.
    var wasRecorded: Bool { changeable.withLock { $0.wasRecorded } }

    /// Where the client keeps this link until its target has run; nil if it was never current, or there is no client.
    var kept: KeptReference? {
        get { changeable.withLock { $0.kept } }
        set { changeable.withLock { $0.kept = newValue } }
    }

    /// A copy with the answer of the service, or with the reason why there is none.
    func with(_ metadata: DeeplinkMetadata?, update: AppUpdate? = nil, error: (any Error)? = nil) -> Deeplink {
        Deeplink(
            route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
            redeemLimit: redeemLimit, isUnique: isUnique, isDeferred: isDeferred, openedURL: openedURL,
            sourceApplication: sourceApplication, service: service, smartlink: smartlink, update: update, error: error,
            sceneID: sceneID, kept: kept, wasRecorded: wasRecorded, isUnresolved: isUnresolved, mayBeRoute: mayBeRoute)
    }
}

/// A platform that a smart link can have its own URL for.
public enum DeeplinkPlatform: String, Sendable, Hashable, CaseIterable {
    /// All browsers, and the fallback of every other platform.
    case web
    /// iPhones.
    case iPhone = "iphone"
    /// iPads.
    case iPad = "ipad"
    /// Any device with iOS or iPadOS; `iPhone` and `iPad` take precedence if they have a URL.
    case iOS = "ios"
    /// Android.
    case android
    /// Macs.
    case macOS = "macos"
    /// Windows.
    case windows
    /// Linux.
    case linux
}

extension DeeplinkPlatform {
    /// The platform's name in HOKO's API version 2: the same, except `universal` for `iOS`. Nil for platforms that it
    /// lacks.
    public var hokoName: String? {
        switch self {
        case .web, .iPhone, .iPad, .android: rawValue
        case .iOS: "universal"
        case .macOS, .windows, .linux: nil
        }
    }
}
