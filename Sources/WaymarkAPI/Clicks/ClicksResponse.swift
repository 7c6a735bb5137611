import WaymarkJSON

/// A link's clicks in a period, by interval.
public struct ClicksResponse: Sendable, Hashable {
    /// Clicks of people and of bots.
    public struct Count: Sendable, Hashable {
        public var people: Int
        public var bots: Int

        public init(people: Int, bots: Int) {
            self.people = people
            self.bots = bots
        }
    }

    public struct Value: Sendable, Hashable {
        /// Nil: clicks without a value.
        public var value: String?
        public var count: Count

        public init(value: String?, count: Count) {
            self.value = value
            self.count = count
        }
    }

    public struct Interval: Sendable, Hashable {
        /// RFC 3339.
        public var start: String
        public var count: Count
        /// Unique visitors (people); nil if not counted.
        public var visitors: Int?
        /// The most frequent values first, at most 100; empty if the query names no field.
        public var values: [Value]
        /// The total of all other values; nil if there are none.
        public var rest: Count?

        public init(start: String, count: Count, visitors: Int?, values: [Value] = [], rest: Count? = nil) {
            self.start = start
            self.count = count
            self.visitors = visitors
            self.values = values
            self.rest = rest
        }
    }

    /// The start of the first interval. All times are RFC 3339.
    public var from: String
    /// The end of the last interval.
    public var to: String
    /// `hour` or `day`.
    public var interval: String
    /// The field that the clicks of each interval are grouped by.
    public var by: String?
    public var total: Count
    /// The sum of each day's unique visitors; nil if not counted.
    public var visitors: Int?
    public var series: [Interval]

    public init(
        from: String, to: String, interval: String, by: String?, total: Count, visitors: Int?, series: [Interval]
    ) {
        self.from = from
        self.to = to
        self.interval = interval
        self.by = by
        self.total = total
        self.visitors = visitors
        self.series = series
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("from", from)
            writer.member("to", to)
            writer.member("interval", interval)
            writer.member("timeZone", "UTC")
            writer.member("by", by)
            writer.name("total")
            writer.beginObject()
            total.write(to: &writer)
            writer.member("visitors", visitors)
            writer.endObject()
            writer.array("series", series) { $0.write(to: &$1, withValues: by != nil) }
            writer.endObject()
        }
    }
}

extension ClicksResponse.Count {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("people", people)
        writer.member("bots", bots)
    }
}

extension ClicksResponse.Interval {
    fileprivate func write(to writer: inout JSONWriter, withValues: Bool) {
        writer.beginObject()
        writer.member("start", start)
        count.write(to: &writer)
        writer.member("visitors", visitors)
        if withValues {
            writer.name("by")
            writer.beginArray()
            for value in values {
                writer.beginObject()
                writer.member("value", value.value)
                value.count.write(to: &writer)
                writer.endObject()
            }
            if let rest {
                writer.beginObject()
                writer.member("rest", true)
                rest.write(to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }
}
