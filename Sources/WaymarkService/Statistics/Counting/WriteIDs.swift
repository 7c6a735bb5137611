import Synchronization
package import WaymarkLinks
import WaymarkStores

/// The IDs with which this server writes counts.
///
/// A store has a row per writer, so the writer of a settled ID is reused for the next write: there are only as many
/// writers as there were concurrent writes.
package final class WriteIDs: Sendable {
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let settled = Mutex<[WriteID]>([])

    package init(now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    func next() -> WriteID {
        let last = settled.withLock { $0.popLast() }
        return WriteID(
            writer: last?.writer ?? randomBytes(16), batch: (last?.batch ?? 0) + 1,
            expiresAt: now().advanced(byMilliseconds: WriteID.lifetime))
    }

    /// The store has performed the write; it is not repeated.
    func settle(_ id: WriteID) { settled.withLock { $0.append(id) } }
}
