import Synchronization
import WaymarkLinks

/// A clock that moves when it is told to.
final class TestClock: Sendable {
    // 2026-11-21T10:00:00Z.
    private let milliseconds = Atomic<Int64>(1_795_255_200_000)

    var now: Timestamp { Timestamp(rawValue: milliseconds.load(ordering: .sequentiallyConsistent)) }

    func advance(seconds: Int64) {
        milliseconds.wrappingAdd(seconds * 1_000, ordering: .sequentiallyConsistent)
    }
}
