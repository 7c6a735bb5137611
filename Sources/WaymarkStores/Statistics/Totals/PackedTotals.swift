/// An application's totals of a day that is over, in one row: each text that quarters of the day counted is in it once, because
/// texts are most of their bytes.
package struct PackedTotals: Sendable, Equatable {
    /// The totals of an application on a day (UTC).
    package struct Key: Sendable, Hashable {
        /// As the store numbers it.
        package var application: Int64
        package var day: Int

        package init(application: Int64, day: Int) {
            self.application = application
            self.day = day
        }

        package var quarters: Range<Int> { day * ClickTotal.quartersOfDay..<(day + 1) * ClickTotal.quartersOfDay }
    }

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil if a row can't be read, or is of another day: such rows stay as they are.
    package init?(_ rows: [ApplicationTotal], day: Int) {
        let rows = rows.sorted { $0.quarter < $1.quarter }
        let first = day * ClickTotal.quartersOfDay
        var quarters: [Quarter] = []
        for row in rows {
            guard let quarter = Quarter(row.bytes) else { return nil }
            quarters.append(quarter)
        }
        var writer = BinaryWriter()
        writer.byte(1)
        let tables = (0..<(quarters.map(\.dimensions.count).max() ?? 0)).map { Table($0, of: quarters) }
        writer.number(UInt64(tables.count))
        for table in tables {
            writer.number(UInt64(table.texts.count))
            for text in table.texts { writer.run(Array(text)) }
        }
        for (row, quarter) in zip(rows, quarters) {
            guard let place = UInt64(exactly: row.quarter - first) else { return nil }
            writer.number(place)
            writer.run(quarter.encoded(tables))
        }
        bytes = writer.bytes
        // What does not come out as it went in is not packed.
        guard (try? self.rows(of: day, within: first..<first + ClickTotal.quartersOfDay)) == rows else { return nil }
    }

    /// The rows of some quarters, as they were packed, in rising order.
    ///
    /// - Throws: `.corrupt` for bytes that `init` did not make.
    package func rows(of day: Int, within quarters: Range<Int>) throws(StoreError) -> [ApplicationTotal] {
        let first = day * ClickTotal.quartersOfDay
        var reader = BinaryReader(bytes[...])
        guard reader.byte() == 1, let tables = Self.tables(&reader) else { throw Self.damaged }
        var rows: [ApplicationTotal] = []
        var last: UInt64?
        while !reader.isAtEnd {
            guard let place = reader.number(), place < ClickTotal.quartersOfDay, last.map({ place > $0 }) ?? true,
                let part = reader.run()
            else { throw Self.damaged }
            last = place
            guard quarters.contains(first + Int(place)) else { continue }
            guard let row = Self.row(part, tables) else { throw Self.damaged }
            rows.append(ApplicationTotal(quarter: first + Int(place), bytes: row))
        }
        return rows
    }

    private static let damaged = StoreError.corrupt("click totals are damaged")

    private static func tables(_ reader: inout BinaryReader) -> [[ArraySlice<UInt8>]]? {
        guard let count = reader.number(), count <= 256 else { return nil }
        var tables: [[ArraySlice<UInt8>]] = []
        for _ in 0..<count {
            guard let size = reader.number() else { return nil }
            var texts: [ArraySlice<UInt8>] = []
            for _ in 0..<size {
                guard let text = reader.run() else { return nil }
                texts.append(text)
            }
            tables.append(texts)
        }
        return tables
    }

    /// `ClickTotal.encoded` of a quarter.
    private static func row(_ bytes: ArraySlice<UInt8>, _ tables: [[ArraySlice<UInt8>]]) -> [UInt8]? {
        var reader = BinaryReader(bytes)
        var row = BinaryWriter()
        var part = BinaryWriter()
        row.reserve(bytes.count * 4)
        guard let form = reader.byte() else { return nil }
        row.byte(form)
        guard reader.copyCount(to: &row) else { return nil }
        for texts in tables.prefix(form == 1 ? ClickTotal.Dimension.countOfForm1 : tables.count) {
            part.removeAll()
            guard let count = reader.number() else { return nil }
            part.number(count)
            var index: UInt64 = 0
            for _ in 0..<count {
                // 0 is for clicks without a value.
                guard let step = reader.number(), step <= UInt64(texts.count) else { return nil }
                index += step
                guard index <= UInt64(texts.count) else { return nil }
                if index == 0 {
                    part.number(0)
                } else {
                    let text = texts[Int(index) - 1]
                    part.number(UInt64(text.count) + 1)
                    part.append(text)
                }
                guard reader.copyCount(to: &part) else { return nil }
            }
            guard reader.copyCount(to: &part) else { return nil }
            row.run(part.bytes)
        }
        row.run(reader.remainder)
        return row.bytes
    }
}

