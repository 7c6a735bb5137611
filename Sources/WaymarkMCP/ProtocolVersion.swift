/// The revisions of the Model Context Protocol that this server speaks. They differ in nothing that it sends, apart from members
/// that clients of older revisions ignore.
package enum ProtocolVersion {
    package static let latest = "2025-11-25"
    package static let all = [latest, "2025-06-18", "2025-03-26"]

    /// The answer to a client that asks for this revision.
    static func negotiated(_ asked: String) -> String { all.contains(asked) ? asked : latest }
}
