public import WaymarkAPI

/// Who can ask the service where a smart link leads.
///
/// The router calls it for smart links that are opened and for metadata that a deep link announces. An implementation
/// adds platform, key, idempotency key, time limit and retries. It is called from the main actor and works elsewhere.
public protocol SmartlinkResolving: Sendable {
    /// Asks where the link leads, and takes a redeem where it has metadata under a limit.
    ///
    /// Throws whatever kept it from an answer; the router passes that on and opens without metadata.
    ///
    /// - Parameter subject: the smart link as it was opened, with its query; or the id of the click.
    func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse
}

/// Who can have the service make a smart link.
public protocol SmartlinkCreating: Sendable {
    /// Has a smart link made, and returns its URL (`https://go.example.com/Ab3dE9x`).
    ///
    /// Throws whatever kept it from an answer.
    func createSmartlink(_ link: LinkRequest) async throws -> String
}

/// How opening a link ended.
public enum SmartlinkOpening: Sendable {
    /// Its route was found, and its target has run.
    case opened(Deeplink)
    /// It was not opened: no route matches, a filter held it back, or another link was opened before the service answered.
    /// In the first two cases it is the current deep link unless the dialect drops links without a route.
    case notOpened(Deeplink)
    /// It could not be resolved; the error is the resolver's.
    case failed(any Error)

    /// The deep link that the smart link leads to, with its metadata; nil where it could not be resolved.
    public var deeplink: Deeplink? {
        switch self {
        case .opened(let deeplink), .notOpened(let deeplink): deeplink
        case .failed: nil
        }
    }
}

/// Who tells the service that the app was opened through a link.
public protocol DeeplinkOpenRecording: Sendable {
    /// Notes the opening of a link that has a click id. It is called on the main actor before filters run and must not
    /// wait: whoever sends keeps a queue.
    func recordOpen(of deeplink: Deeplink)
}
