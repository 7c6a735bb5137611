#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore: ClickTotalStore {
        package var clickTotals: any ClickTotalStore { self }

        package func totals(
            of applications: [ApplicationID], quarters: Range<Int>
        ) async throws(StoreError) -> [ApplicationTotal] {
            try await readListing(as: .clickTotals) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .totalsOfApplications, .texts(applications.map(\.text)), .number(Int64(quarters.lowerBound)),
                        .number(Int64(quarters.upperBound))), by: deadline)
                return try MergedTotals(result).rows.map { ApplicationTotal(quarter: $0.key.quarter, bytes: $0.value) }
            }
        }

        package func recordedBlocks(
            days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
        ) async throws(StoreError) -> [RecordedBlock] {
            let begin = after ?? ClickBlock.Key(link: LinkID(rawValue: .min), day: days.lowerBound, number: .min)
            return try await readListing(as: .clickBlocks) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .recordedBlocks, .number(Int64(begin.day)), .number(begin.link.rawValue),
                        .number(begin.number), .number(Int64(days.upperBound)), .number(Int64(max(0, limit)))),
                    by: deadline)
                return try (0..<result.count).map { row in
                    guard let application = ApplicationID(try result.text(row, 4)),
                        let domain = HostName(try result.text(row, 5))
                    else { throw QueryResult.damaged }
                    let key = ClickBlock.Key(
                        link: LinkID(rawValue: try result.number(row, 1)), day: Int(try result.number(row, 0)),
                        number: try result.number(row, 2))
                    return RecordedBlock(
                        block: ClickBlock(key: key, bytes: try result.bytes(row, 3)), application: application,
                        domain: domain)
                }
            }
        }

        package func linkIDs(
            of application: ApplicationID, after: LinkID?, limit: Int
        ) async throws(StoreError) -> [LinkID] {
            try await readListing(as: .list) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .linkIDs, .text(application.text), .number(after?.rawValue ?? .min),
                        .number(Int64(max(0, limit)))), by: deadline)
                return try (0..<result.count).map { LinkID(rawValue: try result.number($0, 0)) }
            }
        }

        package func linkTotals(
            days: Range<Int>, after: TotalsChange.PageKey?, limit: Int
        ) async throws(StoreError) -> [LinkTotalsRow] {
            let isWithin = after.map { $0.day >= days.lowerBound } ?? false
            let first = TotalsChange.PageKey(
                day: isWithin ? after?.day ?? 0 : days.lowerBound - 1, page: isWithin ? after?.page ?? 0 : Int64.max)
            return try await readListing(as: .clickTotals) { connection, deadline in
                var found: [LinkTotalsRow] = []
                while found.count < limit {
                    let last = found.last?.key ?? first
                    let wanted = limit - found.count
                    // With all rows of the last key.
                    let result = try connection.run(
                        .init(
                            .totalsOfDays, .number(Int64(last.day)), .number(last.page),
                            .number(Int64(days.upperBound)), .number(Int64(wanted))), by: deadline)
                    found += try LinkTotalsRow.merged(LinkTotalsRow.rows(result))
                    guard result.count >= wanted else { break }
                }
                return found
            }
        }

        package func linkTotals(pages: [Int64], days: Range<Int>) async throws(StoreError) -> [LinkTotalsRow] {
            try await readListing(as: .clickTotals) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .totalsOfPages, .numbers(pages), .number(Int64(days.lowerBound)),
                        .number(Int64(days.upperBound))), by: deadline)
                return try LinkTotalsRow.merged(LinkTotalsRow.rows(result))
            }
        }

        package func addUnknownVisits(_ days: [UnknownVisitsOfDay]) async throws(StoreError) {
            guard !days.isEmpty else { return }
            try await writeAlone(as: .addUnknownVisits) { transaction in
                // All servers change the same rows, and those of earlier versions under the lock of totals.
                _ = try transaction.exchange([
                    .init(.lockShared, .number(LockKey.totals)), .init(.lock, .number(LockKey.unknownVisits)),
                ])
                for day in days {
                    let (name, number) = (Argument.text(day.application.text), Argument.number(Int64(day.day)))
                    let stored = try transaction.run(.unknownVisitsOfDay, name, number)
                    let bytes = stored.count > 0 ? try stored.bytes(0, 0) : nil
                    _ = try transaction.run(.saveUnknownVisits, name, number, .bytes(try day.visits.added(to: bytes)))
                }
            }
        }

        package func unknownVisits(
            of applications: [ApplicationID], days: Range<Int>
        ) async throws(StoreError) -> [UnknownVisits] {
            try await readListing(as: .clickTotals) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .unknownVisits, .texts(applications.map(\.text)), .number(Int64(days.lowerBound)),
                        .number(Int64(days.upperBound))), by: deadline)
                return try (0..<result.count).map { try UnknownVisits(encoded: try result.bytes($0, 0)) }
            }
        }

        package func totalsStart() async throws(StoreError) -> Int? {
            try await read(as: .clickTotals, .init(.totalsStart)) { result in
                result.count > 0 ? Int(try result.number(0, 0)) : nil
            }
        }

        package func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int {
            guard limit > 0 else { return 0 }
            return try await writeAlone(as: .dropTotals) { transaction in
                var dropped = try transaction.run(
                    .dropTotals, .number(Int64(day * ClickTotal.quartersOfDay)), .number(Int64(limit))
                ).changed
                let steps: [(Statement, Int)] = [
                    (.dropTotalsOfShares, day * ClickTotal.quartersOfDay), (.dropTotalsOfLinks, day),
                    (.dropLinkTotalsOfShares, day),
                ]
                for (statement, end) in steps where dropped < limit {
                    dropped +=
                        try transaction.run(statement, .number(Int64(end)), .number(Int64(limit - dropped))).changed
                }
                guard dropped < limit else { return limit }
                // Few rows, and large ones: they don't count.
                _ = try transaction.run(.dropOldSummaries, .number(Int64(day)))
                _ = try transaction.run(
                    sql: "DELETE FROM waymark.conversion WHERE day < $1::int8", .number(Int64(day)))
                return try transaction.run(
                    .dropUnknownVisits, .number(Int64(day)), .number(Int64(limit - dropped))
                ).changed + dropped
            }
        }
    }

    extension LinkTotalsRow {
        init(_ result: QueryResult, _ row: Int) throws {
            self.init(
                key: TotalsChange.PageKey(day: Int(try result.number(row, 0)), page: try result.number(row, 1)),
                bytes: try result.bytes(row, 2))
        }

        static func rows(_ result: QueryResult) throws -> [LinkTotalsRow] {
            try (0..<result.count).map { try LinkTotalsRow(result, $0) }
        }
    }

    extension Transaction {
        /// Adds blocks and what they say to totals, and commits: two round trips.
        ///
        /// - Parameter blocks: In the order of the table.
        func append(_ blocks: [ClickBlock], to rows: TotalRows) throws {
            try commit(Self.adding(blocks, to: rows, added: reportClicks) { try exchange($0) })
        }

        /// Adds blocks.
        ///
        /// - Parameters:
        ///   - rows: To which the blocks' clicks are added.
        ///   - report: Called with the blocks that were not there.
        /// - Returns: The commands that add to totals, and note the blocks for another database.
        static func adding(
            _ blocks: [ClickBlock], to rows: TotalRows, added report: ([ClickBlock]) throws -> Void = { _ in },
            exchange: ([Connection.Command]) throws -> [QueryResult]
        ) throws -> [Connection.Command] {
            let longLinks = blocks.filter(\.key.link.isOfLongLinks)
            let ofLinks = longLinks.isEmpty ? blocks : blocks.filter { !$0.key.link.isOfLongLinks }
            let links = Argument.numbers(ofLinks.map(\.key.link.rawValue))
            let numbers = Argument.numbers(longLinks.map(\.key.link.rawValue))
            let pages = Set(
                blocks.map { TotalsChange.PageKey(day: $0.key.day, page: LinkTotals.page(of: $0.key.link)) })
            // Tallies that have to be read are read before locks are taken.
            let tallies = blocks.map { $0.tally ?? ClickTally(reading: $0) }
            let quarters = Set(tallies.flatMap { $0?.quarters.map(\.number) ?? [] })
            // Applications are locked before links and totals, in the order in which a deletion locks them.
            let insertions: [Connection.Command] =
                longLinks.isEmpty ? [] : [.init(.addLongLinkBlocks, appendingClicks: longLinks)]
            let locks = rows.locks
            let results = try exchange(
                locks + insertions + [
                    .init(appendingClicks: ofLinks),
                    .init(rows.totalsToChange, links, .numbers(quarters.map { Int64($0) }), numbers),
                    .init(rows.linkTotalsToChange, .numbers(pages.map { Int64($0.day) }), .numbers(pages.map(\.page))),
                    .init(.hostsOfLinks, links, numbers),
                ])
            let last = locks.count + insertions.count
            guard results.count == last + 4 else { throw QueryResult.damaged }
            var added: [ClickBlock.Key: (application: Int64, host: Int64)] = [:]
            for result in results[locks.count...last] {
                for row in 0..<result.count {
                    let key = ClickBlock.Key(
                        link: LinkID(rawValue: try result.number(row, 1)), day: Int(try result.number(row, 0)),
                        number: try result.number(row, 2))
                    added[key] = (try result.number(row, 3), try result.number(row, 4))
                }
            }
            try report(ofLinks.filter { added[$0.key] != nil })
            var change = TotalsChange()
            var note = ClickNote()
            for (block, tally) in zip(blocks, tallies) {
                // The same key may come twice.
                guard let (application, host) = added.removeValue(forKey: block.key) else { continue }
                let tallied = ClickBlock(key: block.key, bytes: block.bytes, tally: tally)
                change.add(tallied, application: application, host: host)
                note.add(tallied)
            }
            return try commands(
                adding: change, to: rows, results[last + 1], results[last + 2], hosts: results[last + 3])
                + (note.isEmpty ? [] : [.init(note, rows.addClickNote)])
        }

        private static func commands(
            adding change: TotalsChange, to kind: TotalRows, _ totals: QueryResult, _ links: QueryResult,
            hosts: QueryResult
        ) throws -> [Connection.Command] {
            guard !change.isEmpty else { return [] }
            var names: [Int64: String] = [:]
            for row in 0..<hosts.count { names[try hosts.number(row, 0)] = try hosts.text(row, 1) }
            var stored: [TotalsChange.Key: [UInt8]] = [:]
            for row in 0..<totals.count {
                let key = TotalsChange.Key(
                    application: try totals.number(row, 0), quarter: Int(try totals.number(row, 1)))
                stored[key] = try totals.bytes(row, 2)
            }
            var storedLinks: [TotalsChange.PageKey: [UInt8]] = [:]
            for row in try LinkTotalsRow.rows(links) { storedLinks[row.key] = row.bytes }
            let rows = try change.totals { number in
                guard let name = names[number] else { throw QueryResult.damaged }
                return name
            }
            let pages = change.links
            return [
                .init(
                    kind.saveTotals, .numbers(rows.map(\.key.application)),
                    .numbers(rows.map { Int64($0.key.quarter) }),
                    .byteStrings(try rows.map { try $0.total.added(to: stored[$0.key]) })),
                .init(
                    kind.saveLinkTotals, .numbers(pages.map { Int64($0.key.day) }), .numbers(pages.map(\.key.page)),
                    .byteStrings(try pages.map { try $0.totals.added(to: storedLinks[$0.key]) })),
                .init(droppingSummariesOf: change.days),
            ]
        }
    }
#endif
