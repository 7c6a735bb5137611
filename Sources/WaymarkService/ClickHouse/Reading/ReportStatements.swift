import WaymarkLinks
import WaymarkStores

/// What a report on many links asks ClickHouse for. The numbers are those that the records of the same clicks have.
struct ReportStatements {
    private let query: ClickReportQuery
    private let table: String

    init(_ query: ClickReportQuery, _ tables: ClickHouseTables) {
        self.query = query
        table = tables.clicks
    }

    // MARK: Statements

    /// Day, people, programs, and clicks with a value that was left out of a field that is filtered by: of whole days, without the
    /// filter, and of all domains, because that is what totals tell.
    func days(_ days: [ClosedRange<Int>]) -> String {
        let fields = query.filter.keys.map { "\(Self.value($0)) = \(Self.rest)" }.sorted()
        let rest = ["(\(fields.isEmpty ? "0" : fields.joined(separator: " OR ")))"] + domains
        return "SELECT toUInt32(day) AS d, \(Self.counts), countIf(\(rest.joined(separator: " AND "))) FROM \(table) "
            + "WHERE \((owners(days) + (domains.isEmpty ? links : [])).joined(separator: " AND ")) GROUP BY d ORDER BY d"
    }

    /// Day, interval (-1 outside of all), people, programs, people who did not ask not to be followed, and people with a visitor number;
    /// then people and programs as `days` counts them: so this query proves that it saw the same clicks.
    func parts(_ days: [ClosedRange<Int>]) -> String {
        let terms = domains + (domains.isEmpty ? [] : links) + filters
        let fits = terms.isEmpty ? "1" : "(\(terms.joined(separator: " AND ")))"
        return "SELECT toUInt32(day) AS d, if(\(times.joined(separator: " AND ")), \(part), toInt64(-1)) AS part, "
            + "countIf(bot IS NULL AND \(fits)), countIf(bot IS NOT NULL AND \(fits)), "
            + "countIf(bot IS NULL AND platform != '' AND \(fits)), countIf(bot IS NULL AND visitor > 0 AND \(fits)), "
            + "countIf(bot IS NULL), countIf(bot IS NOT NULL) FROM \(table) "
            + "WHERE \((owners(days) + (domains.isEmpty ? links : [])).joined(separator: " AND ")) "
            + "GROUP BY d, part ORDER BY d, part"
    }

    /// Day, interval (0 for whole days), rank, registers of a sketch with this rank, places in them (see
    /// `VisitorSketch`), and clicks.
    func visitors(_ days: [ClosedRange<Int>], ofWholeDays: Bool) -> String {
        let number = "toUInt64(visitor - 1)"
        let place = "bitAnd(bitShiftRight(\(number), 20), 31)"
        let ranks =
            (0..<5).map { "\(place) >= \(16 >> $0), \($0 + 1), " }.joined()
            + (0..<20).map { "bitAnd(\(number), 1048575) >= \(524_288 >> $0), \($0 + 6), " }.joined() + "26"
        let inner =
            "SELECT toUInt32(day) AS d, \(ofWholeDays ? "toInt64(0)" : part) AS part, "
            + "bitAnd(bitShiftRight(\(number), 25), 32767) AS register, max(multiIf(\(ranks))) AS rank, "
            + "groupBitOr(bitShiftLeft(toUInt64(1), \(place))) AS places, count() AS clicks FROM \(table) "
            + "WHERE \(condition(days)) AND visitor > 0 AND bot IS NULL GROUP BY d, part, register"
        return "SELECT d, part, rank, count(), sum(length(bitmaskToArray(places))), sum(clicks) FROM (\(inner)) "
            + "GROUP BY d, part, rank ORDER BY d, part, rank"
    }

    /// Day, interval (0 for whole days), visitors, counted exactly, and clicks.
    func exactVisitors(_ days: [ClosedRange<Int>], ofWholeDays: Bool) -> String {
        "SELECT toUInt32(day) AS d, \(ofWholeDays ? "toInt64(0)" : part) AS part, uniqExact(visitor), count() FROM \(table) "
            + "WHERE \(condition(days)) AND visitor > 0 AND bot IS NULL GROUP BY d, part ORDER BY d, part"
    }

