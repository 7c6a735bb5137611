public import Foundation
public import WaymarkKit

/// The API of the HOKO SDK for iOS, so that an app that used it compiles with another import. New code should use
/// `Deeplinking` and `Deeplink` directly.
@preconcurrency @MainActor
public enum Hoko {
    private static var shared: HOKDeeplinking?

    /// The client, for deferred deep links and conversions; nil if the app set up none, or another router.
    public private(set) static var client: WaymarkClient?

    /// The app's router. If none has been set up, the first call creates one without domains or a service: routes can
    /// be mapped and URLs opened, but smart links fail with code 1.
    public static func deeplinking() -> HOKDeeplinking {
        if let shared { return shared }
        let deeplinking = HOKDeeplinking(Deeplinking(dialect: .ios))
        shared = deeplinking
        return deeplinking
    }

    /// The scene that received the last link; nil if it is unknown.
    static var sceneID: String? { shared?.router.currentDeeplink?.sceneID }

    /// The SDK's switch for logging. If true, errors are logged with `NSLog`: routes' formats and no values.
    public static func setVerbose(_ isVerbose: Bool) {
        HOKError.setVerbose(isVerbose)
    }

    /// Sets the router that `deeplinking()` returns. Only the first call has an effect.
    ///
    /// - Returns: false if there is already a router, which is kept.
    @discardableResult
    public static func setup(_ router: Deeplinking) -> Bool {
        guard shared == nil else { return false }
        shared = HOKDeeplinking(router)
        return true
    }

    /// Creates the client and the router that `deeplinking()` returns. Only the first call has an effect.
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
        guard shared == nil else { return nil }
        let client = try WaymarkClient(
            service: service, key: token, options: ClientOptions(app: app, domains: Set(domains)),
            storage: try storage ?? FileStorage.applicationSupport())
        setup(Deeplinking(client: client, urlSchemes: urlSchemes, dialect: .ios))
        self.client = client
        return client
    }
}

extension Hoko {
    /// The SDK's `setupWithToken:` and `setupWithToken:customDomain:`. Only the first call has an effect.
    ///
    /// HOKO had one service for all apps; a self-hosted one is named by the custom domain, or by `WaymarkService` in
    /// Info.plist. Info.plist also has the app's URL schemes (`CFBundleURLTypes`), and the application's ID at the
    /// service under `WaymarkApp`, which deferred deep links require.
    ///
    /// - Parameters:
    ///   - token: the API key, with the scopes `resolve` and `create` only.
    ///   - customDomain: the host of the service. Default: nil, the service in Info.plist.
    /// - Returns: the error; the SDK logged it. Code 1 if no service is named and 2 if there is a router already.
    ///   Without a service routes work, but smart links fail.
    @discardableResult
    public static func setupWithToken(_ token: String, customDomain: String? = nil) -> NSError? {
        setupWithToken(token, customDomain: customDomain, information: Bundle.main.infoDictionary ?? [:], storage: nil)
    }

    /// - Parameter information: the contents of Info.plist.
    static func setupWithToken(
        _ token: String, customDomain: String?, information: [String: Any], storage: (any ClientStorage)?
    ) -> NSError? {
        guard shared == nil else {
            return HOKError.log(HOKError.error(HOKError.setupTwice, "HOKO is set up already. Set it up once."))
        }
        let types = information["CFBundleURLTypes"] as? [[String: Any]] ?? []
        let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        if schemes.isEmpty {
            HOKError.log(
                HOKError.error(HOKError.noURLSchemes, "Info.plist has no URL scheme. Add one to CFBundleURLTypes."))
        }
        let domains = customDomain.map { [$0] } ?? []
        let named = information["WaymarkService"] as? String
        do {
            guard let service = customDomain.map({ "https://" + $0 }) ?? named else {
                throw DeeplinkingError.noService
            }
            try setup(
                token: token, service: service, app: information["WaymarkApp"] as? String, urlSchemes: schemes,
                storage: storage)
            return nil
        } catch {
            setup(Deeplinking(urlSchemes: schemes, domains: domains, dialect: .ios))
            return HOKError.log(error)
        }
    }

    /// For tests.
    static func reset() {
        shared = nil
        client = nil
    }
}
