import WaymarkJSON

/// The clicks on many links in a period, by interval: the response of `GET /api/v1/clicks`.
public struct ClickReportResponse: Sendable, Hashable {
    public typealias Count = ClicksResponse.Count
    public typealias Value = ClicksResponse.Value

    /// Clicks by the values of one field.
    public struct Values: Sendable, Hashable {
        public var field: String
        /// The most frequent values first, at most 100.
        public var values: [Value]
        /// The total of all other values; nil if there are none.
        public var rest: Count?

        public init(field: String, values: [Value], rest: Count? = nil) {
            self.field = field
            self.values = values
            self.rest = rest
        }
    }

    public struct Interval: Sendable, Hashable {
        /// RFC 3339, in UTC.
        public var start: String
        /// The start in the zone of the report: the date of a day, otherwise an RFC 3339 time with the zone's offset. For CSV,
        /// because spreadsheets show times as they are written.
        public var localStart: String
        public var count: Count
        /// Unique visitors (people); nil if not counted.
        public var visitors: Int?
        /// One entry for each field of the query.
        public var by: [Values]

        public init(start: String, localStart: String, count: Count, visitors: Int?, by: [Values] = []) {
            self.start = start
            self.localStart = localStart
            self.count = count
            self.visitors = visitors
            self.by = by
        }
    }

    public struct Link: Sendable, Hashable {
        public var domain: String
        public var slug: String
        public var title: String?
        public var count: Count

        public init(domain: String, slug: String, title: String?, count: Count) {
            self.domain = domain
            self.slug = slug
            self.title = title
            self.count = count
        }
    }

    /// A list of the most frequent ones, ordered by clicks of people.
    public enum Top: Sendable, Hashable {
        case links([Link])
        /// `referrers`, `countries`, `campaigns`, `unknown` or `probes`.
        case values(name: String, [Value])
    }

    /// The total of an earlier period.
    public struct Comparison: Sendable, Hashable {
        public var from: String
        public var to: String
        public var total: Count
        public var visitors: Int?

        public init(from: String, to: String, total: Count, visitors: Int?) {
            self.from = from
            self.to = to
            self.total = total
            self.visitors = visitors
        }
    }

    /// The start of the first interval. All times are RFC 3339.
    public var from: String
    /// The end of the last interval.
    public var to: String
    /// `hour`, `day` or `total`.
    public var interval: String
    /// The zone of the days.
    public var timeZone: String
    /// Clicks up to this time are included.
    public var asOf: String
    /// False if clicks of the period are no longer known, or may have a value that was not told apart.
    public var isComplete: Bool
    /// The fields that the clicks of each interval are grouped by.
    public var by: [String]
    public var total: Count
    /// The sum of each UTC day's unique visitors; nil if those of a day were not counted.
    public var visitors: Int?
    public var series: [Interval]
    public var top: [Top]
    public var compared: Comparison?

    public init(
        from: String, to: String, interval: String, timeZone: String, asOf: String, isComplete: Bool, by: [String] = [],
        total: Count, visitors: Int?, series: [Interval], top: [Top] = [], compared: Comparison? = nil
    ) {
        self.from = from
        self.to = to
        self.interval = interval
        self.timeZone = timeZone
        self.asOf = asOf
        self.isComplete = isComplete
        self.by = by
        self.total = total
        self.visitors = visitors
        self.series = series
        self.top = top
        self.compared = compared
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("from", from)
            writer.member("to", to)
            writer.member("interval", interval)
            writer.member("timeZone", timeZone)
            writer.member("asOf", asOf)
            writer.member("complete", isComplete)
            if by.count > 1 { writer.strings("by", by) } else { writer.member("by", by.first) }
            writer.name("total")
            Self.write(total, visitors, to: &writer)
            writer.array("series", series) { interval, writer in
                writer.beginObject()
                writer.member("start", interval.start)
                interval.count.write(to: &writer)
                writer.member("visitors", interval.visitors)
                write(interval.by, to: &writer)
                writer.endObject()
            }
            if !top.isEmpty { writeTop(to: &writer) }
            if let compared {
                writer.name("compared")
                writer.beginObject()
                writer.member("from", compared.from)
                writer.member("to", compared.to)
                writer.name("total")
                Self.write(compared.total, compared.visitors, to: &writer)
                writer.endObject()
            }
            writer.endObject()
        }
    }

    private static func write(_ count: Count, _ visitors: Int?, to writer: inout JSONWriter) {
        writer.beginObject()
        count.write(to: &writer)
        writer.member("visitors", visitors)
        writer.endObject()
    }

    /// One field's values as an array, those of several in an object.
    private func write(_ by: [Values], to writer: inout JSONWriter) {
        guard by.count > 1 else {
            if let values = by.first {
                writer.name("by")
                values.write(to: &writer)
            }
            return
        }
        writer.name("by")
        writer.beginObject()
        for values in by {
            writer.name(given: values.field)
            values.write(to: &writer)
        }
        writer.endObject()
    }

    private func writeTop(to writer: inout JSONWriter) {
        writer.name("top")
        writer.beginObject()
        for list in top {
            switch list {
            case .links(let links):
                writer.array("links", links) { link, writer in
                    writer.beginObject()
                    writer.member("domain", link.domain)
                    writer.member("slug", link.slug)
                    writer.member("title", link.title)
                    link.count.write(to: &writer)
                    writer.endObject()
                }
            case .values(let name, let values):
                writer.name(given: name)
                writer.beginArray()
                for value in values { value.write(to: &writer) }
                writer.endArray()
            }
        }
        writer.endObject()
    }
}

extension ClickReportResponse.Values {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for value in values { value.write(to: &writer) }
        if let rest {
            writer.beginObject()
            writer.member("rest", true)
            rest.write(to: &writer)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension ClicksResponse.Value {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("value", value)
        count.write(to: &writer)
        writer.endObject()
    }
}

// MARK: - CSV

extension ClickReportResponse {
    /// The same numbers as CSV (RFC 4180): the list of the most frequent ones if there is one, else a row for each interval, or
    /// for each value of each field of each interval.
    public var csv: [UInt8] {
        var table = CSVTable()
        if let list = top.first {
            switch list {
            case .links(let links):
                table.add(["domain", "slug", "title", "people", "bots"])
                for link in links {
                    table.add([
                        link.domain, link.slug, link.title ?? "", String(link.count.people), String(link.count.bots),
                    ])
                }
            case .values(_, let values):
                table.add(["value", "people", "bots"])
                for value in values {
                    table.add([
                        value.value ?? ClicksResponse.none, String(value.count.people), String(value.count.bots),
                    ])
                }
            }
        } else if by.isEmpty {
            table.add(["start", "people", "bots", "visitors"])
            for interval in series {
                table.add([
                    interval.localStart, String(interval.count.people), String(interval.count.bots),
                    interval.visitors.map { String($0) } ?? "",
                ])
            }
        } else {
            let hasOneField = by.count == 1
            table.add(
                hasOneField ? ["start", by[0], "people", "bots"] : ["start", "field", "value", "people", "bots"])
            for interval in series {
                for values in interval.by {
                    func add(_ value: String, _ count: Count) {
                        table.add(
                            [interval.localStart] + (hasOneField ? [] : [values.field])
                                + [value, String(count.people), String(count.bots)])
                    }
                    for value in values.values { add(value.value ?? ClicksResponse.none, value.count) }
                    if let rest = values.rest { add(ClicksResponse.rest, rest) }
                    if values.values.isEmpty, values.rest == nil { add(ClicksResponse.none, Count(people: 0, bots: 0)) }
                }
            }
        }
        return table.bytes
    }
}
