import WaymarkHTTP
import WaymarkSockets

/// What a connection keeps about a request that is not answered at once. Isolation: its connection's loop.
final class Exchange {
    /// How the answer comes about, once the body is complete.
    enum Answer {
        /// Made by now; nobody wanted the body.
        case ready(Response)
        case operation(Reply.ExecutionHint, @Sendable ([UInt8]) async -> Response)
    }

    /// Takes the body out of what arrives: one that the handler wants, or one that is dropped ahead of the answer.
    var decoder: BodyDecoder?
    /// Bytes that came for the body, chunk lines included; counted for the minimum rate and for what is dropped.
    var received = 0
    /// The body so far.
    var body: [UInt8] = []
    var answer: Answer?
    /// For the access log; nil where it need not hear of the request.
    var entry: AccessLogEntry?
    /// What it takes of what all requests share.
    var share: InFlightPermit?
    /// When the head was complete.
    let started: MonotonicInstant

    init(decoder: BodyDecoder?, started: MonotonicInstant) {
        self.decoder = decoder
        self.started = started
    }
}
