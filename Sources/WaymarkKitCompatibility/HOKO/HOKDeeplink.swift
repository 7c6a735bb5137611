import Foundation
public import WaymarkKit

/// The SDK's deep link: one that the app was opened with, or one that the app creates to share it.
///
/// An instance may be used from any thread. Filters, handlers and the target receive the same one.
public final class HOKDeeplink: Sendable {
    /// The same link for WaymarkKit. If route parameters are missing, it has no route.
    public let base: Deeplink
    /// The route as it was mapped (`products/:product_id`); nil if no route matches.
    public let route: String?
    /// Why the link can't be shared or opened: route parameters are missing.
    let error: DeeplinkingError?

    private let routeValues: [String: String]
    private let limit: LockedValue<Int>

    /// Wraps a link of WaymarkKit.
    public init(_ base: Deeplink) {
        self.base = base
        route = base.route
        error = nil
        routeValues = base.routeParameters
        limit = LockedValue(base.redeemLimit)
    }

    /// Creates a link to share or to open. It always succeeds; if a route parameter is missing, generating a smart
    /// link fails with code 11, and `openDeeplink(_:)` returns false.
    ///
    /// - Parameters:
    ///   - route: the format, such as `products/:product_id`. Default: nil, a link that only leads to the URLs of
    ///     `addURL(_:forPlatform:)`.
    ///   - routeParameters: a value for each variable, written as text.
    ///   - queryParameters: the items of the query, written as text.
    ///   - metadata: a JSON object for the app only. Anything else is left out, as code 15 in the log.
    ///   - unique: whether an equal link gets the same smart link again. Default: false.
    ///   - redeemLimit: see `redeemLimit`. Default: 0.
    public init(
        route: String? = nil, routeParameters: [String: Any]? = nil, queryParameters: [String: Any]? = nil,
        metadata: [String: Any]? = nil, unique: Bool = false, redeemLimit: Int = 0
    ) {
        let values = Self.texts(routeParameters)
        let query = Self.texts(queryParameters)
        var failure: DeeplinkingError?
        var made: Deeplink?
        if let route {
            do throws(DeeplinkingError) {
                made = try Deeplink(
                    route: route, routeParameters: values, queryParameters: query, metadata: metadata,
                    redeemLimit: redeemLimit, isUnique: unique)
            } catch {
                failure = error
            }
        }
        base =
            made
            ?? Deeplink(
                queryParameters: query, metadata: metadata, redeemLimit: redeemLimit, isUnique: unique)
        self.route = made?.route ?? route
        error = failure
        routeValues = values
        limit = LockedValue(max(0, redeemLimit))
        if let metadataError = base.metadataError { HOKError.log(metadataError) }
    }

    /// The form of the SDK's documentation, without a label for the route.
    public convenience init(
        _ route: String?, routeParameters: [String: Any]? = nil, queryParameters: [String: Any]? = nil,
        metadata: [String: Any]? = nil, unique: Bool = false, redeemLimit: Int = 0
    ) {
        self.init(
            route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
            unique: unique, redeemLimit: redeemLimit)
    }

    /// The SDK's name for `init()`.
    public static func deeplink() -> HOKDeeplink { HOKDeeplink() }

    private static func texts(_ values: [String: Any]?) -> [String: String] {
        (values ?? [:]).compactMapValues { text(of: $0) }
    }

    /// Nil for nil in an `Any`, which would otherwise read `nil` or `Optional(…)` in the URL.
    private static func text(of value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { text(of: $0.value) } }
        return value is NSNull ? nil : "\(value)"
    }
}

// The SDK before 2.5 imported these as implicitly unwrapped, 2.5 as optional: this type takes both `[…]` and `?[…]`,
// and it is never nil.
extension HOKDeeplink {
    /// The decoded values of the route's variables. Never nil; empty if there are none.
    public var routeParameters: [String: String]! { routeValues }

