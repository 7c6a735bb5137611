internal import WaymarkJSON

/// A link's opens and installs by day: the response of `GET /api/v1/links/{domain}/{slug}/events`.
public struct ActivityResponse: Sendable, Hashable {
    public struct Counts: Sendable, Hashable {
        public var opens: Int
        public var installs: Int
        public var resolves: Int
        public var redeems: Int
        public var claims: Int
        public var conversions: Int

        public init(
            opens: Int = 0, installs: Int = 0, resolves: Int = 0, redeems: Int = 0, claims: Int = 0,
            conversions: Int = 0
        ) {
            self.opens = opens
            self.installs = installs
            self.resolves = resolves
            self.redeems = redeems
            self.claims = claims
            self.conversions = conversions
        }
    }

    public struct Day: Sendable, Hashable {
        /// The start of the day, RFC 3339.
        public var start: String
        public var counts: Counts

        public init(start: String, counts: Counts) {
            self.start = start
            self.counts = counts
        }
    }

    /// The start of the first day and the end of the last one, RFC 3339.
    public var from: String
    public var to: String
    public var total: Counts
    public var series: [Day]

    public init(from: String, to: String, total: Counts, series: [Day]) {
        self.from = from
        self.to = to
        self.total = total
        self.series = series
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("from", from)
            writer.member("to", to)
            writer.member("timeZone", "UTC")
            writer.name("total")
            writer.beginObject()
            total.write(to: &writer)
            writer.endObject()
            writer.array("series", series) { day, writer in
                writer.beginObject()
                writer.member("start", day.start)
                day.counts.write(to: &writer)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}

extension ActivityResponse.Counts {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("opens", opens)
        writer.member("installs", installs)
        writer.member("resolves", resolves)
        writer.member("redeems", redeems)
        writer.member("claims", claims)
        writer.member("conversions", conversions)
    }
}
