#if PostgreSQL
    import WaymarkLinks
    package import WaymarkStores

    /// Which rows of totals a transaction adds to.
    enum TotalRows {
        /// Those of a share that no other transaction has: servers don't wait for each other.
        case share
        /// Those without a share, which servers of earlier versions read and add to: one transaction at a time.
        case common

        /// More than transactions of all servers at once, and few rows to merge.
        static let shares: Int64 = 32

        /// To be run first in a transaction.
        var locks: [Connection.Command] {
            switch self {
            case .share:
                [
                    .init(.lockShared, .number(LockKey.totals)),
                    .init(.takeShare, .number(LockKey.share), .number(Self.shares)),
                    .init(.awaitShare, .number(LockKey.share)),
                ]
            case .common: [.init(.lock, .number(LockKey.totals))]
            }
        }
        var totalsToChange: Statement { self == .share ? .totalsOfShareToChange : .totalsToChange }
        var linkTotalsToChange: Statement { self == .share ? .linkTotalsOfShareToChange : .linkTotalsToChange }
        var saveTotals: Statement { self == .share ? .saveTotalsOfShare : .saveTotals }
        var saveLinkTotals: Statement { self == .share ? .saveLinkTotalsOfShare : .saveLinkTotals }
        var addClickNote: Statement { self == .share ? .addClickNoteOfShare : .addClickNote }
    }

    extension PostgresLinkStore {
        /// Rows of one share in a transaction, under the share's lock: meanwhile servers add to other shares. While a server of an
        /// earlier version is connected, which reads no shares, all rows are merged.
        package func mergeTotals(before quarter: Int, limit: Int) async throws(StoreError) -> Int {
            guard limit > 0 else { return 0 }
            let isForEarlier = hasEarlierServers
            let quarters = Argument.number(isForEarlier ? .max : Int64(quarter))
            let days = Argument.number(isForEarlier ? .max : Int64(ClickTotal.day(ofQuarter: quarter)))
            // Mostly there is none, and a transaction would hold up writes.
            let found = try await inBackground { connection, deadline in
                try connection.run(.init(.shareToMerge, quarters, days), by: deadline).optionalNumber(0, 0)
            }
            guard let found else { return 0 }
            return try await writeAlone(as: .addSummary) { transaction in
                let share = Argument.number(found)
                // Another server merges: this one's writes don't wait for it.
                guard try transaction.run(.tryLock, .number(LockKey.share)).number(0, 0) == 1 else { return 0 }
                _ = try transaction.exchange([
                    .init(.lockShared, .number(LockKey.totals)),
                    .init(.lock, .number(LockKey.share + found)), .init(.lockApplicationsOfShare, share, quarters),
                ])
                let taken = try transaction.exchange([
                    .init(.takeTotalsOfShare, share, quarters, .number(Int64(limit))),
                    .init(.takeLinkTotalsOfShare, share, days, .number(Int64(limit))),
                ])
                guard taken.count == 2 else { throw QueryResult.damaged }
                let totals = try MergedTotals(taken[0])
                let links = try LinkTotalsRow.rows(taken[1])
                try transaction.merge(totals, links)
                return taken[0].count + taken[1].count
            }
        }
    }

    extension Transaction {
        /// Adds rows that were those of a share to the ones without.
        fileprivate func merge(_ taken: MergedTotals, _ links: [LinkTotalsRow]) throws {
            let stored = try exchange([
                .init(
                    .totalsToMerge, .numbers(taken.rows.keys.map(\.application)),
                    .numbers(taken.rows.keys.map { Int64($0.quarter) })),
                .init(
                    .linkTotalsToChange, .numbers(links.map { Int64($0.key.day) }), .numbers(links.map(\.key.page))),
            ])
            guard stored.count == 2 else { throw QueryResult.damaged }
            var merged = taken
            try merged.add(stored[0])
            let rows = try merged.rows.sorted { $0.key < $1.key }.map { key, bytes in
                (key: key, bytes: try ApplicationTotal.narrow(bytes))
            }
            let pages = try LinkTotalsRow.merged(LinkTotalsRow.rows(stored[1]) + links)
            let days = Set(rows.map { ClickTotal.day(ofQuarter: $0.key.quarter) } + pages.map(\.key.day))
            _ = try exchange([
                .init(
                    .saveTotals, .numbers(rows.map(\.key.application)), .numbers(rows.map { Int64($0.key.quarter) }),
                    .byteStrings(rows.map(\.bytes))),
                .init(
                    .saveLinkTotals, .numbers(pages.map { Int64($0.key.day) }), .numbers(pages.map(\.key.page)),
                    .byteStrings(pages.map(\.bytes))),
                // Those that a server of an earlier version made lack what it has not read.
                .init(droppingSummariesOf: days),
            ])
        }
    }

    /// Totals of applications, each sum of the rows that have its key.
    struct MergedTotals {
        private(set) var rows: [TotalsChange.Key: [UInt8]] = [:]

        /// - Parameter result: Applications, quarters of an hour and bytes.
        init(_ result: QueryResult) throws { try add(result) }

        mutating func add(_ result: QueryResult) throws {
            for row in 0..<result.count {
                let key = TotalsChange.Key(
                    application: try result.number(row, 0), quarter: Int(try result.number(row, 1)))
                let bytes = try result.bytes(row, 2)
                rows[key] = try rows[key].map { try ApplicationTotal.merged($0, bytes) } ?? bytes
            }
        }
    }
#endif
