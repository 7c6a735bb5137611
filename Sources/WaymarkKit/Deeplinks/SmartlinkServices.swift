public import WaymarkAPI

/// Resolves smart links through the service.
///
/// The router calls it for smart links that are opened and for metadata that a deep link announces. An implementation
/// adds the platform, key, idempotency key, time limit and retries. It is called on any thread.
public protocol SmartlinkResolving: Sendable {
    /// Resolves a link. This takes a redeem if its metadata has a redeem limit.
    ///
    /// May throw any error; the router passes it on and opens the link without metadata.
    ///
    /// - Parameter subject: the smart link as it was opened, with its query, or the click's ID.
    func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse
}

/// Creates smart links through the service.
public protocol SmartlinkCreating: Sendable {
    /// Creates a smart link and returns its URL (`https://go.example.com/Ab3dE9x`).
    ///
    /// May throw any error.
    func createSmartlink(_ link: LinkRequest) async throws -> String
}

/// The outcome of opening a link.
public enum SmartlinkOpening: Sendable {
    /// A route matched, and its target has run.
    case opened(Deeplink)
    /// The link was not opened: no route matched, a filter held it back, or another link was opened before the
    /// service responded. In the first two cases it becomes the current deep link, unless the dialect drops links
    /// without a route.
    case notOpened(Deeplink)
    /// The link could not be resolved; the error is the resolver's, or `WaymarkClientError.timedOut` at
    /// `openingTimeLimit`.
    case failed(any Error)
    /// The URL is not one of the app: its scheme is none of `Deeplinking.urlSchemes`, or it is longer than
    /// `DeepLinkURL.lengthLimit`. Nothing has run, and the current deep link is unchanged.
    case notHandled

    /// The deep link that the smart link leads to, with its metadata; nil if it could not be resolved or was not handled.
    public var deeplink: Deeplink? {
        switch self {
        case .opened(let deeplink), .notOpened(let deeplink): deeplink
        case .failed, .notHandled: nil
        }
    }
}

/// Records that the app was opened through a link.
public protocol DeeplinkOpenRecording: Sendable {
    /// Records the opening of a link that came from a smart link. Called on the main actor before filters run. It
    /// must not block: an implementation queues the event and sends it later.
    func recordOpen(of deeplink: Deeplink)
}
