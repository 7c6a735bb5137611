import Dispatch
import Foundation

/// The signals that the service acts on, in the order they come.
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
    /// As if SIGTERM had come.
    let requestStop: @Sendable () -> Void

    init() {
        let (received, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.received = received
        finish = { continuation.finish() }
        requestStop = { continuation.yield(.stop) }
        sources = [(SIGHUP, Signal.reload), (SIGTERM, .stop), (SIGINT, .stop)].map { number, signal in
            // A dispatch source sees a signal only where the default action does not end the process first.
            Foundation.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(signal) }
            source.resume()
            return source
        }
        // A client that goes away while it is written to is an error of that write, not the end of the process.
        Foundation.signal(SIGPIPE, SIG_IGN)
    }

    /// Lets the next SIGTERM or SIGINT end the process as it would end any other.
    func exitOnNextStop() {
        for number in [SIGTERM, SIGINT] { Foundation.signal(number, SIG_DFL) }
    }
}