extension TotalsChange.Key {
    package var ofDay: PackedTotals.Key {
        PackedTotals.Key(application: application, day: ClickTotal.day(ofQuarter: quarter))
    }
}

/// A row of `ClickTotal.encoded`, in parts.
private struct Quarter {
    struct Entry {
        /// Nil for clicks without a value.
        var text: ArraySlice<UInt8>?
        var count: ClickCount
    }

    /// Of `ClickTotal.encoded`: form 1 has fewer dimensions.
    let form: UInt8
    var count: ClickCount
    var dimensions: [(entries: [Entry], rest: ClickCount)] = []
    var visitors: ArraySlice<UInt8>

    init?(_ bytes: [UInt8]) {
        var reader = BinaryReader(bytes[...])
        guard let form = reader.byte(), 1...2 ~= form, let count = reader.count() else { return nil }
        self.form = form
        self.count = count
        var runs: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd {
            guard let run = reader.run() else { return nil }
            runs.append(run)
        }
        guard let visitors = runs.popLast() else { return nil }
        self.visitors = visitors
        for run in runs {
            var reader = BinaryReader(run)
            guard let number = reader.number() else { return nil }
            var entries: [Entry] = []
            for _ in 0..<number {
                guard let length = reader.number() else { return nil }
                var text: ArraySlice<UInt8>?
                if length > 0 {
                    guard let read = reader.run(length: length - 1) else { return nil }
                    text = read
                }
                guard let count = reader.count() else { return nil }
                entries.append(Entry(text: text, count: count))
            }
            guard let rest = reader.count(), reader.isAtEnd else { return nil }
            dimensions.append((entries, rest))
        }
    }

    /// The form; the clicks; for each dimension the number of its values, each as the difference to the place of the one before in the
    /// table and its clicks, and the rest; the sketch of the visitors.
    func encoded(_ tables: [Table]) -> [UInt8] {
        var writer = BinaryWriter()
        writer.byte(form)
        writer.shortCount(count)
        for (dimension, table) in zip(dimensions, tables) {
            writer.number(UInt64(dimension.entries.count))
            var last: UInt64 = 0
            for entry in dimension.entries {
                let index = entry.text.flatMap { table.places[$0] } ?? 0
                // Rows have their values in the order of the table; others are found not to come out the same.
                writer.number(index &- last)
                last = index
                writer.shortCount(entry.count)
            }
            writer.shortCount(dimension.rest)
        }
        writer.append(visitors)
        return writer.bytes
    }
}

/// The texts of a dimension, in rising order, which have the places from 1 on.
private struct Table {
    var texts: [ArraySlice<UInt8>]
    var places: [ArraySlice<UInt8>: UInt64] = [:]

    init(_ dimension: Int, of quarters: [Quarter]) {
        var found: Set<ArraySlice<UInt8>> = []
        for quarter in quarters where dimension < quarter.dimensions.count {
            for entry in quarter.dimensions[dimension].entries {
                if let text = entry.text { found.insert(text) }
            }
        }
        texts = found.sorted { $0.lexicographicallyPrecedes($1) }
        for (index, text) in texts.enumerated() { places[text] = UInt64(index) + 1 }
    }
}

extension BinaryWriter {
    /// The clicks of people times two, plus one if there are clicks of bots, and then those.
    fileprivate mutating func shortCount(_ count: ClickCount) {
        number(UInt64(count.people) << 1 | (count.bots > 0 ? 1 : 0))
        if count.bots > 0 { number(UInt64(count.bots)) }
    }
}

extension BinaryReader {
    /// Reads `shortCount`, and writes it as rows have it.
    fileprivate mutating func copyCount(to writer: inout BinaryWriter) -> Bool {
        guard let people = number() else { return false }
        var bots: UInt64 = 0
        if people & 1 == 1 {
            guard let read = number() else { return false }
            bots = read
        }
        writer.number(people >> 1)
        writer.number(bots)
        return true
    }
}
