import WaymarkHTTP
import WaymarkSockets

/// A connection that gets 503 instead of being served. Input that was in flight at the time of the accept is read and
/// dropped for a while: closing a socket with unread bytes sends a reset, which can destroy the response before the
/// client reads it.
///
/// Isolation: its loop.
final class RejectedConnection: ReadinessHandler {
    /// Limit for one loop; beyond it the connection is closed at once, and the client may lose the response.
    static let most = 256
    private static let dropped = 65_536

    private let worker: Worker
    private let end: CoarseInstant
    private var registration = Registration(descriptor: -1, generation: 0)
    private var quota = RejectedConnection.dropped

    private init(_ worker: Worker) {
        self.worker = worker
        end = worker.loop.now.advanced(by: min(worker.deadlines.lingerIdle, 2_000))
    }

    /// Sends the response, shuts down writing, and lets the loop finish the close.
    static func begin(_ descriptor: consuming FileDescriptor, _ overload: Overload, on worker: Worker) {
        let number = descriptor.number
        answer(number, overload, on: worker)
        guard worker.rejected < most else { return dropOnce(number, on: worker) }
        let client = RejectedConnection(worker)
        do throws(SystemError) {
            client.registration = try worker.loop.register(descriptor, for: .read, handler: client)
        } catch {
            // The failed call closes the descriptor.
            return
        }
        worker.rejected += 1
        worker.loop.setDeadline(client.end, of: client.registration)
    }

    /// Sends the response and closes at once, for when no descriptor may stay open.
    static func answerAndClose(_ descriptor: consuming FileDescriptor, _ overload: Overload, on worker: Worker) {
        answer(descriptor.number, overload, on: worker)
        dropOnce(descriptor.number, on: worker)
    }

    private static func answer(_ descriptor: Int32, _ overload: Overload, on worker: Worker) {
        let response = overload.response(worker.handler)
        let count = response.body.count
        let buffer = ByteBuffer(capacity: 1_024)
        ResponseHead(status: response.status, fields: response.fields, contentLength: UInt64(count))
            .append(to: buffer, date: worker.dateLine, persistence: .close)
        if case .bytes(let bytes) = response.body { buffer.append(bytes) }
        worker.counters.requests.count(Int(response.status.code), route: 0)
        // unsafe because a pointer is lent for the call. Bytes that the socket's empty buffer does not take are lost:
        // nothing is stored for rejected connections.
        let result = unsafe buffer.withBytes { unsafe SystemCall.send(descriptor, $0) }
        if case .processed(let count) = result { ServerCounters.add(count, to: worker.counters.bytesSent) }
        SystemCall.shutdownWriting(descriptor)
    }

    private static func dropOnce(_ descriptor: Int32, on worker: Worker) {
        // unsafe because it reads into the loop's buffer, with its bounds; the bytes are not used.
        _ = unsafe SystemCall.receive(descriptor, into: worker.room(at: 0, count: Worker.readSize))
    }

    func ready(_ readiness: Interest) {
        // unsafe because it reads into the loop's buffer, with its bounds; the bytes are not used.
        switch unsafe SystemCall.receive(
            registration.descriptor, into: worker.room(at: 0, count: Worker.readSize))
        {
        case .processed(let count) where count > 0 && count <= quota: quota -= count
        case .wouldBlock: break
        default: close()
        }
    }

    func deadlinePassed() {
        close()
    }

    private func close() {
        worker.rejected -= 1
        worker.loop.close(registration)
    }
}

/// Why a client gets 503 instead of being served.
enum Overload {
    /// All connections are taken.
    case connections
    /// The client's address has as many connections as one may have.
    case address
    /// Too many requests are being answered, or their bodies take too much memory.
    case requests
    /// The process or the system has no descriptor left.
    case descriptors

    private var detail: StaticString {
        switch self {
        case .connections: "The server has as many connections as it can serve."
        case .address: "There are too many connections from this address."
        case .requests: "The server has as many requests in hand as it can answer in time."
        case .descriptors: "The server can open no further connection."
        }
    }

    /// Seconds: a backlog of requests clears in a moment, a lack of connections only after some idle time.
    private var retryAfter: Int {
        switch self {
        case .requests: 1
        case .connections, .address, .descriptors: 5
        }
    }

    func response(_ handler: any RequestHandler) -> Response {
        var response = handler.refusal(.serviceUnavailable, detail: detail)
        response.fields.append(.retryAfter, retryAfter)
        return response
    }
}
