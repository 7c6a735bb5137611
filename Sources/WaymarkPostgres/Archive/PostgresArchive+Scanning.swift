#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresArchive {
        private static let rowsAtOnce = 500

        package func scan(_ columns: TableColumns, _ body: (TableRow) throws -> Void) throws {
            try scan("SELECT \(columns.names) FROM waymark.\(columns.table)") { result, row in
                try body(TableRow(columns, result, row))
            }
        }

        /// Reads a query with a cursor, which needs a transaction.
        private func scan(
            _ sql: String, _ arguments: Argument..., body: (QueryResult, Int) throws -> Void
        ) throws {
            _ = try run("DECLARE scan NO SCROLL CURSOR FOR " + sql, arguments: arguments)
            // Also after a damaged row.
            defer { _ = try? run("CLOSE scan") }
            while true {
                let result = try run("FETCH \(Self.rowsAtOnce) FROM scan")
                guard result.count > 0 else { return }
                for row in 0..<result.count { try body(result, row) }
            }
        }

        package func tables() throws(StoreError) -> [String] {
            let result = try run("SELECT tablename::text FROM pg_tables WHERE schemaname = 'waymark'")
            return try rows(result) { try result.text($0, 0) }
        }

        package func countedTotals(of day: Int) throws(StoreError) -> DayTotals {
            do {
                return try DayTotals(count(day), domain: HostNames(run(HostNames.selection)).name)
            } catch {
                throw StoreError(error)
            }
        }

        package func existing(_ links: [LinkID]) throws(StoreError) -> Set<LinkID> {
            let result = try run(
                """
                SELECT id FROM waymark.link WHERE id = ANY ($1::int8[])
                UNION ALL SELECT number FROM waymark.long_link WHERE number = ANY ($1::int8[])
                """, .numbers(links.map(\.rawValue)))
            return Set(try rows(result) { LinkID(rawValue: try result.number($0, 0)) })
        }

        package func searchState() throws(StoreError) -> SearchState {
            let indexed = try run("SELECT indexed, target FROM waymark.search_state")
            // Then nothing is found by the index.
            guard indexed.count == 1 else { return SearchState(parts: [], unindexed: .min ... .max) }
            let (first, target) = (try indexed.number(0, 0), try indexed.number(0, 1))
            let parts = try run("SELECT segment, part, links FROM waymark.search_part ORDER BY segment, part")
            return SearchState(
                parts: try rows(parts) { row in
                    SearchPart(
                        segment: try parts.number(row, 0), number: try parts.number(row, 1),
                        links: try parts.count(row, 2))
                },
                // Links above the target were noted as changed when they were made.
                unindexed: first < target ? first + 1...target : nil)
        }

        package func searchLeaves(
            of part: SearchPart, _ body: (_ first: [UInt8], _ bytes: [UInt8]) throws -> Void
        ) throws {
            try scan(
                "SELECT first, bytes FROM waymark.search_leaf WHERE segment = $1::int8 AND part = $2::int8 ORDER BY first",
                .number(part.segment), .number(part.number)
            ) { result, row in try body(result.bytes(row, 0), result.bytes(row, 1)) }
        }

        package func missingExpiries(_ links: [(id: LinkID, end: Timestamp)]) throws(StoreError) -> [LinkID] {
            guard !links.isEmpty else { return [] }
            let result = try run(
                """
                SELECT given.link FROM unnest($1::int8[], $2::int8[]) AS given (expires_at, link)
                WHERE NOT EXISTS (
                    SELECT FROM waymark.link_expiry AS expiry
                    WHERE expiry.expires_at = given.expires_at AND expiry.link = given.link)
                """, .numbers(links.map(\.end.rawValue)), .numbers(links.map(\.id.rawValue)))
            return try rows(result) { LinkID(rawValue: try result.number($0, 0)) }
        }

        func noteHistoryStart(of archived: [ArchivedLink]) throws(StoreError) {
            guard let last = archived.filter(\.lacksHistory).map(\.link.updatedAt.rawValue).max() else { return }
            let start = Argument.number(last + 1)
            _ = try run("DELETE FROM waymark.link_change_start WHERE at < $1::int8", start)
            _ = try run(
                """
                INSERT INTO waymark.link_change_start
                SELECT $1::int8 WHERE NOT EXISTS (SELECT FROM waymark.link_change_start)
                """, start)
        }

        /// A count of the day's click records, page by page.
        func count(_ day: Int) throws -> TotalsChange {
            var change = TotalsChange()
            var last: ClickBlock.Key?
            while true {
                let command = Connection.Command(blocksToCount: day, after: last, limit: 1_000)
                let blocks = try CountedBlock.all(
                    of: connection.run(command, by: .after(milliseconds: Self.timeLimit)), day)
                guard let end = blocks.last else { return change }
                for block in blocks { change.add(block) }
                last = end.block.key
            }
        }
    }

    extension TableRow {
        fileprivate init(_ columns: TableColumns, _ result: QueryResult, _ row: Int) throws {
            self.init(
                try columns.columns.enumerated().map { index, column in
                    if try result.isNull(row, index) { return .null }
                    switch column.kind {
                    case .number: return .number(try result.number(row, index))
                    case .text: return .text(try result.text(row, index))
                    case .bytes: return .bytes(try result.bytes(row, index))
                    }
                })
        }
    }
#endif
