import WaymarkJSON

/// The number of events of one request by outcome; none should be sent again.
public struct EventsResponse: Sendable, Hashable {
    /// Counted for their link.
    public var counted: Int
    /// Accepted, but not related to a link of the key's application.
    public var unattributed: Int
    /// Duplicates, not counted again.
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

    /// Decodes a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json), let counted = document.root["counted"]?.integer,
            let unattributed = document.root["unattributed"]?.integer,
            let duplicates = document.root["duplicates"]?.integer
        else { return nil }
        self.init(counted: counted, unattributed: unattributed, duplicates: duplicates)
    }
}
