public import WaymarkAPI

/// Where the app is to go: a route with its parameters, read from a URL that the app was opened with or made by the app
/// to have a smart link generated for it.
///
/// Everything but `wasOpened` is fixed when the object is made; an object may be used from anywhere, and the same one is
/// handed to filters, handlers and target.
public final class Deeplink: Sendable {
    /// The format of the mapped route, as it was mapped (`products/:product_id`); nil where no route matches and in a link
    /// that was made without one.
    public let route: String?
    /// What the route's variables stand for, decoded; empty where no route matches. Always strings.
    public let routeParameters: [String: String]
    /// The query, decoded, without the service's own `_hk_*`.
    public let queryParameters: QueryParameters
    /// What the smart link carries for the app only; nil where there is none, where it is used up, and where it could not
    /// be fetched.
    public let metadata: DeeplinkMetadata?
    /// Why metadata that was given is not there; nil where nothing was wrong with it.
    public let metadataError: DeeplinkingError?
    /// How many resolves of the generated smart link receive the metadata; 0, the default, is any number.
    public let redeemLimit: Int
    /// Whether the same deep link again gives the same smart link again. False by default.
    public let isUnique: Bool
    /// Whether the link waited for the app's installation.
    public let isDeferred: Bool
    /// The URL as the app was opened with it, the service's parameters included; nil in a link made by the app.
    public let openedURL: DeepLinkURL?
    /// Which app asked to open the URL, where the system says so; else nil.
    public let sourceApplication: String?
    /// What the service said in the URL.
    public let service: ServiceParameters
    /// The smart link that was resolved inside of the app; nil where the app was opened with a URL of its own.
    public let smartlink: String?
    /// Where the service was asked and wants a newer app for this link than `ClientOptions.appVersion`: show it, and hold
    /// the link back in a filter. Nil where the app will do, and where nobody asked: a link that the app was opened with
    /// and that has no metadata is opened without asking.
    public let update: AppUpdate?

    private let changeable: LockedValue<Changeable>

    private struct Changeable {
        var urls: [DeeplinkPlatform: String] = [:]
        var wasOpened = false
        var wasRecorded = false
    }

    /// The router makes links that were opened.
    init(
        route: String?, routeParameters: [String: String], queryParameters: QueryParameters,
        metadata: DeeplinkMetadata?, metadataError: DeeplinkingError? = nil, redeemLimit: Int = 0,
        isUnique: Bool = false, isDeferred: Bool = false, openedURL: DeepLinkURL? = nil,
        sourceApplication: String? = nil, service: ServiceParameters = ServiceParameters(), smartlink: String? = nil,
        update: AppUpdate? = nil, urls: [DeeplinkPlatform: String] = [:]
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
        changeable = LockedValue(Changeable(urls: urls))
    }

    /// Whether filters let it pass and its target has run. False inside of handlers and target, true after them.
    public internal(set) var wasOpened: Bool {
        get { changeable.withLock { $0.wasOpened } }
        set { changeable.withLock { $0.wasOpened = newValue } }
    }

    /// URLs for single platforms, which the smart link takes instead of its template's; empty by default.
    public var urls: [DeeplinkPlatform: String] {
        changeable.withLock { $0.urls }
    }

    /// For HOKO's `addURL`, which changes a link that was made. The last one given for a platform counts.
    package func addURL(_ url: String, for platform: DeeplinkPlatform) {
        changeable.withLock { $0.urls[platform] = url }
    }

    /// The scheme of the URL that the app was opened with; nil where it has none and in a link made by the app.
    public var urlScheme: String? { openedURL?.scheme }

    /// The click that led here; nil where there was none.
    public var clickID: String? { service.clickID }

    /// Whether the link has metadata that is not here yet.
    public var needsMetadata: Bool { service.needsMetadata && metadata == nil }

    /// Whether a smart link led here.
    var isFromSmartlink: Bool { clickID != nil || service.smartlinkID != nil || smartlink != nil }

    /// True the first time: whoever gets it tells the service of the opening.
    func takeRecording() -> Bool {
        changeable.withLock { state in
            defer { state.wasRecorded = true }
            return !state.wasRecorded
        }
    }

    /// The same link with what was fetched for it.
    func with(_ metadata: DeeplinkMetadata?, update: AppUpdate?) -> Deeplink {
        Deeplink(
            route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
            redeemLimit: redeemLimit, isUnique: isUnique, isDeferred: isDeferred, openedURL: openedURL,
            sourceApplication: sourceApplication, service: service, smartlink: smartlink,
            update: update)
    }
}

/// A platform that a smart link can have a URL of its own for.
public enum DeeplinkPlatform: String, Sendable, Hashable, CaseIterable {
    /// Browsers of any kind, and the last resort of every other platform.
    case web
    /// iPhones.
    case iPhone = "iphone"
    /// iPads.
    case iPad = "ipad"
    /// Any device with iOS or iPadOS; behind `iPhone` and `iPad` where those have a URL.
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
    /// The name that HOKO's version 2 had for the platform on the wire: as here, but `universal` for `iOS`. Nil for
    /// platforms that it had not.
    public var hokoName: String? {
        switch self {
        case .web, .iPhone, .iPad, .android: rawValue
        case .iOS: "universal"
        case .macOS, .windows, .linux: nil
        }
    }
}
