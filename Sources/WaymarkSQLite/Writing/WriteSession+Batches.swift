internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    /// The result of the write if it was performed before; else nil.
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

    func purgeBatches(at now: Timestamp, limit: Int) throws -> Int {
        try database.run(
            """
            DELETE FROM written_batch
            WHERE writer IN (SELECT writer FROM written_batch WHERE expires_at <= ? LIMIT ?)
            """, [now.rawValue, max(0, limit)])
        return database.changesCount
    }
}
