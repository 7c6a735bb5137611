import WaymarkHTTP
import WaymarkSockets

/// The state of a request that is not answered at once. Isolation: its connection's loop.
final class Exchange {
    /// The source of the response, once the body is complete.
    enum Answer {
        /// Already produced; the handler did not need the body.
        case ready(Response)
        case operation(Reply.ExecutionHint, @Sendable ([UInt8]) async -> Response)
    }

    /// Decodes the body from the input: either for the handler, or to be dropped before the response.
    var decoder: BodyDecoder?
    /// Bytes received for the body, chunk lines included; counted for the minimum rate and the limit on dropped
    /// bytes.
    var received = 0
    /// The body so far.
    var body: [UInt8] = []
    var answer: Answer?
    /// Takes the body in pieces, instead of `body` as a whole.
    var receiver: (any BodyReceiver)?
    /// The client waits for 100 Continue, which the receiver decides on.
    var awaitsContinue = false
    /// Produces the body of the response.
    var source: (any BodySource)?
    /// For the access log; nil if the request is not logged.
    var entry: AccessLogEntry?
    /// The request's share of the server-wide limits.
    var share: InFlightPermit?
    /// When the head was complete.
    let started: MonotonicInstant

    init(decoder: BodyDecoder?, started: MonotonicInstant) {
        self.decoder = decoder
        self.started = started
    }
}
