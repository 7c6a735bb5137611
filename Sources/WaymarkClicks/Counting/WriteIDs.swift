import Synchronization
package import WaymarkLinks
import WaymarkStores

/// The ids under which this server writes counts.
///
/// A store keeps a row for each writer, so an id whose outcome is known passes its writer on to the next write: there are
/// only as many writers as there were ever writes at the same time.
package final class WriteIDs: Sendable {
    /// In milliseconds; 7 days.
    private static let lifetime: Int64 = 7 * 24 * 60 * 60 * 1000

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
            expiresAt: now().advanced(byMilliseconds: Self.lifetime))
    }

    /// The store has answered the write; it is not sent again.
    func settle(_ id: WriteID) { settled.withLock { $0.append(id) } }
}
