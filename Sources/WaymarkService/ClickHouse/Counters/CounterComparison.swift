import WaymarkLinks
package import WaymarkStores

/// Compares the counters of a database with the rows in ClickHouse, by day. Those of today change meanwhile, and are left out.
package struct CounterComparison {
    private static let page = 5_000

    private let archive: any StoreArchive
    private let client: ClickHouseClient
    private let tables: ClickHouseTables
    /// Looks at what differs, a second apart.
    private let tries: Int

    package init(
        _ archive: any StoreArchive, _ client: ClickHouseClient, _ tables: ClickHouseTables, tries: Int
    ) {
        self.archive = archive
        self.client = client
        self.tables = tables
        self.tries = tries
    }

    package struct Report: Sendable, Equatable {
        /// Rows here.
        package var rows = 0
        package var difference: Difference?
    }

    package struct Difference: Sendable, Equatable {
        package var day: Int
        package var table: String
        package var column: String
        package var here: String
        package var there: String
    }

    private struct Sums {
        var rows = 0
        var ofDays: [Int: [Int128]] = [:]

        mutating func add(_ row: CounterRow, _ days: ClosedRange<Int>) {
            guard days.contains(row.day) else { return }
            rows += 1
            ofDays[row.day] = ofDays[row.day].map { zip($0, row.counts).map { $0 &+ $1 } } ?? row.counts
        }
    }

    /// - Returns: Nil if ClickHouse has no tables for them.
    /// - Throws: `StoreError`, `ClickHouseFailure`.
    package func run(_ days: Range<Int>) async throws -> Report? {
        var report = Report()
        guard !days.isEmpty else { return report }
        let days = days.lowerBound...days.upperBound - 1
        for table in DailyCounterTable.all {
            var attempt = 1
            while true {
                let own = try table.name == DailyCounterTable.activity.name ? activity(days) : conversions(days)
                let there: [Int: [Int128]]
                do throws(ClickHouseFailure) {
                    there = try await sums(table, days)
                } catch {
                    guard error.isOfMissingTables else { throw error }
                    return nil
                }
                report.difference = Self.firstDifference(table, days, own, there)
                guard report.difference != nil, attempt < tries else {
                    report.rows += own.rows
                    break
                }
                attempt += 1
                try await Task.sleep(for: .seconds(1))
            }
            if report.difference != nil { break }
        }
        return report
    }

    private static func firstDifference(
        _ table: DailyCounterTable, _ days: ClosedRange<Int>, _ own: Sums, _ there: [Int: [Int128]]
    ) -> Difference? {
        // Here conversions are deleted by age, and ClickHouse may have earlier ones.
        let first = table.name == DailyCounterTable.conversions.name ? own.ofDays.keys.min() ?? .max : days.lowerBound
        for day in days where day >= first {
            for (index, column) in table.counts.enumerated() {
                let (here, shipped) = (own.ofDays[day]?[index] ?? 0, there[day]?[index] ?? 0)
                guard here != shipped else { continue }
                return Difference(
                    day: day, table: table.name, column: column.name, here: CounterRow.text(of: here),
                    there: CounterRow.text(of: shipped))
            }
        }
        return nil
    }

    private func sums(
        _ table: DailyCounterTable, _ days: ClosedRange<Int>
    ) async throws(ClickHouseFailure) -> [Int: [Int128]] {
        var answer = ClickHouseAnswer(
            try await client.answer(
                to: table.sums(in: tables, days), options: [], timeout: ClickHouseClient.timeout,
                byteLimit: ClickHouseClient.answerLimit), rowLimit: days.count)
        var sums: [Int: [Int128]] = [:]
        while let row = try answer.next(columns: 1 + table.counts.count) {
            let (day, counts) = try table.sum(row)
            sums[day] = counts
        }
        return sums
    }

    private func activity(_ days: ClosedRange<Int>) throws(StoreError) -> Sums {
        var sums = Sums()
        var rows: [DailyActivity] = []
        repeat {
            rows = try archive.activity(after: rows.last.map { .init(link: $0.link, day: $0.day) }, limit: Self.page)
            for row in rows {
                sums.add(
                    CounterRow(key: [.day(row.day)], notes: [], counts: CounterRow.counts(of: row.counts)), days)
            }
        } while rows.count == Self.page
        return sums
    }

    private func conversions(_ days: ClosedRange<Int>) throws(StoreError) -> Sums {
        var sums = Sums()
        var rows: [ArchivedConversions] = []
        repeat {
            rows = try archive.conversions(after: rows.last?.key, limit: Self.page)
            for row in rows { sums.add(CounterRow(row), days) }
        } while rows.count == Self.page
        return sums
    }
}

extension CounterRow {
    /// Of millionths.
    fileprivate static func text(of count: Int128) -> String {
        let rest = String((count % unit).magnitude)
        let fraction = String(repeating: "0", count: 6 - rest.utf8.count) + rest
        let whole = "\(count < 0 ? "-" : "")\((count / unit).magnitude)"
        return count % unit == 0 ? whole : "\(whole).\(fraction)"
    }
}
