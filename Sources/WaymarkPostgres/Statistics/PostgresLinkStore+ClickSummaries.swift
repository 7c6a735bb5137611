#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore {
        package func summaries(within days: Range<Int>) async throws(StoreError) -> [ClickSummaryKey: [UInt8]] {
            try await readListing(as: .clickTotals) { connection, deadline in
                let result = try connection.run(
                    .init(.summaryStates, .number(Int64(days.lowerBound)), .number(Int64(days.upperBound))),
                    by: deadline)
                var found: [ClickSummaryKey: [UInt8]] = [:]
                for row in 0..<result.count {
                    let bytes = try result.bytes(row, 2)
                    guard bytes.first == SummaryState.complete else { continue }
                    let key = ClickSummaryKey(
                        span: Int(try result.number(row, 0)), day: Int(try result.number(row, 1)))
                    found[key] = Array(bytes.dropFirst())
                }
                return found
            }
        }

        package func narrowTotals(of application: ApplicationID, quarters: [Int]) async throws(StoreError) {
            try await writeAlone(as: .addSummary) { transaction in
                // All servers change the same rows. Rows of shares are narrow.
                _ = try transaction.run(.lock, .number(LockKey.totals))
                for quarter in quarters {
                    let number = Argument.number(Int64(quarter))
                    let stored = try transaction.run(
                        sql: """
                            SELECT bytes FROM waymark.click_total WHERE quarter = $2::int8 AND application =
                                (SELECT number FROM waymark.application WHERE name = $1::text)
                            """, .text(application.text), number)
                    guard stored.count > 0, let narrowed = try ApplicationTotal.narrowed(try stored.bytes(0, 0)) else {
                        continue
                    }
                    _ = try transaction.run(
                        sql: """
                            UPDATE waymark.click_total SET bytes = $3::bytea WHERE quarter = $2::int8 AND application =
                                (SELECT number FROM waymark.application WHERE name = $1::text)
                            """, .text(application.text), number, .bytes(narrowed))
                }
            }
        }

        package func beginSummary(_ key: ClickSummaryKey, token: [UInt8]) async throws(StoreError) {
            try await writeAlone(as: .addSummary) { transaction in
                // Whoever has read the summaries to delete them must have committed: waits for all shares.
                _ = try transaction.run(.lock, .number(LockKey.totals))
                let (span, day) = (Argument.number(Int64(key.span)), Argument.number(Int64(key.day)))
                _ = try transaction.run(.dropSummaries, .numbers([Int64(key.span)]), .numbers([Int64(key.day)]))
                _ = try transaction.run(
                    .saveSummaryPart, span, day, .number(SummaryState.part), .bytes([SummaryState.begun] + token))
            }
        }

        package func addSummary(
            _ key: ClickSummaryKey, parts: [(part: Int64, bytes: [UInt8])], token: [UInt8], directory: [UInt8]?
        ) async throws(StoreError) -> Bool {
            try await writeAlone(as: .addSummary) { transaction in
                let (span, day) = (Argument.number(Int64(key.span)), Argument.number(Int64(key.day)))
                // Locks the state, so that it is deleted after this transaction or not there.
                let state = try transaction.run(.lockSummaryState, span, day)
                guard state.count > 0, try state.bytes(0, 0) == [SummaryState.begun] + token else { return false }
                for (part, bytes) in parts {
                    _ = try transaction.run(.saveSummaryPart, span, day, .number(part), .bytes(bytes))
                }
                if let directory {
                    _ = try transaction.run(
                        .saveSummaryPart, span, day, .number(SummaryState.part),
                        .bytes([SummaryState.complete] + directory))
                }
                return true
            }
        }

        package func summaryParts(
            of keys: [ClickSummaryKey], parts: [Int64]
        ) async throws(StoreError) -> [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])]? {
            try await readListing(as: .clickTotals) { connection, deadline in
                // One statement, so that the states are of the same moment.
                let result = try connection.run(
                    .init(
                        .summaryParts, .numbers(keys.map { Int64($0.span) }), .numbers(keys.map { Int64($0.day) }),
                        .numbers(parts + [SummaryState.part])), by: deadline)
                var found: [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])] = []
                var complete = 0
                for row in 0..<result.count {
                    let bytes = try result.bytes(row, 3)
                    let part = try result.number(row, 2)
                    guard part != SummaryState.part else {
                        if bytes.first == SummaryState.complete { complete += 1 }
                        continue
                    }
                    let key = ClickSummaryKey(
                        span: Int(try result.number(row, 0)), day: Int(try result.number(row, 1)))
                    found.append((key, part, bytes))
                }
                return complete == keys.count ? found : nil
            }
        }

        package func firstDayOfTotals() async throws(StoreError) -> Int? {
            try await read(as: .clickTotals, .init(.firstDayOfTotals)) { result in
                try result.optionalNumber(0, 0).map { Int($0) }
            }
        }

        package func applications(
            ofLinks ids: Range<Int64>
        ) async throws(StoreError) -> [(id: LinkID, application: ApplicationID)] {
            try await readListing(as: .list) { connection, deadline in
                let result = try connection.run(
                    .init(.applicationsOfLinks, .number(ids.lowerBound), .number(ids.upperBound)), by: deadline)
                return try (0..<result.count).map { row in
                    guard let application = ApplicationID(try result.text(row, 1)) else { throw QueryResult.damaged }
                    return (LinkID(rawValue: try result.number(row, 0)), application)
                }
            }
        }

        package func hasDeletedLinks(
            of applications: [ApplicationID], days: Range<Int>
        ) async throws(StoreError) -> Bool {
            try await readListing(as: .clickTotals) { connection, deadline in
                let result = try connection.run(
                    .init(
                        .linkDeletions, .texts(applications.map(\.text)), .number(Int64(days.lowerBound)),
                        .number(Int64(days.upperBound))), by: deadline)
                return result.count > 0
            }
        }
    }

    /// The part of a summary that is its state, and the first byte of that.
    enum SummaryState {
        static let part: Int64 = -1
        static let begun: UInt8 = 0
        static let complete: UInt8 = 1
    }

    extension Connection.Command {
        /// Deletes the summaries that the days are part of.
        init(droppingSummariesOf days: Set<Int>) {
            // In one order, so that two transactions can't deadlock.
            let keys = Set(days.flatMap { ClickSummaryKey.all(of: $0) })
                .sorted { ($0.span, $0.day) < ($1.span, $1.day) }
            self.init(.dropSummaries, .numbers(keys.map { Int64($0.span) }), .numbers(keys.map { Int64($0.day) }))
        }
    }
#endif
