import WaymarkJSON

/// The clicks of one second: the data of an event of `GET /api/v1/clicks/live`.
public struct LiveClicksEvent: Sendable, Hashable {
    public struct Link: Sendable, Hashable {
        public var domain: String
        public var slug: String
        public var count: ClicksResponse.Count

        public init(domain: String, slug: String, count: ClicksResponse.Count) {
            self.domain = domain
            self.slug = slug
            self.count = count
        }
    }

    /// The end of the second; RFC 3339.
    public var at: String
    /// The links with clicks, those with the most clicks of people first; at most 500.
    public var links: [Link]

    public init(at: String, links: [Link]) {
        self.at = at
        self.links = links
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("at", at)
            writer.array("links", links) { link, writer in
                writer.beginObject()
                writer.member("domain", link.domain)
                writer.member("slug", link.slug)
                writer.member("people", link.count.people)
                writer.member("bots", link.count.bots)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
