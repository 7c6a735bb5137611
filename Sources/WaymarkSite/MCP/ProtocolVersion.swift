/// The revisions of the Model Context Protocol that this server speaks. They differ in nothing that it sends, apart from members
/// that clients of the older one ignore. Revision 2025-03-26 is not among them: its servers must accept batches.
package enum ProtocolVersion {
    package static let latest = "2025-11-25"
    package static let all = [latest, "2025-06-18"]

    /// The answer to a client that asks for this revision.
    static func negotiated(_ asked: String) -> String { all.contains(asked) ? asked : latest }
}
