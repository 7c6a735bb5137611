#if PostgreSQL
    package import WaymarkStores
    import WaymarkLinks

    extension PostgresArchive {
        package func discardSearchIndex() throws(StoreError) {
            try transact {
                _ = try run(Statement.lock.sql, .number(LockKey.searchIndex))
                // Links that are made meanwhile would be neither older ones nor noted as new.
                _ = try run("LOCK TABLE waymark.link IN SHARE ROW EXCLUSIVE MODE")
                _ = try run(
                    "TRUNCATE waymark.search_part, waymark.search_leaf, waymark.search_change, waymark.click_order")
                _ = try run("DELETE FROM waymark.search_state")
                _ = try run(
                    """
                    INSERT INTO waymark.search_state (indexed, target)
                    SELECT 0, coalesce(max(id), 0) FROM waymark.link
                    """)
            }
        }

        package func rebuildTotals(of day: Int) throws(StoreError) {
            try transact {
                _ = try run(Statement.lock.sql, .number(LockKey.totals))
                let change = try count(day)
                let hosts = try HostNames(run(HostNames.selection))
                for command in try Connection.Command.replacingTotals(of: day, by: change, hosts) {
                    _ = try connection.run(command, by: .after(milliseconds: Self.timeLimit))
                }
            }
        }

        package func endRebuilding() throws(StoreError) {
            try transact {
                _ = try run(Statement.lock.sql, .number(LockKey.totals))
                _ = try run("DELETE FROM waymark.click_total_start")
                _ = try run("DELETE FROM waymark.click_summary")
            }
        }

        // MARK: Entries

        func add(_ totals: [ArchivedTotal]) throws(StoreError) {
            guard !totals.isEmpty else { return }
            _ = try run(
                """
                INSERT INTO waymark.click_total (application, quarter, bytes)
                SELECT application.number, given.quarter, given.bytes
                FROM unnest($1::text[], $2::int8[], $3::bytea[]) AS given (application, quarter, bytes)
                    JOIN waymark.application ON application.name = given.application
                ON CONFLICT (application, quarter) DO UPDATE SET bytes = excluded.bytes
                """, .texts(totals.map(\.key.application.text)), .numbers(totals.map { Int64($0.key.quarter) }),
                .byteStrings(totals.map(\.bytes)))
            try dropSummaries(
                of: Set(totals.map { Timestamp(seconds: Int64($0.key.quarter) * ClickTotal.quarter).day }))
        }

        func add(_ rows: [LinkTotalsRow]) throws(StoreError) {
            guard !rows.isEmpty else { return }
            _ = try run(
                Statement.saveLinkTotals.sql, .numbers(rows.map { Int64($0.key.day) }),
                .numbers(rows.map(\.key.page)), .byteStrings(rows.map(\.bytes)))
            try dropSummaries(of: Set(rows.map(\.key.day)))
        }

        private func dropSummaries(of days: Set<Int>) throws(StoreError) {
            let keys = days.flatMap { ClickSummaryKey.all(of: $0) }
            _ = try run(
                Statement.dropSummaries.sql, .numbers(keys.map { Int64($0.span) }),
                .numbers(keys.map { Int64($0.day) }))
        }

        /// Adds blocks, and the ones that were not there to totals.
        func add(_ blocks: [ClickBlock]) throws(StoreError) {
            guard !blocks.isEmpty else { return }
            do {
                let ordered = blocks.sorted { $0.key.order < $1.key.order }
                for command in try Transaction.adding(ordered, exchange: exchange) { _ = try exchange([command]) }
            } catch {
                throw StoreError(error)
            }
        }

        /// Statements are not prepared on this connection.
        private func exchange(_ commands: [Connection.Command]) throws -> [QueryResult] {
            let commands = commands.map { command in
                guard case .statement(let statement) = command.kind else { return command }
                var unprepared = Connection.Command(sql: statement.sql)
                unprepared.arguments = command.arguments
                return unprepared
            }
            return try connection.exchange(commands, by: .after(milliseconds: Self.timeLimit))
        }
    }
#endif
