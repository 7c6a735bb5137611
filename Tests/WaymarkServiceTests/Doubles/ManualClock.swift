import Synchronization
import WaymarkLinks

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    /// 2026-11-21T10:00:00Z.
    private let time = Mutex(Timestamp(rawValue: 1_795_255_200_000))

    var now: Timestamp { time.withLock { $0 } }

    func advance(milliseconds: Int64) {
        time.withLock { $0 = Timestamp(rawValue: $0.rawValue + milliseconds) }
    }
}
