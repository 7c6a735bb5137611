public import Foundation

/// The names of the HOKO SDK for iOS, so that an app that used it compiles with another import. New code uses
/// `Deeplinking` and `Deeplink` directly.
@MainActor
public enum Hoko {
    private static var shared: Deeplinking?

    /// Whether there is a router already, set up or made by `deeplinking()`.
    static var isSetUp: Bool { shared != nil }

    /// Sets the router up that `deeplinking()` answers. Only the first call counts.
    ///
    /// - Returns: false where a router was set up before; it stays.
    @discardableResult
    public static func setup(_ deeplinking: Deeplinking) -> Bool {
        guard shared == nil else { return false }
        shared = deeplinking
        return true
    }

    /// The app's router. Before `setup(_:)` it is one without domains and service, made at the first call: routes can be
    /// mapped and URLs opened, smart links fail with `DeeplinkingError.noService`.
    public static func deeplinking() -> Deeplinking {
        if let shared { return shared }
        let deeplinking = Deeplinking()
        shared = deeplinking
        return deeplinking
    }
}

/// The SDK's name for `Deeplink`.
public typealias HOKDeeplink = Deeplink
/// The name of `Deeplink` in the SDK's first version.
public typealias HKDeeplink = Deeplink
/// The SDK's name for `DeeplinkHandler`.
public typealias HOKHandlerProtocol = DeeplinkHandler
/// The SDK's name for `DeeplinkPlatform`.
public typealias HOKDeeplinkPlatform = DeeplinkPlatform

extension Deeplinking {
    /// The SDK's name for `map(_:to:)`.
    @discardableResult
    public func mapRoute(_ route: String, toTarget target: @escaping Target) -> DeeplinkingError? {
        map(route, to: target)
    }

    /// The SDK's name for `mapDefault(to:)`.
    @discardableResult
    public func mapDefaultRouteToTarget(_ target: @escaping Target) -> DeeplinkingError? {
        mapDefault(to: target)
    }

    /// The SDK's name for `addHandler(_:)` with a closure.
    public func addHandlerBlock(_ handle: @escaping Target) {
        addHandler(handle)
    }

    /// The SDK's name for `addFilter(_:)`.
    public func addFilterBlock(_ filter: @escaping Filter) {
        addFilter(filter)
    }

    /// The SDK's name for `open(_:)`.
    @discardableResult
    public func handleOpenURL(_ url: URL) -> Bool {
        open(url)
    }

    /// The SDK's name for `open(_:sourceApplication:)`; the annotation is not looked at.
    @discardableResult
    public func openURL(_ url: URL, sourceApplication: String?, annotation: Any?) -> Bool {
        open(url, sourceApplication: sourceApplication)
    }

    /// The SDK's name for `open(_:)` with a deep link.
    @discardableResult
    public func openDeeplink(_ deeplink: Deeplink) -> Bool {
        open(deeplink)
    }

    /// The SDK's name for `continueActivity(_:)`; the restoration handler is not called.
    @discardableResult
    public func continueUserActivity(
        _ activity: some BrowsingActivity, restorationHandler: ([AnyObject]?) -> Void
    ) -> Bool {
        continueActivity(activity)
    }

    /// The SDK's name for `generateSmartlink(for:success:failure:)`.
    public func generateSmartlinkForDeeplink(
        _ deeplink: Deeplink?, success: @escaping @MainActor @Sendable (String) -> Void,
        failure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
        generateSmartlink(for: deeplink, success: success, failure: failure)
    }
}

extension Deeplink {
    /// The SDK's form of `init(route:routeParameters:queryParameters:metadata:redeemLimit:isUnique:)`.
    public convenience init?(
        _ route: String, routeParameters: [String: Parameter] = [:], queryParameters: [String: Parameter] = [:],
        metadata: [String: Any]? = nil, redeemLimit: Int = 0, isUnique: Bool = false
    ) {
        self.init(
            route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
            redeemLimit: redeemLimit, isUnique: isUnique)
    }

    /// The SDK's name for `addURL(_:for:)`.
    public func addURL(_ url: String, forPlatform platform: DeeplinkPlatform) {
        addURL(url, for: platform)
    }
}
