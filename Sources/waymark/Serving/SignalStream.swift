import Dispatch
import Foundation

/// The signals handled by the service, in order of arrival.
final class SignalStream {
    enum Signal: Sendable {
        /// SIGHUP.
        case reload
        /// SIGTERM or SIGINT.
        case stop
    }

    let received: AsyncStream<Signal>
    private let sources: [any DispatchSourceSignal]
    /// Ends `received`.
    let finish: @Sendable () -> Void
    /// Acts like SIGTERM.
    let requestStop: @Sendable () -> Void

    init() {
        let (received, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.received = received
        finish = { continuation.finish() }
        requestStop = { continuation.yield(.stop) }
        sources = [(SIGHUP, Signal.reload), (SIGTERM, .stop), (SIGINT, .stop)].map { number, signal in
            // A dispatch source only receives a signal if its default action is disabled.
            Foundation.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(signal) }
            source.resume()
            return source
        }
        // Writing to a closed connection is an error of that write, and must not end the process.
        Foundation.signal(SIGPIPE, SIG_IGN)
        // The same for a file that reaches the limit of `ulimit -f`.
        Foundation.signal(SIGXFSZ, SIG_IGN)
    }

    /// Restores the default action of SIGTERM and SIGINT, so that the next one ends the process.
    func exitOnNextStop() {
        for number in [SIGTERM, SIGINT] { Foundation.signal(number, SIG_DFL) }
    }
}
