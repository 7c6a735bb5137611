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
