import Dispatch
import WaymarkSockets

/// Samples each event loop periodically: how late the call runs, which is how long the loop's connections have waited
/// too, and what they are doing. Costs the loops nothing between samples.
///
/// `@unchecked Sendable` because of `timer` alone, whose functions Dispatch allows on any thread.
final class LoopProbe: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ loops: [(loop: any EventLoop, worker: Worker)], every interval: Duration) {
        let (seconds, attoseconds) = interval.components
        let milliseconds = max(1, Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(milliseconds / 10))
        timer.setEventHandler {
            for (loop, worker) in loops {
                let given = MonotonicInstant.current()
                loop.execute { worker.look(MonotonicInstant.current().since(given)) }
            }
        }
        timer.activate()
    }

    func stop() { timer.cancel() }

    deinit { timer.cancel() }
}
