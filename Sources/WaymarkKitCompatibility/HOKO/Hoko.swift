import Foundation
public import WaymarkKit

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

extension Hoko {
    /// The SDK's `setupWithToken:customDomain:` for a service of one's own: makes the client and the router that
    /// `deeplinking()` answers. Only the first call counts.
    ///
    /// Throws what making the client throws, and errors of the file system where there is no folder for what is kept.
    ///
    /// - Parameters:
    ///   - token: the API key, with the scopes `resolve` and `create` only.
    ///   - service: the service's address, `https://go.example.com`.
    ///   - app: the application's id at the service, needed for deferred deep links.
    ///   - urlSchemes: the app's own URL schemes.
    ///   - domains: the hosts that serve the app's smart links; the service's own where none is given.
    ///   - storage: what outlasts the app; by default a folder in the application support folder.
    /// - Returns: the client; nil where a router was set up before, which stays.
    @discardableResult
    public static func setup(
        token: String, service: String, app: String? = nil, urlSchemes: [String], domains: [String] = [],
        storage: (any ClientStorage)? = nil
    ) throws -> WaymarkClient? {
        guard !isSetUp else { return nil }
        let client = try WaymarkClient(
            service: service, key: token, options: ClientOptions(app: app, domains: Set(domains)),
            storage: try storage ?? FileStorage.applicationSupport())
        setup(Deeplinking(client: client, urlSchemes: urlSchemes))
        return client
    }

    /// The SDK's `setupWithToken:customDomain:`: the service is at `https://` and the domain, and the app's URL schemes are
    /// those of its Info.plist. Only the first call counts. `setup(token:service:app:urlSchemes:domains:storage:)` says
    /// more, the application's id for deferred deep links above all.
    ///
    /// - Returns: why there is no service: smart links then fail with `DeeplinkingError.noService`, routes work. The SDK
    ///   logged it.
    @discardableResult
    public static func setupWithToken(_ token: String, customDomain: String) -> (any Error)? {
        let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]]
        let schemes = (types ?? []).flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        do {
            try setup(token: token, service: "https://" + customDomain, urlSchemes: schemes)
            return nil
        } catch {
            setup(Deeplinking(urlSchemes: schemes, domains: [customDomain]))
            return error
        }
    }

    /// The SDK's switch for its log. Nothing is logged here, so nothing changes.
    public static func setVerbose(_ isVerbose: Bool) {}
}

/// The SDK's name for `Deeplink`.
public typealias HOKDeeplink = Deeplink
/// The name of `Deeplink` in the SDK's first version.
public typealias HKDeeplink = Deeplink
/// The SDK's name for `DeeplinkPlatform`.
public typealias HOKDeeplinkPlatform = DeeplinkPlatform

/// The SDK's name for `DeeplinkHandler`, as its documentation spells it.
@MainActor
public protocol HOKHandlerProtocol: DeeplinkHandler {}
/// The SDK's name for `DeeplinkHandler`, as its headers spell it.
public typealias HOKHandlerProcotol = HOKHandlerProtocol

extension Deeplink {
    /// The SDK's form of `init(route:routeParameters:queryParameters:metadata:redeemLimit:isUnique:urls:)`: nil where a route
    /// parameter is missing.
    public convenience init?(
        _ route: String, routeParameters: [String: Parameter] = [:], queryParameters: [String: Parameter] = [:],
        metadata: [String: Any]? = nil, redeemLimit: Int = 0, isUnique: Bool = false
    ) {
        do {
            try self.init(
                route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
                redeemLimit: redeemLimit, isUnique: isUnique)
        } catch {
            return nil
        }
    }

    /// The SDK's way to give the smart link a URL for one platform, after the link was made. The last one given for a
    /// platform counts.
    public func addURL(_ url: String, forPlatform platform: DeeplinkPlatform) {
        addURL(url, for: platform)
    }
}

extension DeeplinkPlatform {
    /// `HOKDeeplinkPlatformWeb`, as Swift imported it.
    public static let Web = DeeplinkPlatform.web
    /// `HOKDeeplinkPlatformAndroid`, as Swift imported it.
    public static let Android = DeeplinkPlatform.android
}
