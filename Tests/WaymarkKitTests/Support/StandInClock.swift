import Foundation
import Synchronization
import WaymarkKit

/// A clock that never makes anybody wait: sleeping moves it.
final class StandInClock: ClientClock {
    private struct State {
        var now: Date
        var waits: [Duration] = []
    }

    private let state: Mutex<State>

    /// 2026-11-21T10:00:00Z.
    init(_ seconds: TimeInterval = 1_795_255_200) {
        state = Mutex(State(now: Date(timeIntervalSince1970: seconds)))
    }

    var now: Date { state.withLock { $0.now } }
    /// How long was slept, each time.
    var waits: [Duration] { state.withLock { $0.waits } }

    func advance(by duration: Duration) {
        state.withLock { $0.now += duration / .seconds(1) }
    }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.waits.append(duration)
            state.now += duration / .seconds(1)
        }
    }
}
