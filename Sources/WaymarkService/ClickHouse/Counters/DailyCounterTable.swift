import WaymarkLinks
import WaymarkStores

/// A table of counters by day in ClickHouse: a row that is sent again replaces the one before, by its version.
struct DailyCounterTable: Sendable {
    typealias Column = (name: String, type: String)

    let name: String
    /// What a row is identified by, in the order of the database's own table.
    let key: [Column]
    /// Texts that follow from the key, or are as they were when the row was sent.
    let notes: [Column]
    let counts: [Column]

    static let all = [activity, conversions]

    /// Opens, installs and so on of a link.
    static let activity = DailyCounterTable(
        name: "activity_day", key: [("link", "Int64"), ("day", "Date")],
        notes: [("app", text), ("domain", text), ("slug", "String")],
        counts: [
            "opens", "installs", "resolves", "redeems", "claims", "androidInstallEvents", "androidInstalls",
        ].map { ($0, "UInt64") })

    /// `stored` is the name as the database has it, with the rule.
    static let conversions = DailyCounterTable(
        name: "conversion_day",
        key: [
            ("app", text), ("day", "Date"), ("link", "Int64"), ("campaign", "String"), ("stored", "String"),
            ("currency", text),
        ],
        notes: [("name", "String"), ("rule", "String"), ("variant", "String"), ("source", text)],
        counts: [("conversions", "UInt64"), ("value", amount)])

    private static let text = "LowCardinality(String)"
    /// As exact as the database's sums.
    private static let amount = "Decimal(38, 6)"

    // MARK: Statements

    func creation(in tables: ClickHouseTables, retentionDays: Int, isModern: Bool) -> [String] {
        let columns = (key + notes + counts + [("version", "UInt64")]).map { "\($0.name) \($0.type)" }
            .joined(separator: ", ")
        let order = "PARTITION BY toYYYYMM(day) ORDER BY (\(names(key)))"
        let onCluster = tables.onCluster
        let stored = stored(in: tables)
        var statements: [String]
        if let cluster = tables.cluster {
            statements = [
                "CREATE TABLE IF NOT EXISTS \(stored)\(onCluster) (\(columns)) ENGINE = ReplicatedReplacingMergeTree("
                    + "'/clickhouse/tables/\(tables.database)/{shard}/\(name)_local', '{replica}', version) \(order)",
                "CREATE TABLE IF NOT EXISTS \(tables.qualified(name))\(onCluster) AS \(stored) "
                    + "ENGINE = Distributed('\(cluster)', '\(tables.database)', '\(name)_local', sipHash64(link))",
            ]
        } else {
            statements = [
                "CREATE TABLE IF NOT EXISTS \(stored) (\(columns)) ENGINE = ReplacingMergeTree(version) \(order)"
            ]
        }
        if isModern {
            statements.append("ALTER TABLE \(stored)\(onCluster) MODIFY TTL day + toIntervalDay(\(retentionDays))")
        }
        return statements
    }

    /// What holds the rows.
    private func stored(in tables: ClickHouseTables) -> String {
        tables.qualified(tables.cluster == nil ? name : "\(name)_local")
    }

    func insertion(in tables: ClickHouseTables) -> String {
        "INSERT INTO \(tables.qualified(name)) (\(names(key + notes + counts)), version) FORMAT RowBinary"
    }

    /// Rows that count something, in the order of their keys.
    ///
    /// - Parameters:
    ///   - after: A key; empty: from the beginning. Of conversions, only those of its application are returned.
    ///   - last: nil: to the end.
    func rows(
        in tables: ClickHouseTables, since day: Int, after: [CounterRow.Value], to last: [CounterRow.Value]?, limit: Int
    ) -> String {
        var conditions = ["day >= toDate(\(max(0, day)))"]
        if !after.isEmpty { conditions.append(condition(after, ">")) }
        if let last { conditions.append(condition(last, "<=")) }
        // By the first column alone ClickHouse finds where to look.
        if case .text? = after.first {
            conditions.append("\(key[0].name) = \(after[0].literal)")
        } else {
            if let first = after.first { conditions.append("\(key[0].name) >= \(first.literal)") }
            if let end = last?.first { conditions.append("\(key[0].name) <= \(end.literal)") }
        }
        conditions.append("(" + counts.map { "\($0.name) != 0" }.joined(separator: " OR ") + ")")
        let columns = (key + notes + counts).map { $0.type == "Date" ? "toUInt32(\($0.name))" : $0.name }
        return "SELECT \(columns.joined(separator: ", ")), version FROM \(tables.qualified(name)) FINAL "
            + "WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(names(key)) LIMIT \(limit)"
    }

    private func condition(_ values: [CounterRow.Value], _ comparison: String) -> String {
        let columns = key.prefix(values.count).map(\.name).joined(separator: ", ")
        return "(\(columns)) \(comparison) (\(values.map(\.literal).joined(separator: ", ")))"
    }

    /// What is counted, by day.
    func sums(in tables: ClickHouseTables, _ days: ClosedRange<Int>) -> String {
        "SELECT toUInt32(day), \(counts.map { "sum(\($0.name))" }.joined(separator: ", ")) "
            + "FROM \(tables.qualified(name)) FINAL "
            + "WHERE day >= toDate(\(days.lowerBound)) AND day <= toDate(\(days.upperBound)) GROUP BY day"
    }

    /// Those of the links that have rows.
    func counted(in tables: ClickHouseTables, among links: some Sequence<LinkID>) -> String {
        "SELECT DISTINCT link FROM \(tables.qualified(name)) WHERE link IN (\(ClickHouseTables.list(links.map(\.rawValue))))"
    }

