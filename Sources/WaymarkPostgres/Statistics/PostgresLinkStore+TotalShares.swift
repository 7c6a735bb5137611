#if PostgreSQL
    import Synchronization
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
            let damaged = damagedTotals.known(at: quarter)
            // Mostly there is none, and a transaction would hold up writes.
            let found = try await inBackground { connection, deadline in
                try connection.run(
                    .init(
                        .shareToMerge, quarters, days, damaged.applications, damaged.quarters, damaged.days,
                        damaged.pages), by: deadline
                ).optionalNumber(0, 0)
            }
            guard let found else { return 0 }
            let unreadable = Mutex<DamagedTotals.Keys>(DamagedTotals.Keys())
            do throws(StoreError) {
                return try await writeAlone(as: .addSummary) { transaction in
                    let share = Argument.number(found)
                    // Another server merges: this one's writes don't wait for it.
                    guard try transaction.run(.tryLock, .number(LockKey.share)).number(0, 0) == 1 else { return 0 }
                    _ = try transaction.exchange([
                        .init(.lockShared, .number(LockKey.totals)),
                        .init(.lock, .number(LockKey.share + found)), .init(.lockApplicationsOfShare, share, quarters),
                    ])
                    let limit = Argument.number(Int64(limit))
                    let taken = try transaction.exchange([
                        .init(
                            .takeTotalsOfShare, share, quarters, limit, damaged.applications, damaged.quarters),
                        .init(.takeLinkTotalsOfShare, share, days, limit, damaged.days, damaged.pages),
                    ])
                    guard taken.count == 2 else { throw QueryResult.damaged }
                    try transaction.merge(taken[0], LinkTotalsRow.rows(taken[1])) { keys in
                        unreadable.withLock { $0 = keys }
                    }
                    return taken[0].count + taken[1].count
                }
            } catch {
                // The transaction was rolled back; the next one leaves them out.
                guard damagedTotals.add(unreadable.withLock { $0 }) else { throw error }
                return 1
            }
        }

        package func damagedTotalsCount() -> Int { damagedTotals.count }
    }

    /// Keys of totals whose rows can't be merged, because one of them can't be read. They are tried again each quarter of an hour:
    /// `waymark check --rebuild-totals` may have replaced them.
    final class DamagedTotals: Sendable {
        struct Keys {
            var totals: Set<TotalsChange.Key> = []
            var links: Set<TotalsChange.PageKey> = []

            var applications: Argument { .numbers(totals.sorted().map(\.application)) }
            var quarters: Argument { .numbers(totals.sorted().map { Int64($0.quarter) }) }
            var days: Argument { .numbers(links.sorted().map { Int64($0.day) }) }
            var pages: Argument { .numbers(links.sorted().map(\.page)) }
            var count: Int { totals.count + links.count }
        }

        /// More than a statement should get; then merging stops.
        private static let limit = 10_000

        private let state = Mutex<(quarter: Int, keys: Keys)>((.min, Keys()))

        var count: Int { state.withLock { $0.keys.count } }

        func known(at quarter: Int) -> Keys {
            state.withLock { state in
                if state.quarter != quarter { state = (quarter, Keys()) }
                return state.keys
            }
        }

        /// - Returns: Whether there are any that were not known.
        func add(_ keys: Keys) -> Bool {
            state.withLock { state in
                let before = state.keys.count
                guard before < Self.limit else { return false }
                state.keys.totals.formUnion(keys.totals)
                state.keys.links.formUnion(keys.links)
                return state.keys.count > before
            }
        }
    }

    extension Transaction {
        /// Adds rows that were those of a share to the ones without.
        ///
        /// - Parameter onDamage: gets the keys whose rows can't be added up, before the error.
        fileprivate func merge(
            _ taken: QueryResult, _ links: [LinkTotalsRow], onDamage: (DamagedTotals.Keys) -> Void
        ) throws {
            var pieces: [TotalsChange.Key: [[UInt8]]] = [:]
            func add(_ result: QueryResult) throws {
                for row in 0..<result.count {
                    let key = TotalsChange.Key(
                        application: try result.number(row, 0), quarter: Int(try result.number(row, 1)))
                    pieces[key, default: []].append(try result.bytes(row, 2))
                }
            }
            try add(taken)
            let stored = try exchange([
                .init(
                    .totalsToMerge, .numbers(pieces.keys.map(\.application)),
                    .numbers(pieces.keys.map { Int64($0.quarter) })),
                .init(
                    .linkTotalsToChange, .numbers(links.map { Int64($0.key.day) }), .numbers(links.map(\.key.page))),
            ])
            guard stored.count == 2 else { throw QueryResult.damaged }
            try add(stored[0])
            var damaged = DamagedTotals.Keys()
            var rows: [(key: TotalsChange.Key, bytes: [UInt8])] = []
            for (key, pieces) in pieces.sorted(by: { $0.key < $1.key }) {
                do throws(StoreError) {
                    var bytes = pieces[0]
                    for piece in pieces.dropFirst() { bytes = try ApplicationTotal.merged(bytes, piece) }
                    rows.append((key, try ApplicationTotal.narrow(bytes)))
                } catch {
                    damaged.totals.insert(key)
                }
            }
            var pages: [LinkTotalsRow] = []
            let ofLinks = try Dictionary(grouping: LinkTotalsRow.rows(stored[1]) + links, by: \.key)
            for (key, rows) in ofLinks.sorted(by: { $0.key < $1.key }) {
                do throws(StoreError) {
                    // A row that is the only one of its key is read by nothing else.
                    for row in rows { _ = try LinkTotals(encoded: row.bytes) }
                    pages += try LinkTotalsRow.merged(rows)
                } catch {
                    damaged.links.insert(key)
                }
            }
            guard damaged.count == 0 else {
                onDamage(damaged)
                throw QueryResult.damaged
            }
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
