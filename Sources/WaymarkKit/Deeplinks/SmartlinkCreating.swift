public import WaymarkAPI

/// Who can have the service make a smart link.
public protocol SmartlinkCreating: Sendable {
    /// Has a smart link made, and returns its URL (`https://go.example.com/Ab3dE9x`).
    ///
    /// Throws whatever kept it from an answer.
    func createSmartlink(_ link: LinkRequest) async throws -> String
}
