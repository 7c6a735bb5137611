internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore: ImportRunStore {
    package var importRuns: any ImportRunStore { self }

    package func insert(_ run: StoredImportRun) async throws(StoreError) {
        try await write { session in
            try session.database.run(
                """
                INSERT INTO import_run (
                    id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    run.id, run.key, run.application, run.server, run.seenAt.rawValue, run.isStopRequested ? 1 : 0,
                    run.createdAt.rawValue, run.endedAt?.rawValue, run.state.blob, run.reportBytes,
                ])
        }
    }

    package func importRun(_ id: String) async throws(StoreError) -> StoredImportRun? {
        try await read { database in
            try database.row(StoredImportRun.selection + "WHERE id = ?", [id]) { try StoredImportRun($0) }
        }
    }

    package func importRuns() async throws(StoreError) -> [StoredImportRun] {
        try await read { database in
            try database.rows(StoredImportRun.selection + "ORDER BY created_at DESC, id DESC", []) {
                try StoredImportRun($0)
            }
        }
    }

    package func advance(_ step: ImportRunStep) async throws(StoreError) -> ImportRunOrder {
        try await write { session in
            let database = session.database
            let stop = try database.row(
                "SELECT stop FROM import_run WHERE id = ? AND server = ?", [step.id, step.server]
            ) { try $0.number(0) }
            guard let stop else { return .lost }
            var added = 0
            if let piece = step.piece {
                try database.run(
                    "INSERT OR IGNORE INTO import_report (run, piece, bytes) VALUES (?, ?, ?)",
                    [step.id, piece.number, piece.bytes.blob])
                if database.changesCount > 0 { added = piece.bytes.count }
            }
            try database.run(
                """
                UPDATE import_run SET seen_at = ?1, state = ?2, report_bytes = report_bytes + ?3,
                    ended_at = CASE WHEN ?4 THEN coalesce(ended_at, ?1) ELSE ended_at END
                WHERE id = ?5
                """, [step.now.rawValue, step.state.blob, added, step.hasEnded ? 1 : 0, step.id])
            return stop == 0 ? .goOn : .stop
        }
    }

    package func requestStop(ofImport id: String) async throws(StoreError) -> Bool {
        try await write { session in
            try session.database.run("UPDATE import_run SET stop = 1 WHERE id = ? AND ended_at IS NULL", [id])
            return session.database.changesCount > 0
        }
    }

    package func abandon(
        _ run: StoredImportRun, state: [UInt8], at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await write { session in
            try session.database.run(
                """
                UPDATE import_run SET server = '', state = ?, ended_at = ?
                WHERE id = ? AND server = ? AND seen_at = ? AND ended_at IS NULL
                """, [state.blob, now.rawValue, run.id, run.server, run.seenAt.rawValue])
            return session.database.changesCount > 0
        }
    }

    package func reportPiece(_ number: Int, ofImport id: String) async throws(StoreError) -> [UInt8]? {
        try await read { database in
            try database.row("SELECT bytes FROM import_report WHERE run = ? AND piece = ?", [id, number]) {
                try $0.bytes(0)
            }
        }
    }

    package func forgetImports(_ ids: [String]) async throws(StoreError) {
        try await write { session in
            for id in ids {
                try session.database.run("DELETE FROM import_run WHERE id = ? AND ended_at IS NOT NULL", [id])
            }
        }
    }
}

extension StoredImportRun {
    fileprivate static let selection = """
        SELECT id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes FROM import_run\u{20}
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.text(0), key: try row.text(1), application: try row.text(2), server: try row.text(3),
            createdAt: try row.timestamp(6), state: try row.bytes(8))
        seenAt = try row.timestamp(4)
        isStopRequested = try row.number(5) != 0
        endedAt = try row.optionalNumber(7).map { Timestamp(rawValue: $0) }
        reportBytes = try row.count(9)
    }
}
