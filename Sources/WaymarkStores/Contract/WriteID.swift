package import WaymarkLinks

/// Names a write, so that a store performs it once although it is sent again. A writer that lost the answer to a COMMIT
/// can't know whether the write happened: it repeats the write under the same id.
///
/// A writer numbers its batches and sends none before it knows that the batch before is written. So a store remembers one
/// batch for each writer: the last one.
package struct WriteID: Sendable, Equatable {
    /// 128 random bits.
    package let writer: [UInt8]
    package let batch: Int64
    /// Stores may forget the batch from then on. A write that is repeated later may be performed twice.
    package let expiresAt: Timestamp

    package init(writer: [UInt8], batch: Int64, expiresAt: Timestamp) {
        self.writer = writer
        self.batch = batch
        self.expiresAt = expiresAt
    }
}

/// What a store remembers of a writer.
package struct WrittenBatch: Sendable {
    package let batch: Int64
    /// What the write returned; 0 where it returns nothing.
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

    /// The result of a write that was performed before; else nil.
    package func result(of write: WriteID) -> Int? { batch >= write.batch ? result : nil }
}
