import Foundation
public import WaymarkKit

/// The API of the HOKO SDK for iOS, so that an app that used it compiles with another import. New code should use
/// `Deeplinking` and `Deeplink` directly.
@MainActor
public enum Hoko {
    private static var shared: Deeplinking?

    /// Whether a router exists, set up or created by `deeplinking()`.
    static var isSetUp: Bool { shared != nil }

    /// Sets the router that `deeplinking()` returns. Only the first call has an effect.
    ///
    /// - Returns: false if there is already a router, which is kept.
    @discardableResult
    public static func setup(_ deeplinking: Deeplinking) -> Bool {
        guard shared == nil else { return false }
        shared = deeplinking
        return true
    }

    /// The app's router. If `setup(_:)` has not been called, the first call creates one without domains or a service:
    /// routes can be mapped and URLs opened, but smart links fail with `DeeplinkingError.noService`.
    public static func deeplinking() -> Deeplinking {
        if let shared { return shared }
        let deeplinking = Deeplinking(dialect: .ios)
        shared = deeplinking
        return deeplinking
    }
}

extension Hoko {
    /// The SDK's `setupWithToken:customDomain:` for a self-hosted service: creates the client and the router that
    /// `deeplinking()` returns. Only the first call has an effect.
    ///
    /// Throws the errors of creating the client, and file system errors if the storage folder can't be found.
    ///
    /// - Parameters:
    ///   - token: the API key, with the scopes `resolve` and `create` only.
    ///   - service: the service's URL, such as `https://go.example.com`.
    ///   - app: the application's ID at the service, required for deferred deep links.
    ///   - urlSchemes: the app's own URL schemes.
    ///   - domains: the hosts that serve the app's smart links. Default: the service's own host.
    ///   - storage: persistent storage. Default: a folder in the application support folder.
    /// - Returns: the client; nil if there was already a router, which is kept.
    @discardableResult
    public static func setup(
        token: String, service: String, app: String? = nil, urlSchemes: [String], domains: [String] = [],
        storage: (any ClientStorage)? = nil
    ) throws -> WaymarkClient? {
        guard !isSetUp else { return nil }
        let client = try WaymarkClient(
            service: service, key: token, options: ClientOptions(app: app, domains: Set(domains)),
            storage: try storage ?? FileStorage.applicationSupport())
        setup(Deeplinking(client: client, urlSchemes: urlSchemes, dialect: .ios))
        return client
    }

    /// The SDK's `setupWithToken:customDomain:`: the service is at `https://` plus the domain, and the app's URL
    /// schemes are those in its Info.plist. Only the first call has an effect.
    /// `setup(token:service:app:urlSchemes:domains:storage:)` has more options, such as the application's ID, which
    /// deferred deep links require.
    ///
    /// - Returns: the error if there is no service: smart links then fail with `DeeplinkingError.noService`, but
    ///   routes work. The SDK logged it.
    @discardableResult
    public static func setupWithToken(_ token: String, customDomain: String) -> (any Error)? {
        let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]]
        let schemes = (types ?? []).flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        do {
            try setup(token: token, service: "https://" + customDomain, urlSchemes: schemes)
            return nil
        } catch {
            setup(Deeplinking(urlSchemes: schemes, domains: [customDomain], dialect: .ios))
            return error
        }
    }

    /// The SDK's switch for logging. Has no effect, because nothing is logged.
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
    /// The SDK's form of `init(route:routeParameters:queryParameters:metadata:redeemLimit:isUnique:urls:)`: nil if a
    /// route parameter is missing.
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

    /// The SDK's way of adding a platform-specific URL to an existing link. The last URL for a platform wins.
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
