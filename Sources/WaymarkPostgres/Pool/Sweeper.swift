#if PostgreSQL
    internal import Dispatch

    /// Runs a function every half second until it is stopped.
    /// Unchecked because Dispatch's sources are thread-safe, but only according to their documentation.
    final class Sweeper: @unchecked Sendable {
        private let timer: any DispatchSourceTimer

        init(_ body: @escaping @Sendable () -> Void) {
            timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "waymark.postgresql.expiry"))
            timer.setEventHandler(handler: body)
            timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
            timer.resume()
        }

        func stop() { timer.cancel() }

        deinit { timer.cancel() }
    }
#endif
