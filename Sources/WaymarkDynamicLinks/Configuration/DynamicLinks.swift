public import Foundation
public import WaymarkKit

/// The names of Firebase Dynamic Links' SDK for Swift (`FirebaseDynamicLinks` 11.15.0), on top of WaymarkKit: receives
/// the links that the app is opened with.
///
///     DynamicLinks.configure(client: client)
///     …
///     let handled = DynamicLinks.dynamicLinks().handleUniversalLink(url) { link, error in … }
///
/// Without `configure`, the settings are read from Info.plist when first needed:
///
/// | key | value |
/// |---|---|
/// | `WaymarkService` | the service's URL, such as `https://go.example.com` |
/// | `WaymarkKey` | an API key with the scopes `resolve` and `create` only |
/// | `WaymarkApp` | the application's ID at the service; needed for pending links |
/// | `FirebaseDynamicLinksCustomDomains` | as for Firebase: `https://` URLs of the link domains, with a path prefix if there is one. Default: the service's host |
/// | `CFBundleURLTypes` | the app's URL schemes |
///
/// The client made from these keys stores its events in a folder of its own. An app that calls `configure` leaves
/// `WaymarkService` and `WaymarkKey` out: a link that arrives before the call would otherwise make a second client,
/// which counts a second installation.
///
/// If they are missing, calls that need the service fail with `DynamicLinksErrorCode.notConfigured`, and
/// `performDiagnostics` says what is missing. `FirebaseApp` is not used: the app configures it for other products.
///
/// It may be used from any thread.
public final class DynamicLinks: NSObject, Sendable {
    private struct State {
        var configuration: DynamicLinksConfiguration?
        var lastClickID: String?
    }

    static let shared = DynamicLinks(nil)

    private let state: LockedValue<State>

    /// - Parameter configuration: nil to read Info.plist when first needed.
    package init(_ configuration: DynamicLinksConfiguration?) {
        state = LockedValue(State(configuration: configuration))
    }

    /// The instance that the app uses.
    @discardableResult
    public static func dynamicLinks() -> DynamicLinks { shared }

    /// Sets the client that resolves and creates links. Call it at launch, before links are handled and before
    /// `performDiagnostics`. A later call replaces it.
    ///
    /// - Parameters:
    ///   - client: the app's client. Its key needs the scope `resolve`, and `create` to shorten links. Its
    ///     `ClientOptions.domains` need the host of each link domain: pending links on other hosts are not claimed.
    ///   - domainURIPrefixes: `https://` URLs of the link domains, with a path prefix if there is one. Default:
    ///     `FirebaseDynamicLinksCustomDomains` in Info.plist; without it, the client's domains. They decide which URLs
    ///     are handled; the client's own domains decide which pending links are claimed.
    ///   - urlSchemes: the app's URL schemes. Default: those in Info.plist. The bundle ID is always one.
    public static func configure(
        client: WaymarkClient, domainURIPrefixes: [String]? = nil, urlSchemes: [String]? = nil
    ) {
        shared.configure(
            DynamicLinksConfiguration(
                client: client, domainURIPrefixes: domainURIPrefixes, urlSchemes: urlSchemes,
                information: BundleInformation(.main)))
    }

    package func configure(_ configuration: DynamicLinksConfiguration?) {
        state.withLock { $0 = State(configuration: configuration) }
    }

    var configuration: DynamicLinksConfiguration {
        state.withLock { state in
            if let configuration = state.configuration { return configuration }
            let configuration = DynamicLinksConfiguration(
                infoDictionary: Bundle.main.infoDictionary ?? [:], bundleIdentifier: Bundle.main.bundleIdentifier)
            state.configuration = configuration
            return configuration
        }
    }

    /// The configured client. Throws the error for apps that have none.
    func client() throws -> WaymarkClient {
        let configuration = configuration
        guard let client = configuration.client else {
            throw DynamicLinksFailure(.notConfigured, configuration.problem ?? "").error
        }
        return client
    }

    /// Runs an operation and passes its outcome to a completion handler, once, on the main actor.
    static func complete<Value: Sendable>(
        _ completion: @escaping @MainActor (Value?, (any Error)?) -> Void,
        _ operation: @escaping @Sendable () async throws -> Value?
    ) {
        Task { @MainActor in
            do {
                completion(try await operation(), nil)
            } catch {
                completion(nil, error)
            }
        }
    }

    /// Whether the click is another than that of the last call.
    func isNew(_ clickID: String) -> Bool {
        state.withLock { state in
            defer { state.lastClickID = clickID }
            return state.lastClickID != clickID
        }
    }
}
