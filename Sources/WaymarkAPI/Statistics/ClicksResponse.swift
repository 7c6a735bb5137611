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
    /// The sum of each day's unique visitors; nil if those of a day were not counted.
    public var visitors: Int?
    public var series: [Interval]
    /// False if clicks may be missing.
    public var isComplete: Bool

    public init(
        from: String, to: String, interval: String, by: String?, total: Count, visitors: Int?, series: [Interval],
        isComplete: Bool = true
    ) {
        self.from = from
        self.to = to
        self.interval = interval
        self.by = by
        self.total = total
        self.visitors = visitors
        self.series = series
        self.isComplete = isComplete
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("from", from)
            writer.member("to", to)
            writer.member("interval", interval)
            writer.member("timeZone", "UTC")
            writer.member("complete", isComplete)
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
    func write(to writer: inout JSONWriter) {
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

extension ClicksResponse {
    /// The labels of clicks without a value, and of clicks with any other value.
    static let none = "(none)"
    static let rest = "(rest)"

    /// The same numbers as CSV (RFC 4180): a row for each interval, or for each value of each interval. An interval
    /// without clicks also has a row.
    public var csv: [UInt8] {
        var table = CSVTable()
        guard let by else {
            table.add(["start", "people", "bots", "visitors"])
            for interval in series {
                table.add([
                    localStart(interval), String(interval.count.people), String(interval.count.bots),
                    interval.visitors.map { String($0) } ?? "",
                ])
            }
            return table.bytes
        }
        table.add(["start", by, "people", "bots"])
        for interval in series {
            func add(_ value: String, _ count: Count) {
                table.add([localStart(interval), value, String(count.people), String(count.bots)])
            }
            for value in interval.values { add(value.value ?? Self.none, value.count) }
            if let rest = interval.rest { add(Self.rest, rest) }
            if interval.values.isEmpty, interval.rest == nil { add(Self.none, Count(people: 0, bots: 0)) }
        }
        return table.bytes
    }

    /// As in `ClickReportResponse`, in UTC.
    private func localStart(_ interval: Interval) -> String {
        self.interval == "day" ? String(interval.start.prefix(10)) : interval.start
    }
}

/// Rows of comma-separated values (RFC 4180).
package struct CSVTable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private mutating func append(_ field: String) {
        var text = Array(field.utf8)
        // Spreadsheets would run it as a formula, and visitors choose this text. Some of them skip leading tabs and
        // line ends.
        if let first = text.first, "=+-@\t\r\n".utf8.contains(first) { text.insert(UInt8(ascii: "'"), at: 0) }
        guard text.contains(where: { "\",\r\n".utf8.contains($0) }) else {
            bytes.append(contentsOf: text)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
