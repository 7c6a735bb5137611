import Dispatch
import Synchronization

/// Runs something again and again until it is cancelled. A turn whose predecessor still runs is left out.
final class RepeatingTimer: Sendable {
    private let state: Mutex<State>

    private struct State {
        var source: (any DispatchSourceTimer)?
        var isBusy = false
    }

    init(every interval: Duration, _ body: @escaping @Sendable () async -> Void) {
        state = Mutex(State())
        let (seconds, attoseconds) = interval.components
        let milliseconds = max(1, Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(
            deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(max(1, milliseconds / 20)))
        source.setEventHandler { [weak self] in
            guard let self, self.begin() else { return }
            Task {
                await body()
                self.end()
            }
        }
        state.withLock { $0.source = source }
        source.activate()
    }

    deinit { cancel() }

    func cancel() {
        state.withLock { state in
            state.source?.cancel()
            state.source = nil
        }
    }

    private func begin() -> Bool {
        state.withLock { state in
            guard !state.isBusy, state.source != nil else { return false }
            state.isBusy = true
            return true
        }
    }

    private func end() { state.withLock { $0.isBusy = false } }
}
