package import WaymarkLinks

/// `ImportRunStore`.
extension SQLStore {
    package var importRuns: any ImportRunStore { self }

    package func insert(_ run: StoredImportRun) async throws(StoreError) {
        let insertion = SQLStatement(
            """
            INSERT INTO import_run (
                id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes
            ) VALUES ($1, $2, $3, $4, $5, $6 > 0, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING
            """, .text(run.id), .text(run.key), .text(run.application), .text(run.server), .time(run.seenAt),
            .flag(run.isStopRequested), .time(run.createdAt), .time(run.endedAt), .bytes(run.state),
            .number(run.reportBytes))
        try await transact { transaction in
            try transaction.run(insertion)
            try transaction.audit(
                .importStarted, AuditObject(.import, run.id), of: ApplicationID(run.application),
                after: AuditValues(json: run.state).limited(to: ["source", "domain", "dryRun"]))
        }
    }

    package func importRun(_ id: String) async throws(StoreError) -> StoredImportRun? {
        try await read(SQLStatement(StoredImportRun.selection + "WHERE id = $1", .text(id))) {
            try StoredImportRun($0)
        }.first
    }

    package func importRuns() async throws(StoreError) -> [StoredImportRun] {
        try await read(SQLStatement(StoredImportRun.selection)) { try StoredImportRun($0) }
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    package func advance(_ step: ImportRunStep) async throws(StoreError) -> ImportRunOrder {
        try await transact { transaction in
            let run = SQLStatement(
                "SELECT stop, application, ended_at FROM import_run WHERE id = $1 AND server = $2", .text(step.id),
                .text(step.server))
            let found = try transaction.rows(run.lockingRows) { row in
                (stop: try row.number(0), application: try row.text(1), hasEnded: try row.optionalNumber(2) != nil)
            }
            guard let found = found.first else { return .lost }
            var added = 0
            if let piece = step.piece {
                let insertion = SQLStatement(
                    "INSERT INTO import_report (run, piece, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                    .text(step.id), .number(piece.number), .bytes(piece.bytes))
                if try transaction.run(insertion) > 0 { added = piece.bytes.count }
            }
            try transaction.run(
                SQLStatement(
                    """
                    UPDATE import_run SET seen_at = $1, state = $2, report_bytes = report_bytes + $3,
                        ended_at = CASE WHEN $4 > 0 THEN coalesce(ended_at, $1) ELSE ended_at END
                    WHERE id = $5
                    """, .time(step.now), .bytes(step.state), .number(added), .flag(step.hasEnded), .text(step.id)))
            if step.hasEnded, !found.hasEnded {
                try transaction.audit(ended: step, of: ApplicationID(found.application))
            }
            return found.stop == 0 ? .goOn : .stop
        }
    }

    package func requestStop(ofImport id: String) async throws(StoreError) -> Bool {
        let stop = SQLStatement(
            "UPDATE import_run SET stop = true WHERE id = $1 AND ended_at IS NULL RETURNING application", .text(id))
        return try await transact { transaction in
            guard let application = try transaction.rows(stop, { try $0.text(0) }).first else { return false }
            try transaction.audit(.importStopped, AuditObject(.import, id), of: ApplicationID(application))
            return true
        }
    }

    package func abandon(
        _ run: StoredImportRun, state: [UInt8], at now: Timestamp
    ) async throws(StoreError) -> Bool {
        let end = SQLStatement(
            """
            UPDATE import_run SET server = '', state = $1, ended_at = $2
            WHERE id = $3 AND server = $4 AND seen_at = $5 AND ended_at IS NULL
            """, .bytes(state), .time(now), .text(run.id), .text(run.server), .time(run.seenAt))
        return try await transact { transaction in
            guard try transaction.run(end) > 0 else { return false }
            // The caller only found it: nobody ended it.
            try transaction.audit(
                endedImport: run.id, state, of: ApplicationID(run.application),
                by: AuditCall(AuditActor(nil), from: nil, at: now))
            return true
        }
    }

    package func reportPiece(_ number: Int, ofImport id: String) async throws(StoreError) -> [UInt8]? {
        let piece = SQLStatement(
            "SELECT bytes FROM import_report WHERE run = $1 AND piece = $2", .text(id), .number(number))
        return try await read(piece) { try $0.bytes(0) }.first
    }

    package func forgetImports(_ ids: [String]) async throws(StoreError) {
        let removals = ids.map {
            SQLStatement("DELETE FROM import_run WHERE id = $1 AND ended_at IS NOT NULL", .text($0))
        }
        _ = try await transact { try $0.run(removals) }
    }
}

extension SQLTransaction {
    /// By the call that started the run.
    fileprivate func audit(ended step: ImportRunStep, of application: ApplicationID?) throws {
        guard var call = auditCall else { return }
        call.at = step.now
        try audit(endedImport: step.id, step.state, of: application, by: call)
    }

    fileprivate func audit(
        endedImport id: String, _ state: [UInt8], of application: ApplicationID?, by call: AuditCall
    ) throws {
        try audit(
            .importEnded, AuditObject(.import, id), of: application, by: call,
            after: AuditValues(json: state).limited(to: ["source", "dryRun", "state", "counts"]))
    }
}

extension StoredImportRun {
    fileprivate static let selection: SQLText = """
        SELECT id, key, application, server, seen_at, stop, created_at, ended_at, state, report_bytes FROM import_run\u{20}
        """

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            id: try row.text(0), key: try row.text(1), application: try row.text(2), server: try row.text(3),
            createdAt: try row.timestamp(6), state: try row.bytes(8))
        seenAt = try row.timestamp(4)
        isStopRequested = try row.number(5) != 0
        endedAt = try row.optionalTimestamp(7)
        reportBytes = try row.count(9)
    }
}
