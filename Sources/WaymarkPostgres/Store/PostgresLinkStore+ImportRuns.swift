#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore: ImportRunStore {
        package var importRuns: any ImportRunStore { self }

        package func insert(_ run: StoredImportRun) async throws(StoreError) {
            try await writeAlone { transaction in
                _ = try transaction.run(
                    sql: """
                        INSERT INTO waymark.import_run (
                            id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes
                        ) VALUES (
                            $1::text, $2::text, $3::text, $4::text, $5::int8, $6::int8 > 0, $7::int8, $8::int8, $9::bytea,
                            $10::int8
                        ) ON CONFLICT (id) DO NOTHING
                        """, .text(run.id), .text(run.key), .text(run.application), .text(run.server),
                    .number(run.seenAt.rawValue), .number(run.isStopRequested ? 1 : 0),
                    .number(run.createdAt.rawValue), run.endedAt.map { .number($0.rawValue) } ?? .null,
                    .bytes(run.state), .number(Int64(run.reportBytes)))
            }
        }

        package func importRun(_ id: String) async throws(StoreError) -> StoredImportRun? {
            let command = Connection.Command(sql: StoredImportRun.selection + "WHERE id = $1::text", .text(id))
            return try await read(command) { $0.count > 0 ? try StoredImportRun($0, 0) : nil }
        }

        package func importRuns() async throws(StoreError) -> [StoredImportRun] {
            let command = Connection.Command(
                sql: StoredImportRun.selection + "ORDER BY created_at DESC, id COLLATE \"C\" DESC")
            return try await read(command) { result in
                try (0..<result.count).map { try StoredImportRun(result, $0) }
            }
        }

        package func advance(_ step: ImportRunStep) async throws(StoreError) -> ImportRunOrder {
            try await writeAlone { transaction in
                let found = try transaction.run(
                    sql: "SELECT stop FROM waymark.import_run WHERE id = $1::text AND server = $2::text FOR UPDATE",
                    .text(step.id), .text(step.server))
                guard found.count > 0 else { return .lost }
                var added = 0
                if let piece = step.piece {
                    let inserted = try transaction.run(
                        sql: """
                            INSERT INTO waymark.import_report (run, piece, bytes)
                            VALUES ($1::text, $2::int8, $3::bytea) ON CONFLICT DO NOTHING
                            """, .text(step.id), .number(Int64(piece.number)), .bytes(piece.bytes))
                    if inserted.changed > 0 { added = piece.bytes.count }
                }
                _ = try transaction.run(
                    sql: """
                        UPDATE waymark.import_run SET seen_at = $1::int8, state = $2::bytea,
                            report_bytes = report_bytes + $3::int8,
                            ended_at = CASE WHEN $4::int8 > 0 THEN coalesce(ended_at, $1::int8) ELSE ended_at END
                        WHERE id = $5::text
                        """, .number(step.now.rawValue), .bytes(step.state), .number(Int64(added)),
                    .number(step.hasEnded ? 1 : 0), .text(step.id))
                return try found.number(0, 0) == 0 ? .goOn : .stop
            }
        }

        package func requestStop(ofImport id: String) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                try transaction.run(
                    sql: "UPDATE waymark.import_run SET stop = true WHERE id = $1::text AND ended_at IS NULL",
                    .text(id)
                ).changed > 0
            }
        }

        package func abandon(
            _ run: StoredImportRun, state: [UInt8], at now: Timestamp
        ) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                try transaction.run(
                    sql: """
                        UPDATE waymark.import_run SET server = '', state = $1::bytea, ended_at = $2::int8
                        WHERE id = $3::text AND server = $4::text AND seen_at = $5::int8 AND ended_at IS NULL
                        """, .bytes(state), .number(now.rawValue), .text(run.id), .text(run.server),
                    .number(run.seenAt.rawValue)
                ).changed > 0
            }
        }

        package func reportPiece(_ number: Int, ofImport id: String) async throws(StoreError) -> [UInt8]? {
            let command = Connection.Command(
                sql: "SELECT bytes FROM waymark.import_report WHERE run = $1::text AND piece = $2::int8",
                .text(id), .number(Int64(number)))
            return try await read(command) { $0.count > 0 ? try $0.bytes(0, 0) : nil }
        }

        package func forgetImports(_ ids: [String]) async throws(StoreError) {
            try await writeAlone { transaction in
                _ = try transaction.run(
                    sql: "DELETE FROM waymark.import_run WHERE id = ANY ($1::text[]) AND ended_at IS NOT NULL",
                    .texts(ids))
            }
        }

        /// Through the channel of messages, so that servers of older versions don't take them for changes.
        package func send(_ message: String) async throws(StoreError) {
            let payload = ChangeNotice.message(message, from: origin)
            try await writeAlone { transaction in
                _ = try transaction.run(
                    sql: "SELECT pg_notify('\(ChangeNotice.messageChannel)', $1::text)", .text(payload))
            }
        }
    }

    extension StoredImportRun {
        fileprivate static let selection = """
            SELECT id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes
            FROM waymark.import_run\u{20}
            """

        fileprivate init(_ result: QueryResult, _ row: Int) throws {
            self.init(
                id: try result.text(row, 0), key: try result.text(row, 1), application: try result.text(row, 2),
                server: try result.text(row, 3), createdAt: try result.timestamp(row, 6),
                state: try result.bytes(row, 8))
            seenAt = try result.timestamp(row, 4)
            isStopRequested = try result.number(row, 5) != 0
            endedAt = try result.optionalNumber(row, 7).map { Timestamp(rawValue: $0) }
            reportBytes = try result.count(row, 9)
        }
    }
#endif
