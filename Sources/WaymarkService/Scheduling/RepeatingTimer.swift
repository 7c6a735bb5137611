import Dispatch
import Synchronization

/// Runs an action periodically with low priority until it is cancelled. A run is skipped while the previous one is
/// still running.
///
/// Safety: `@unchecked Sendable` because of `source` only: it is set once, and Dispatch allows calling it on any
/// thread.
package final class RepeatingTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer
    private let isBusy = Atomic<Bool>(false)

    package init(every interval: Duration, _ body: @escaping @Sendable () async -> Void) {
        let (seconds, attoseconds) = interval.components
        let milliseconds = max(1, Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
        source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(
            deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(max(1, milliseconds / 20)))
        source.setEventHandler { [weak self] in
            guard let self, !self.isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return }
            Task(priority: .utility) {
                await body()
                self.isBusy.store(false, ordering: .releasing)
            }
        }
        source.activate()
    }

    deinit { source.cancel() }

    package func cancel() { source.cancel() }
}
