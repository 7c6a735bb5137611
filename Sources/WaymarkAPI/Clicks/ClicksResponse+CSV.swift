extension ClicksResponse {
    /// The labels of clicks without a value, and of clicks with any other value.
    private static let none = "(none)"
    private static let rest = "(rest)"

    /// The same numbers as CSV (RFC 4180): a row for each interval, or for each value of each interval. An interval
    /// without clicks also has a row.
    public var csv: [UInt8] {
        var table = CSVTable()
        guard let by else {
            table.add(["start", "people", "bots", "visitors"])
            for interval in series {
                table.add([
                    interval.start, String(interval.count.people), String(interval.count.bots),
                    interval.visitors.map { String($0) } ?? "",
                ])
            }
            return table.bytes
        }
        table.add(["start", by, "people", "bots"])
        for interval in series {
            func add(_ value: String, _ count: Count) {
                table.add([interval.start, value, String(count.people), String(count.bots)])
            }
            for value in interval.values { add(value.value ?? Self.none, value.count) }
            if let rest = interval.rest { add(Self.rest, rest) }
            if interval.values.isEmpty, interval.rest == nil { add(Self.none, Count(people: 0, bots: 0)) }
        }
        return table.bytes
    }
}

/// Rows of comma-separated values (RFC 4180).
struct CSVTable {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ fields: [String]) {
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
