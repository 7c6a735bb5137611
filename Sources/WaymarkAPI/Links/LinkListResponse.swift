import WaymarkJSON

/// One page of links, newest first.
public struct LinkListResponse: Sendable, Hashable {
    /// May be fewer than requested even if there is a cursor.
    public var links: [LinkResponse]
    /// The start of the next page; nil on the last page.
    public var cursor: String?

    public init(links: [LinkResponse], cursor: String?) {
        self.links = links
        self.cursor = cursor
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("links", links) { $0.write(to: &$1) }
            writer.member("cursor", cursor)
            writer.endObject()
        }
    }

    /// Decodes a page in a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let links = value["links"]?.array else { return nil }
        self.links = links.compactMap { LinkResponse($0) }
        cursor = value["cursor"]?.string
    }
}
