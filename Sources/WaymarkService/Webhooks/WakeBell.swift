import Synchronization

/// Lets one task wait for a time, or until it is woken.
final class WakeBell: Sendable {
    private struct State {
        var hasRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.hasRung = state.waiting == nil
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns at once if it has rung since the last wait.
    func wait(milliseconds: Int64) async {
        let timer = Task {
            guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil else { return }
            ring()
        }
        await wait()
        timer.cancel()
    }

    /// The same, without a limit.
    func wait() async {
        await withCheckedContinuation { continuation in
            let rings = state.withLock { state in
                defer { state.hasRung = false }
                guard !state.hasRung else { return true }
                state.waiting = continuation
                return false
            }
            if rings { continuation.resume() }
        }
    }
}
