package import WaymarkHTTP

/// Answers requests: one object for each event loop.
///
/// Isolation: made and called on its loop's thread only, so it may keep caches without a lock. It must never block:
/// work that waits for a disk or a database is a `Reply.later` or `Reply.body`.
package protocol RequestHandler: AnyObject {
    /// The complete response to a request without a body, if the handler has it cached: it is copied into the loop's
    /// reply buffer without any allocation or reference counting. Nil, the default, leaves the request to `respond`.
    ///
    /// Its `route` is the request's route, an index into `ServerConfiguration.routes`. Unsafe because it is borrowed:
    /// the handler keeps it at least until its next call. Parameters as for `respond`.
    func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>?

    /// Answers one request whose head is complete.
    ///
    /// - Parameters:
    ///   - head: offsets into `bytes`; reused for the next request, so it must not be stored.
    ///   - bytes: the receive buffer; valid only during the call.
    ///   - peer: the client.
    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply

    /// The index in `ServerConfiguration.routes` that the last call of `respond` went to; 0 if none.
    var route: Int { get }

    /// The route of most cached responses, so the server can prepare its lookups. A constant.
    var cachedRoute: Int { get }

    /// The response for a request that the server itself rejects: bad syntax, limits, a body that is too large. For
    /// 503 the server adds Retry-After.
    ///
    /// - Parameters:
    ///   - status: the server's decision; the connection is closed after it if framing is lost.
    ///   - detail: one sentence for the developer of the client; contains no input of the client.
    func refusal(_ status: Status, detail: StaticString) -> Response
}

extension RequestHandler {
    package func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>? { nil }

    package var route: Int { 0 }
    package var cachedRoute: Int { 0 }
}

/// How a request is answered: at once on the loop's thread, or by a task that may wait.
package enum Reply {
    /// Synchronous: no `Task`, no thread but the loop's.
    case now(Response)
    /// Runs as a task, for requests whose body is not used (it is read and dropped).
    case later(_ executionHint: ExecutionHint = .any, @Sendable () async -> Response)
    /// The server reads the body, at most `limit` bytes (longer: 413), then runs the closure as a task.
    case body(limit: Int, _ executionHint: ExecutionHint = .any, @Sendable ([UInt8]) async -> Response)
    /// The server passes the body on while it arrives, at most `limit` bytes (longer: 413), even if that is more than
    /// `ServerLimits.body`: only a piece of it is in memory at a time.
    case stream(limit: Int, any BodyReceiver)

    /// The CPU time of a task between its suspension points.
    package enum ExecutionHint: Sendable {
        /// Any duration: runs on the thread pool for tasks.
        case any
        /// Some microseconds, a fraction of a millisecond at worst: runs on the loop, which costs less than a switch
        /// to another thread and back. Treated as `any` if the body is longer than `briefBody`.
        case onEventLoop
        /// Waits for a result that concurrent requests share, as briefly as `onEventLoop`. Not counted in
        /// `ServerLimits.waitingRequests`: the number of connections bounds them.
        case shared

        /// In bytes.
        package static let briefBody = 2_048
    }
}

/// Takes the body of one request in pieces. The calls never overlap; a piece is read from the client only after the
/// previous one was taken. If the client goes away, the receiver is released without a further call.
package protocol BodyReceiver: AnyObject, Sendable {
    /// Called before the first piece, and before a client that waits for `100 Continue` gets it.
    ///
    /// - Returns: nil to receive the body, otherwise the response; the connection is closed after it.
    func begin() async -> Response?
    /// - Parameter piece: not empty.
    /// - Returns: as for `begin`.
    func receive(_ piece: [UInt8]) async -> Response?
    /// The body is complete.
    func end() async -> Response
}

extension BodyReceiver {
    /// The response to a body that is in memory already.
    package func response(to body: [UInt8]) async -> Response {
        if let refusal = await begin() { return refusal }
        if !body.isEmpty, let refusal = await receive(body) { return refusal }
        return await end()
    }
}
