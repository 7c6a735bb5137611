import WaymarkBytes

@testable import WaymarkService

/// The tables of counters of `FakeClickHouse`: of rows with one key the one with the highest version is returned.
struct FakeCounters: Sendable {
    /// Whether `waymark clickhouse migrate` has made them.
    var exist = true
    /// By table and key; texts as an answer has them, the version last.
    private(set) var rows: [String: [[String]: [String]]] = [:]
    private(set) var insertions = 0

    static func table(of statement: String) -> DailyCounterTable? {
        DailyCounterTable.all.first { statement.contains("`clicks`.\($0.name) ") }
    }

    /// What counts something, in the order of keys.
    func counting(_ table: DailyCounterTable) -> [[String]] {
        let counts = table.key.count + table.notes.count..<table.width - 1
        return (rows[table.name] ?? [:]).values.filter { row in row[counts].contains { $0 != "0" } }
            .sorted { Self.order($0, before: $1) }
    }

    private static func order(_ one: [String], before other: [String]) -> Bool {
        for (first, second) in zip(one, other) where first != second {
            if let first = Int64(first), let second = Int64(second) { return first < second }
            return Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
        }
        return false
    }

    mutating func insert(_ body: [UInt8], _ table: DailyCounterTable) {
        insertions += 1
        var rest = body[...]
        func number<Value: FixedWidthInteger>(_: Value.Type) -> Value {
            let bytes = rest.prefix(Value.bitWidth / 8)
            rest = rest.dropFirst(bytes.count)
            return bytes.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        }
        func text() -> String {
            // Those of the tests are short.
            let length = Int(number(UInt8.self))
            let bytes = rest.prefix(length)
            rest = rest.dropFirst(length)
            return String(decoding: bytes, as: UTF8.self)
        }
        while !rest.isEmpty {
            var row: [String] = []
            for (_, type) in table.key + table.notes + table.counts {
                switch type {
                case "Date": row.append("\(number(UInt16.self))")
                case "Int64": row.append("\(number(Int64.self))")
                case "UInt64": row.append("\(number(UInt64.self))")
                case "Decimal(38, 6)": row.append(Self.decimal(number(Int128.self)))
                default: row.append(text())
                }
            }
            let version = number(UInt64.self)
            let key = Array(row.prefix(table.key.count))
            if let old = rows[table.name]?[key]?.last.flatMap({ UInt64($0) }), old > version { continue }
            rows[table.name, default: [:]][key] = row + ["\(version)"]
        }
    }

    /// As ClickHouse writes it, without zeros at the end.
    private static func decimal(_ millionths: Int128) -> String {
        let digits = String(millionths.magnitude % 1_000_000)
        var fraction = String(repeating: "0", count: 6 - digits.count) + digits
        while fraction.last == "0" { fraction.removeLast() }
        return (millionths < 0 ? "-" : "") + "\(millionths.magnitude / 1_000_000)"
            + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// - Returns: Nil for statements about other tables.
    mutating func answer(_ statement: String) -> (Int, String)? {
        guard let table = Self.table(of: statement) else { return nil }
        guard exist else { return (404, "Code: 60. DB::Exception: Table \(table.name) does not exist.\n") }
        let link = table.key.firstIndex { $0.name == "link" } ?? 0
        if let start = statement.firstRange(of: "link IN (")?.upperBound {
            let links = Self.numbers(statement[start...])
            let found = (rows[table.name] ?? [:]).filter { links.contains(Int64($0.key[link]) ?? 0) }
            guard statement.hasPrefix("ALTER TABLE") else {
                return (200, Set(found.keys.map { $0[link] }).map { "\($0)\n" }.joined())
            }
            for key in found.keys { rows[table.name]?[key] = nil }
            return (200, "")
        }
        if statement.hasPrefix("SELECT DISTINCT app") {
            return (200, Set((rows[table.name] ?? [:]).keys.map { $0[0] }).map { "\($0)\n" }.joined())
        }
        if let start = statement.firstRange(of: "app IN (")?.upperBound {
            rows[table.name] = rows[table.name]?.filter { !statement[start...].contains("'\($0.key[0])'") }
            return (200, "")
        }
        let first = statement.firstRange(of: "day >= toDate(").map { Self.numbers(statement[$0.upperBound...]) }?.first
        let day = table.key.firstIndex { $0.name == "day" } ?? 0
        var told = counting(table).filter { Int64($0[day]) ?? 0 >= first ?? 0 }
        if link == 0 {
            func bound(_ comparison: String) -> (Int64, Int64)? {
                guard let start = statement.firstRange(of: "(link, day) \(comparison) (")?.upperBound else {
                    return nil
                }
                let values = Self.numbers(statement[start...].prefix { $0 != "A" && $0 != "O" })
                return values.count == 2 ? (values[0], values[1]) : nil
            }
            func key(_ row: [String]) -> (Int64, Int64) { (Int64(row[0]) ?? 0, Int64(row[1]) ?? 0) }
            if let bound = bound(">") { told.removeAll { key($0) <= bound } }
            if let bound = bound("<=") { told.removeAll { key($0) > bound } }
        } else {
            told.removeAll { !statement.contains("app = '\($0[0])'") }
        }
        return (200, told.map { $0.map(Self.escaped).joined(separator: "\t") + "\n" }.joined())
    }

    private static func numbers(_ text: some StringProtocol) -> [Int64] {
        text.split { !"-0123456789".contains($0) }.compactMap { Int64($0) }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
    }
}
