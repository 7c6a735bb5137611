internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

/// What was performed before: requests, by their keys, and batches of writes, by their writers.
extension WriteSession {
    func record(of key: RequestKey, at now: Timestamp) throws -> FoundRecord {
        let found = try database.row(
            "SELECT fingerprint, kind, answer FROM idempotency WHERE scope = ? AND expires_at > ?",
            [key.scope.blob, now.rawValue]
        ) { row -> FoundRecord in
            guard try row.bytes(0) == key.fingerprint else { return .mismatch }
            return .record(try RequestRecord(kind: row.number(1), bytes: row.bytes(2)))
        }
        return found ?? .nothing
    }

    func end(ofScope scope: [UInt8]) throws -> Timestamp? {
        try database.row("SELECT expires_at FROM idempotency WHERE scope = ?", [scope.blob]) { try $0.timestamp(0) }
    }

    func add(_ record: RequestRecord, of key: RequestKey, until end: Timestamp) throws {
        try database.run(
            """
            INSERT INTO idempotency (scope, fingerprint, expires_at, kind, answer) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
                kind = excluded.kind, answer = excluded.answer
            """, [key.scope.blob, key.fingerprint.blob, end.rawValue, record.kind, record.bytes.blob])
    }

    func result(of write: WriteID) throws -> Int? {
        let last = try database.row(
            "SELECT batch, result, expires_at FROM written_batch WHERE writer = ?", [write.writer.blob]
        ) { row in
            WrittenBatch(batch: try row.number(0), result: try row.count(1), expiresAt: try row.timestamp(2))
        }
        return last?.result(of: write)
    }

    func remember(_ write: WriteID, result: Int = 0) throws {
        try database.run(
            """
            INSERT INTO written_batch (writer, batch, result, expires_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, result = excluded.result,
                expires_at = excluded.expires_at
            """, [write.writer.blob, write.batch, result, write.expiresAt.rawValue])
    }

    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try database.run(
            """
            DELETE FROM idempotency
            WHERE number IN (SELECT number FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """, [now.rawValue, max(0, limit)])
        let records = database.changesCount
        try database.run(
            """
            DELETE FROM written_batch
            WHERE writer IN (SELECT writer FROM written_batch WHERE expires_at <= ? LIMIT ?)
            """, [now.rawValue, max(0, limit - records)])
        return records + database.changesCount
    }
}
