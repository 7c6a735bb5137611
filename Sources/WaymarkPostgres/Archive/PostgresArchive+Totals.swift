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

        // MARK: Reading, with the rows of shares

        package func totals(after key: ArchivedTotal.Key?, limit: Int) throws(StoreError) -> [ArchivedTotal] {
            let result = try run(
                """
                SELECT application.name, quarter, bytes
                FROM waymark.application JOIN \(Statement.totalRows) AS total ON total.application = application.number
                WHERE (application.name, quarter) > ($1::text, $2::int8)
                ORDER BY application.name, quarter FETCH FIRST ($3::int8) ROWS WITH TIES
                """, .text(key?.application.text ?? ""), .number(key.map { Int64($0.quarter) } ?? .min),
                .number(Int64(limit)))
            var totals: [ArchivedTotal] = []
            for row in 0..<result.count {
                guard let application = ApplicationID(try result.text(row, 0)) else { throw QueryResult.damaged }
                let total = ArchivedTotal(
                    key: ArchivedTotal.Key(application: application, quarter: Int(try result.number(row, 1))),
                    bytes: try result.bytes(row, 2))
                if let last = totals.last, last.key == total.key {
                    totals[totals.count - 1].bytes = try ApplicationTotal.merged(last.bytes, total.bytes)
                } else {
                    totals.append(total)
                }
            }
            return totals
        }

        package func linkTotals(after key: TotalsChange.PageKey?, limit: Int) throws(StoreError) -> [LinkTotalsRow] {
            let result = try run(
                """
                SELECT day, page, bytes FROM \(Statement.linkTotalRows) AS total
                WHERE (day, page) > ($1::int8, $2::int8) ORDER BY day, page FETCH FIRST ($3::int8) ROWS WITH TIES
                """, .number(key.map { Int64($0.day) } ?? .min), .number(key?.page ?? .min), .number(Int64(limit)))
            return try linkTotals(result)
        }

        private func linkTotals(_ result: QueryResult) throws(StoreError) -> [LinkTotalsRow] {
            do {
                return try LinkTotalsRow.merged(LinkTotalsRow.rows(result))
            } catch {
                throw StoreError(error)
            }
        }

        package func totalsDays() throws(StoreError) -> [Int] {
            let result = try run(
                """
                SELECT day FROM \(Statement.linkTotalRows) AS total
                UNION SELECT quarter / $1::int8 FROM \(Statement.totalRows) AS total ORDER BY 1
                """, .number(Int64(ClickTotal.quartersOfDay)))
            return try rows(result) { Int(try result.number($0, 0)) }
        }

        package func storedTotals(of day: Int) throws(StoreError) -> DayTotals {
            var totals = DayTotals()
            let links = try run(
                "SELECT day, page, bytes FROM \(Statement.linkTotalRows) AS total WHERE day = $1::int8",
                .number(Int64(day)))
            for row in try linkTotals(links) { totals.links[row.key] = row.bytes }
            let applications = try run(
                """
                SELECT application, quarter, bytes FROM \(Statement.totalRows) AS total
                WHERE application IN (SELECT number FROM waymark.application)
                    AND quarter >= $1::int8 AND quarter < $2::int8
                """, .number(Int64(day * ClickTotal.quartersOfDay)),
                .number(Int64((day + 1) * ClickTotal.quartersOfDay)))
            do {
                totals.applications = try MergedTotals(applications).rows
            } catch {
                throw StoreError(error)
            }
            return totals
        }

        // MARK: Entries

        func add(_ totals: [ArchivedTotal]) throws(StoreError) {
            guard !totals.isEmpty else { return }
            let keys: [Argument] = [
                .texts(totals.map(\.key.application.text)), .numbers(totals.map { Int64($0.key.quarter) }),
            ]
            _ = try run(
                """
                DELETE FROM waymark.click_total_share AS total
                USING unnest($1::text[], $2::int8[]) AS given (application, quarter), waymark.application
                WHERE application.name = given.application AND total.application = application.number
                    AND total.quarter = given.quarter
                """, arguments: keys)
            _ = try run(
                """
                INSERT INTO waymark.click_total (application, quarter, bytes)
                SELECT application.number, given.quarter, given.bytes
                FROM unnest($1::text[], $2::int8[], $3::bytea[]) AS given (application, quarter, bytes)
                    JOIN waymark.application ON application.name = given.application
                ON CONFLICT (application, quarter) DO UPDATE SET bytes = excluded.bytes
                """, arguments: keys + [.byteStrings(totals.map(\.bytes))])
            try dropSummaries(
                of: Set(totals.map { Timestamp(seconds: Int64($0.key.quarter) * ClickTotal.quarter).day }))
        }

        func add(_ rows: [LinkTotalsRow]) throws(StoreError) {
            guard !rows.isEmpty else { return }
            _ = try run(
                """
                DELETE FROM waymark.click_total_link_share AS total USING unnest($1::int8[], $2::int8[]) AS given (day, page)
                WHERE total.day = given.day AND total.page = given.page
                """, .numbers(rows.map { Int64($0.key.day) }), .numbers(rows.map(\.key.page)))
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
                for command in try Transaction.adding(ordered, to: .common, exchange: exchange) {
                    _ = try exchange([command])
                }
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