    /// Interval, value (also the rest), people and programs; the most frequent values first.
    ///
    /// - Parameter intervals: those that are asked for; nil for all.
    func values(
        of field: ClickField, _ days: [ClosedRange<Int>], in intervals: [Range<Int>]?, limit: Int
    ) -> String {
        let times = intervals.map { intervals in
            intervals.map { range in
                let (start, end) = (query.boundaries[range.lowerBound], query.boundaries[range.upperBound])
                return "toInt64(toUInt32(time)) >= \(start) AND toInt64(toUInt32(time)) < \(end)"
            }
            .joined(separator: " OR ")
        }
        return "SELECT \(part) AS part, \(Self.value(field)) AS value, \(Self.counts) FROM \(table) "
            + "WHERE \(condition(days))\(times.map { " AND (\($0))" } ?? "") GROUP BY part, value "
            + "ORDER BY part, people + bots DESC, value LIMIT \(limit) BY part"
    }

    /// Value (also the rest), people and programs; those with the most people first.
    func top(of field: ClickField, _ days: [ClosedRange<Int>], limit: Int) -> String {
        "SELECT \(Self.value(field)) AS value, \(Self.counts) FROM \(table) "
            + "WHERE \(condition(days)) GROUP BY value ORDER BY people DESC, bots DESC, value LIMIT \(limit)"
    }

    /// Link (0 for all long links), people and programs; those with the most people first.
    func links(_ days: [ClosedRange<Int>], limit: Int) -> String {
        "SELECT if(link > 0, link, toInt64(0)) AS owner, \(Self.counts) FROM \(table) WHERE \(condition(days)) "
            + "GROUP BY owner ORDER BY people DESC, bots DESC, owner LIMIT \(limit)"
    }

    // MARK: Expressions

    private static let counts = "countIf(bot IS NULL) AS people, countIf(bot IS NOT NULL) AS bots"
    private static let rest = ClickHouseText.literal(ClickField.rest)

    /// Empty for none.
    private static func value(_ field: ClickField) -> String {
        field == .bot ? "ifNull(bot, '')" : field.name
    }

    private func owners(_ days: [ClosedRange<Int>]) -> [String] {
        let ranges = days.map { "day >= toDate(\($0.lowerBound)) AND day <= toDate(\($0.upperBound))" }
        return ["app IN (\(Self.list(query.applications.map(\.text))))", "(\(ranges.joined(separator: " OR ")))"]
    }

    private var domains: [String] { query.domains.map { ["domain IN (\(Self.list($0.map(\.text))))"] } ?? [] }

    private var links: [String] {
        query.links.map { links in
            ["link IN (\(links.map(\.rawValue).sorted().map { "\($0)" }.joined(separator: ",")))"]
        } ?? []
    }

    private var times: [String] {
        let times = query.seconds.clamped(to: 0..<Int64(UInt32.max))
        return ["time >= toDateTime(\(times.lowerBound))", "time < toDateTime(\(times.upperBound))"]
    }

    private var filters: [String] {
        query.filter.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map { field, values in
            // Nothing is recorded as an empty text.
            let texts = values.filter { $0 != "" }.map { $0 ?? "" }
            return texts.isEmpty ? "0" : "\(Self.value(field)) IN (\(Self.list(texts)))"
        }
    }

    /// Which clicks count.
    private func condition(_ days: [ClosedRange<Int>]) -> String {
        (owners(days) + domains + links + times + filters).joined(separator: " AND ")
    }

    private static func list(_ texts: [String]) -> String {
        texts.sorted().map { ClickHouseText.literal($0) }.joined(separator: ",")
    }

    /// The number of the row's interval. Neighbours of the same length are one term.
    private var part: String {
        let boundaries = query.boundaries
        var terms: [(end: Int64, expression: String)] = []
        var first = 0
        while first + 1 < boundaries.count {
            let step = boundaries[first + 1] - boundaries[first]
            var next = first + 1
            while next + 1 < boundaries.count, boundaries[next + 1] - boundaries[next] == step { next += 1 }
            let expression = "intDiv(toUInt32(time) - (\(boundaries[first])), \(step)) + toInt64(\(first))"
            terms.append((boundaries[next], expression))
            first = next
        }
        guard let last = terms.popLast() else { return "toInt64(0)" }
        guard !terms.isEmpty else { return last.expression }
        return "multiIf(\(terms.map { "toUInt32(time) < \($0.end), \($0.expression), " }.joined())\(last.expression))"
    }
}
