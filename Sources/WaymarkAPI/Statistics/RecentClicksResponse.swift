package import WaymarkJSON

/// What people clicked lately on the links of a page of the list, day by day.
public struct RecentClicksResponse: Sendable, Hashable {
    public struct Link: Sendable, Hashable {
        /// Of each day, from the first one on.
        public var people: [Int]
        /// The last of the days with a click, such as "2026-11-21"; nil if there was none.
        public var lastClicked: String?

        public init(people: [Int], lastClicked: String?) {
            self.people = people
            self.lastClicked = lastClicked
        }
    }

    /// The first day and the last one, which is today in UTC.
    public var from: String
    public var to: String
    /// Whether all clicks of these days are known.
    public var isComplete: Bool
    /// In the order of the page's links.
    public var links: [Link]

    public init(from: String, to: String, isComplete: Bool, links: [Link]) {
        self.from = from
        self.to = to
        self.isComplete = isComplete
        self.links = links
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("from", from)
        writer.member("to", to)
        writer.member("timeZone", "UTC")
        writer.member("complete", isComplete)
        writer.array("links", links) { link, writer in
            writer.beginObject()
            writer.array("people", link.people) { $1.integer($0) }
            writer.member("lastClicked", link.lastClicked)
            writer.endObject()
        }
        writer.endObject()
    }
}
