import WaymarkJSON

/// What became of the events of one request; none of them is worth sending again.
public struct EventsResponse: Sendable, Hashable {
    /// Counted for the link that they name.
    public var counted: Int
    /// Taken, but leading to no link of the key's application.
    public var unattributed: Int
    /// Counted before, and not again.
    public var duplicates: Int

    public init(counted: Int, unattributed: Int, duplicates: Int) {
        self.counted = counted
        self.unattributed = unattributed
        self.duplicates = duplicates
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("counted", counted)
            writer.member("unattributed", unattributed)
            writer.member("duplicates", duplicates)
            writer.endObject()
        }
    }

    /// Reads an answer that a server sent; nil where the bytes are none.
    public init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json), let counted = document.root["counted"]?.integer,
            let unattributed = document.root["unattributed"]?.integer,
            let duplicates = document.root["duplicates"]?.integer
        else { return nil }
        self.init(counted: counted, unattributed: unattributed, duplicates: duplicates)
    }
}
