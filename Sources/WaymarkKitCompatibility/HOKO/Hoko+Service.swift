import Foundation
public import WaymarkKit

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