    func deletion(in tables: ClickHouseTables, of links: some Sequence<LinkID>) -> String {
        "ALTER TABLE \(stored(in: tables))\(tables.onCluster) DELETE "
            + "WHERE link IN (\(ClickHouseTables.list(links.map(\.rawValue))))"
    }

    /// Those that have rows, up to a thousand: the next pass gets the others.
    func applications(in tables: ClickHouseTables) -> String {
        "SELECT DISTINCT app FROM \(tables.qualified(name)) LIMIT 1000"
    }

    func deletion(in tables: ClickHouseTables, of applications: [String]) -> String {
        "ALTER TABLE \(stored(in: tables))\(tables.onCluster) DELETE "
            + "WHERE app IN (\(applications.map { ClickHouseText.literal($0) }.joined(separator: ",")))"
    }

    private func names(_ columns: [Column]) -> String { columns.map(\.name).joined(separator: ", ") }

    // MARK: Rows

    /// Of an answer to `rows`.
    func row(_ row: ClickHouseAnswer.Row) throws(ClickHouseFailure) -> (row: CounterRow, version: UInt64) {
        var read = CounterRow(key: [], notes: [], counts: [])
        for (column, (_, type)) in key.enumerated() {
            switch type {
            case "Date": read.key.append(.day(try row.count(column)))
            case "Int64": read.key.append(.number(try row.number(column)))
            default: read.key.append(.text(row.bytes(column)))
            }
        }
        for column in notes.indices { read.notes.append(row.bytes(key.count + column)) }
        let first = key.count + notes.count
        for column in counts.indices { read.counts.append(try Self.count(row, first + column)) }
        guard let version = UInt64(row.text(first + counts.count)) else { throw .answer("a version was expected") }
        return (read, version)
    }

    /// Of an answer to `sums`.
    func sum(_ row: ClickHouseAnswer.Row) throws(ClickHouseFailure) -> (day: Int, counts: [Int128]) {
        var sums: [Int128] = []
        for column in counts.indices { sums.append(try Self.count(row, 1 + column)) }
        return (try row.count(0), sums)
    }

    /// Columns of rows, the version among them.
    var width: Int { key.count + notes.count + counts.count + 1 }

    /// A decimal, in millionths.
    private static func count(_ row: ClickHouseAnswer.Row, _ column: Int) throws(ClickHouseFailure) -> Int128 {
        let text = row.text(column)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts.count <= 2, text.utf8.count <= 40, fraction.utf8.count <= 6,
            let number = Int128(parts[0] + fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
        else { throw .answer("a number was expected") }
        return number
    }

    func write(_ row: CounterRow, version: UInt64, to writer: inout RowBinaryWriter) {
        for value in row.key {
            switch value {
            case .day(let day): writer.number(UInt16(clamping: day))
            case .number(let number): writer.number(number)
            case .text(let bytes): writer.text(String(decoding: bytes, as: UTF8.self))
            }
        }
        for note in row.notes { writer.text(String(decoding: note, as: UTF8.self)) }
        for (column, count) in zip(counts, row.counts) {
            if column.type == Self.amount {
                writer.number(count)
            } else {
                writer.number(UInt64(clamping: count / CounterRow.unit))
            }
        }
        writer.number(version)
    }
}

/// A row of counters: its values in the order of the table's columns.
struct CounterRow: Sendable {
    /// Texts are bytes, because two of them are the same in ClickHouse only if their bytes are.
    enum Value: Hashable, Sendable {
        /// Since 1970.
        case day(Int)
        case number(Int64)
        case text([UInt8])

        init(_ text: String) { self = .text(Array(text.utf8)) }

        /// As a statement names it.
        var literal: String {
            switch self {
            case .day(let day): "toDate(\(max(0, day)))"
            case .number(let number): "\(number)"
            case .text(let bytes): ClickHouseText.literal(bytes)
            }
        }
    }

    /// Counts are in millionths, as sums of amounts are.
    static let unit: Int128 = 1_000_000

    var key: [Value]
    var notes: [[UInt8]]
    var counts: [Int128]

    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    /// The same that counts nothing.
    var emptied: CounterRow { CounterRow(key: key, notes: notes, counts: counts.map { _ in 0 }) }

    var day: Int {
        for case .day(let day) in key { return day }
        return 0
    }
}

extension CounterRow {
    init(_ shipped: ShippedActivity) {
        let activity = shipped.activity
        self.init(
            key: [.number(activity.link.rawValue), .day(activity.day)],
            notes: [shipped.application.text, shipped.domain.text, shipped.slug].map { Array($0.utf8) },
            counts: Self.counts(of: activity.counts))
    }

    init(_ stored: ArchivedConversions) {
        let key = stored.key
        var name = key.name[...]
        let isFromApp = name.unicodeScalars.first == ConversionKey.appMark.unicodeScalars.first
        if isFromApp { name = Substring(name.unicodeScalars.dropFirst()) }
        let end = name.unicodeScalars.firstIndex { $0 == "\u{2}" || $0 == "\u{3}" } ?? name.endIndex
        let rule = ClickedRule(stored: name[end...])
        self.init(
            key: [
                CounterRow.Value(key.application.text), .day(key.day), .number(key.link.rawValue),
                CounterRow.Value(key.campaign), CounterRow.Value(key.name), CounterRow.Value(key.currency),
            ],
            notes: [String(name[..<end]), rule?.text ?? "", rule?.variant ?? "", isFromApp ? "app" : "server"]
                .map { Array($0.utf8) },
            counts: Self.counts(of: stored.total))
    }

    static func counts(of activity: LinkActivity) -> [Int128] { activity.values.map { Int128($0) * unit } }

    static func counts(of total: ConversionTotal) -> [Int128] {
        [Int128(total.count) * unit, Int128(total.sum.whole) * unit + Int128(total.sum.micros)]
    }
}
