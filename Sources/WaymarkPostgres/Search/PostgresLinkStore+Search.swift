#if PostgreSQL
    internal import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        /// Maximum number of links whose order by clicks is written in one transaction.
        private static let clicksAtOnce = 1_000

        package func updateIndexes(all: Bool) async throws(StoreError) -> Bool {
            try await metrics.measure(.updateIndexes) { () async throws(StoreError) in
                let hasMoreClicks = try await updateClickOrder(all: all)
                return try await inBackground { try $0.updateSearchIndex(all: all, by: $1) } || hasMoreClicks
            }
        }

        private func updateClickOrder(all: Bool) async throws(StoreError) -> Bool {
            let links = clicked.take(Self.clicksAtOnce, all: all)
            guard !links.isEmpty else { return false }
            do throws(StoreError) {
                try await inBackground { connection, deadline in
                    _ = try connection.run(.init(.updateClickOrder, .numbers(links.map(\.rawValue))), by: deadline)
                }
            } catch {
                clicked.note(links)
                throw error
            }
            return links.count == Self.clicksAtOnce
        }
    }

    extension Connection {
        /// Maximum numbers of links and leaves in one statement.
        private static var linksAtOnce: Int { 4_096 }
        private static var leavesAtOnce: Int { 1_000 }

        /// One step, in one transaction; false if there is nothing to do, or another server does it.
        fileprivate func updateSearchIndex(all: Bool, by deadline: Deadline) throws -> Bool {
            do {
                let begun = try exchange(
                    [
                        .init(.begin),
                        .init(sql: "SELECT pg_try_advisory_xact_lock($1::int8)", .number(LockKey.searchIndex)),
                    ], by: deadline)
                let isOurs = try begun.last?.number(0, 0) == 1
                let didWork = try isOurs && step(all: all, by: deadline)
                _ = try run(.init(.commit), by: deadline)
                return didWork
            } catch {
                if isOpen {
                    // Also ends the transaction.
                    do { _ = try run(.init(.rollback), by: deadline) } catch { close() }
                }
                throw error
            }
        }

        private func step(all: Bool, by deadline: Deadline) throws -> Bool {
            let (state, target) = try searchState(by: deadline)
            let changes = try run(
                .init(
                    sql: "SELECT link, version FROM waymark.search_change ORDER BY link, version LIMIT $1::int8",
                    .number(Int64(IndexStep.changeLimit))), by: deadline)
            // The older links are indexed to the last one: new ones wait for it.
            let isFilling = state.unindexed != nil
            guard
                let step = IndexStep.next(state, changes: changes.count, last: target, all: all || isFilling)
            else { return false }
            var builder = IndexBatchBuilder()
            switch step {
            case .new(let last):
                var first = state.unindexed?.lowerBound ?? 0
                while first <= last {
                    let rows = try run(
                        .init(.linksOfRange, .number(first), .number(last), .number(Int64(Self.linksAtOnce))),
                        by: deadline)
                    for link in LinkRow.readable(rows) { builder.add(link) }
                    guard rows.count == Self.linksAtOnce else { break }
                    first = try rows.number(rows.count - 1, 0) + 1
                }
                _ = try run(
                    .init(sql: "UPDATE waymark.search_state SET indexed = $1::int8", .number(last)), by: deadline)
            case .changes:
                let rows = try (0..<changes.count).map { (try changes.number($0, 0), try changes.number($0, 1)) }
                let ids = Set(rows.map(\.0)).sorted()
                let links = try run(.init(.loadLinks, .numbers(ids)), by: deadline)
                for link in LinkRow.readable(links) { builder.add(link) }
                _ = try run(
                    .init(
                        sql: """
                            DELETE FROM waymark.search_change USING unnest($1::int8[], $2::int8[]) AS given (link, version)
                            WHERE search_change.link = given.link AND search_change.version = given.version
                            """, .numbers(rows.map(\.0)), .numbers(rows.map(\.1))), by: deadline)
            case .merge(let parts):
                for part in parts { try merge(part, into: &builder, by: deadline) }
            }
            try write(builder.build(besides: state.parts), by: deadline)
            return true
        }

        private func merge(_ part: SearchPart, into builder: inout IndexBatchBuilder, by deadline: Deadline) throws {
            let key: [Argument] = [.number(part.segment), .number(part.number)]
            let results = try exchange(
                [
                    .init(
                        sql: """
                            DELETE FROM waymark.search_leaf WHERE segment = $1::int8 AND part = $2::int8 RETURNING bytes
                            """, key[0], key[1]),
                    .init(
                        sql: "DELETE FROM waymark.search_part WHERE segment = $1::int8 AND part = $2::int8", key[0],
                        key[1]),
                ], by: deadline)
            guard let leaves = results.first else { throw QueryResult.damaged }
            for row in 0..<leaves.count { try builder.add(leaf: leaves.bytes(row, 0), of: part.segment) }
        }

        private func write(_ batch: IndexBatch, by deadline: Deadline) throws {
            for new in batch.parts {
                let part = new.part
                for start in stride(from: 0, to: new.leaves.count, by: Self.leavesAtOnce) {
                    let leaves = new.leaves[start...].prefix(Self.leavesAtOnce)
                    _ = try run(
                        .init(
                            sql: """
                                INSERT INTO waymark.search_leaf (segment, part, first, bytes)
                                SELECT $1::int8, $2::int8, * FROM unnest($3::bytea[], $4::bytea[])
                                """, .number(part.segment), .number(part.number),
                            .byteStrings(leaves.map(\.first)), .byteStrings(leaves.map(\.bytes))), by: deadline)
                }
            }
            let parts = batch.parts.map(\.part)
            var commands: [Command] = [
                .init(
                    sql: """
                        INSERT INTO waymark.search_part (segment, part, links)
                        SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[])
                        """, .numbers(parts.map(\.segment)), .numbers(parts.map(\.number)),
                    .numbers(parts.map { Int64($0.links) }))
            ]
            if !batch.expiries.isEmpty {
                commands.append(
                    .init(
                        .addExpiries, .numbers(batch.expiries.map(\.expiresAt.rawValue)),
                        .numbers(batch.expiries.map(\.link.rawValue))))
            }
            if !batch.clicks.isEmpty {
                commands.append(.init(.updateClickOrder, .numbers(batch.clicks.map(\.link.rawValue).sorted())))
            }
            _ = try exchange(commands, by: deadline)
        }
    }
#endif
