#if PostgreSQL
    import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore: EarlierClickStore {
        package var earlierClicks: (any EarlierClickStore)? { self }

        package func blocksToCount(
            of day: Int, after key: ClickBlock.Key?, limit: Int
        ) async throws(StoreError) -> [CountedBlock] {
            try await inBackground { connection, deadline in
                try CountedBlock.all(
                    of: connection.run(.init(blocksToCount: day, after: key, limit: limit), by: deadline), day)
            }
        }

        package func replaceTotals(
            of day: Int, by change: TotalsChange, token: [UInt8]
        ) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                _ = try transaction.run(.lock, .number(LockKey.totals))
                let state = try transaction.run(
                    .lockSummaryState, .number(Int64(ClickSummaryKey.applications)), .number(Int64(day)))
                guard state.count > 0, try state.bytes(0, 0) == [SummaryState.begun] + token else { return false }
                let hosts = try transaction.run(sql: HostNames.selection)
                var commands = try Connection.Command.replacingTotals(of: day, by: change, HostNames(hosts))
                commands.append(
                    .init(sql: "UPDATE waymark.click_total_start SET counted = $1::int8", .number(Int64(day))))
                _ = try transaction.exchange(commands)
                return true
            }
        }
    }

    /// The names of hosts by their numbers.
    struct HostNames {
        static let selection = "SELECT number, name FROM waymark.host"
        private var names: [Int64: String] = [:]

        init(_ result: QueryResult) throws {
            for row in 0..<result.count { names[try result.number(row, 0)] = try result.text(row, 1) }
        }

        func name(_ number: Int64) throws -> String {
            guard let name = names[number] else { throw QueryResult.damaged }
            return name
        }
    }

    extension CountedBlock {
        static func all(of result: QueryResult, _ day: Int) throws -> [CountedBlock] {
            try (0..<result.count).map { row in
                let key = ClickBlock.Key(
                    link: LinkID(rawValue: try result.number(row, 0)), day: day, number: try result.number(row, 1))
                return CountedBlock(
                    block: ClickBlock(key: key, bytes: try result.bytes(row, 2)),
                    application: try result.number(row, 3), host: try result.number(row, 4))
            }
        }
    }

    extension Connection.Command {
        init(blocksToCount day: Int, after key: ClickBlock.Key?, limit: Int) {
            self.init(
                sql: """
                    SELECT block.link, block.number, block.bytes, owner.application, owner.host
                    FROM (
                        SELECT * FROM waymark.click_block AS block
                        WHERE day = $1::int8 AND (link, number) > ($2::int8, $3::int8)
                            AND \(Statement.isOwned("block"))
                        ORDER BY link, number LIMIT $4::int8
                    ) AS block \(Statement.ownerOfBlock)
                    ORDER BY block.link, block.number
                    """, .number(Int64(day)), .number(key?.link.rawValue ?? .min), .number(key?.number ?? .min),
                .number(Int64(limit)))
        }

        /// Under the lock of totals.
        static func replacingTotals(
            of day: Int, by change: TotalsChange, _ hosts: HostNames
        ) throws -> [Connection.Command] {
            let totals = try DayTotals(change, domain: hosts.name)
            let applications = totals.applications.sorted { $0.key < $1.key }
            let links = totals.links.sorted { $0.key < $1.key }
            let summaries = ClickSummaryKey.all(of: day)
            return [
                .init(
                    sql: "DELETE FROM waymark.click_total WHERE quarter >= $1::int8 AND quarter < $2::int8",
                    .number(Int64(day * ClickTotal.quartersOfDay)), .number(Int64((day + 1) * ClickTotal.quartersOfDay))
                ),
                .init(
                    sql: "DELETE FROM waymark.click_total_share WHERE quarter >= $1::int8 AND quarter < $2::int8",
                    .number(Int64(day * ClickTotal.quartersOfDay)), .number(Int64((day + 1) * ClickTotal.quartersOfDay))
                ),
                .init(sql: "DELETE FROM waymark.click_total_link WHERE day = $1::int8", .number(Int64(day))),
                .init(sql: "DELETE FROM waymark.click_total_link_share WHERE day = $1::int8", .number(Int64(day))),
                .init(
                    sql: Statement.saveTotals.sql, .numbers(applications.map(\.key.application)),
                    .numbers(applications.map { Int64($0.key.quarter) }), .byteStrings(applications.map(\.value))),
                .init(
                    sql: Statement.saveLinkTotals.sql, .numbers(links.map { Int64($0.key.day) }),
                    .numbers(links.map(\.key.page)), .byteStrings(links.map(\.value))),
                .init(
                    sql: Statement.dropSummaries.sql, .numbers(summaries.map { Int64($0.span) }),
                    .numbers(summaries.map { Int64($0.day) })),
            ]
        }
    }
#endif