    /// The decoded query. Never nil. A name without a value (`?flag`) is not in it.
    public var queryParameters: [String: String]! {
        var values: [String: String] = [:]
        for (name, value) in base.queryParameters { values[name] = value }
        return values
    }
}

extension HOKDeeplink {
    /// The smart link's data for the app only, as Foundation's JSON values (`String`, `Int`, `Double`, `Bool`, `NSNull`,
    /// arrays and dictionaries); nil if it has none, or its redeem limit is reached.
    public var metadata: [String: Any]? { base.metadata?.members.mapValues(\.foundationValue) }

    /// The link as the SDK wrote it: `route`, `routeParameters`, `queryParameters` and `metadata`; `NSNull` for what
    /// is missing.
    public var json: [String: Any] {
        var query: [String: Any] = [:]
        for (name, value) in base.queryParameters { query[name] = value ?? NSNull() as Any }
        return [
            "route": route ?? NSNull() as Any, "routeParameters": route == nil ? NSNull() as Any : routeValues,
            "queryParameters": query, "metadata": metadata ?? NSNull() as Any,
        ]
    }

    /// How many resolves of the generated smart link receive the metadata; 0 means unlimited. Set it before the smart
    /// link is generated.
    public var redeemLimit: Int {
        get { limit.withLock { $0 } }
        set { limit.withLock { $0 = max(0, newValue) } }
    }

    /// Whether the link was opened before the app was installed.
    public var isDeferred: Bool { base.isDeferred }

    /// Whether all filters passed and the target has run.
    public var wasOpened: Bool { base.wasOpened }

    /// The app that opened the URL, if the system reports it; otherwise nil.
    public var sourceApplication: String? { base.sourceApplication }

    /// Adds the URL that the smart link leads to on a platform. The last URL for a platform wins.
    ///
    /// The service refuses hosts that the application does not list in `destinations`.
    public func addURL(_ url: String, forPlatform platform: HOKDeeplinkPlatform) {
        base.addURL(url, for: platform)
    }

    /// The link to generate a smart link for.
    func shared() throws(DeeplinkingError) -> Deeplink {
        if let error { throw error }
        let limit = redeemLimit
        guard limit != base.redeemLimit else { return base }
        guard let route = base.route else {
            return Deeplink(
                queryParameters: queryParameters, metadata: metadata, redeemLimit: limit, isUnique: base.isUnique,
                urls: base.urls)
        }
        return try Deeplink(
            route: route, routeParameters: base.routeParameters, queryParameters: queryParameters, metadata: metadata,
            redeemLimit: limit, isUnique: base.isUnique, urls: base.urls)
    }
}

extension HOKDeeplink: CustomStringConvertible {
    /// Route and parameter names for logs, without values.
    public var description: String { "HOK" + base.description }
}

extension MetadataValue {
    /// The value as Foundation's JSON reader returns it.
    fileprivate var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}

/// The name of `HOKDeeplink` in the SDK's first version.
public typealias HKDeeplink = HOKDeeplink

/// The SDK's name for `DeeplinkPlatform`.
public typealias HOKDeeplinkPlatform = DeeplinkPlatform

extension DeeplinkPlatform {
    /// `HOKDeeplinkPlatformWeb`, as Swift 2 imported it.
    public static let Web = DeeplinkPlatform.web
    /// `HOKDeeplinkPlatformAndroid`, as Swift 2 imported it.
    public static let Android = DeeplinkPlatform.android
    /// `HOKDeeplinkPlatformIPhone`, as Swift 2 imported it.
    public static let IPhone = DeeplinkPlatform.iPhone
    /// `HOKDeeplinkPlatformIPad`, as Swift 2 imported it.
    public static let IPad = DeeplinkPlatform.iPad
    /// `HOKDeeplinkPlatformIOSUniversal`, as Swift 2 imported it.
    public static let IOSUniversal = DeeplinkPlatform.iOS
    /// `HOKDeeplinkPlatformIOSUniversal`, as Swift 3 and later import it.
    public static let iosUniversal = DeeplinkPlatform.iOS
}
