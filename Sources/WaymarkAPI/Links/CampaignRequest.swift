package import WaymarkJSON

/// The values of the `utm_*` parameters added to web destinations.
public struct CampaignRequest: Sendable, Hashable {
    public var source: String?
    public var medium: String?
    public var name: String?
    public var term: String?
    public var content: String?

    public init(
        source: String? = nil, medium: String? = nil, name: String? = nil, term: String? = nil,
        content: String? = nil
    ) {
        self.source = source
        self.medium = medium
        self.name = name
        self.term = term
        self.content = content
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("medium", medium)
        writer.member("name", name)
        writer.member("term", term)
        writer.member("content", content)
        writer.endObject()
    }

    init(reading reader: inout ObjectReader) {
        source = reader.string("source")
        medium = reader.string("medium")
        name = reader.string("name")
        term = reader.string("term")
        content = reader.string("content")
    }
}
