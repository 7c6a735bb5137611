package import WaymarkHTTP

/// What answers requests: one object for each event loop.
///
/// Isolation: made on and only ever called on its loop's thread, so it may keep caches without a lock. It must never
/// block: what waits for a disk or a database is a `Reply.later` or `Reply.body`.
package protocol RequestHandler: AnyObject {
    /// The answer to a request without a body, where the handler keeps it ready in full: nothing is copied, made or
    /// counted for it before it goes into the loop's reply buffer. Nil leaves the request to `respond`; the default.
    ///
    /// Its `route` is where the request went to, a place in `ServerConfiguration.routes`. Unsafe because it is borrowed: the
    /// handler keeps it at least until it is called again. Parameters as of `respond`.
    func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>?

    /// Answers one request whose head is complete.
    ///
    /// - Parameters:
    ///   - head: offsets into `bytes`; reused for the next request, so nothing of it may be kept.
    ///   - bytes: the receive buffer; valid during the call only.
    ///   - peer: who asks.
    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply

    /// Which of `ServerConfiguration.routes` the last call of `respond` went to; 0 where to none.
    var route: Int { get }

    /// The route of most ready answers, for which nothing is looked up that is known beforehand. A constant.
    var readyRoute: Int { get }

    /// The response for a request that the server itself refuses: bad syntax, limits, a body that is too large. With 503
    /// the server adds Retry-After.
    ///
    /// - Parameters:
    ///   - status: what the server decided; the connection is closed after it where framing is lost.
    ///   - detail: one sentence for the person who debugs the client; holds nothing that the client sent.
    func refusal(_ status: Status, detail: StaticString) -> Response
}

extension RequestHandler {
    package func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>? { nil }

    package var route: Int { 0 }
    package var readyRoute: Int { 0 }
}

/// How a request is answered: at once on the loop's thread, or by something that may wait.
package enum Reply {
    /// The fast lane: no `Task`, no thread but the loop's.
    case now(Response)
    /// Runs as a task; the request must have no body that matters (one that comes is read and dropped).
    case later(_ executionHint: ExecutionHint = .any, @Sendable () async -> Response)
    /// The server reads the body, at most `limit` bytes (more: 413), then runs the closure as a task.
    case body(limit: Int, _ executionHint: ExecutionHint = .any, @Sendable ([UInt8]) async -> Response)

    /// What a task does by itself, between the things that it waits for.
    package enum ExecutionHint: Sendable {
        /// Whatever it takes: it runs on the threads of tasks.
        case any
        /// Some microseconds, a fraction of a millisecond at the worst: it runs on the loop, which costs less than to hand it
        /// to another thread and its answer back.
        /// With a body that is longer than `briefBody` it is taken for `any`.
        case onEventLoop
        /// Waits for a result that concurrent requests share, as briefly as `onEventLoop`. It is not counted among
        /// `ServerLimits.waitingRequests`: there are no more of them than connections.
        case shared

        /// In bytes.
        package static let briefBody = 2_048
    }
}
