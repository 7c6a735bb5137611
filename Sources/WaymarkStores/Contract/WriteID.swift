package import WaymarkLinks

/// Identifies a write, so that a store performs it only once even if it is repeated. A writer that lost the response
/// to a COMMIT can't know whether the write was performed: it repeats the write with the same ID.
///
/// A writer numbers its batches, and sends none before it knows that the previous one was written. So a store only
/// needs the last batch of each writer.
package struct WriteID: Sendable, Equatable {
    /// 128 random bits.
    package let writer: [UInt8]
    package let batch: Int64
    /// When stores may delete the record of the batch. A write repeated later may be performed twice.
    package let expiresAt: Timestamp

    /// How long a write may be repeated, in milliseconds: 7 days.
    package static let lifetime: Int64 = 7 * 24 * 60 * 60 * 1000
    package var issuedAt: Timestamp { expiresAt.advanced(byMilliseconds: -Self.lifetime) }

    package init(writer: [UInt8], batch: Int64, expiresAt: Timestamp) {
        self.writer = writer
        self.batch = batch
        self.expiresAt = expiresAt
    }
}

/// A store's record of a writer.
package struct WrittenBatch: Sendable {
    package let batch: Int64
    /// The result of the write; 0 if it has none.
    package let result: Int
    package let expiresAt: Timestamp

    package init(_ write: WriteID, result: Int) {
        self.init(batch: write.batch, result: result, expiresAt: write.expiresAt)
    }

    package init(batch: Int64, result: Int, expiresAt: Timestamp) {
        self.batch = batch
        self.result = result
        self.expiresAt = expiresAt
    }

    /// The result of a write that was already performed; otherwise nil.
    package func result(of write: WriteID) -> Int? { batch >= write.batch ? result : nil }
}
