/// A response that is encoded once and copied out any number of times: only its Date changes.
///
/// `@safe` because the memory belongs to the object alone and is never changed after `init`.
@safe
package final class PreparedResponse {
    package let status: Status
    /// Under what its maker counts it; means nothing here.
    package let route: Int
    /// The whole head with an empty line behind it, as a client of HTTP/1.1 gets it on a connection that stays open, and
    /// behind that the body.
    private let head: UnsafeMutableRawPointer
    /// The length of the head.
    private let headCount: Int
    /// The length of the body.
    package let bodyCount: Int
    /// Where in the head the Date line stands.
    private let dateOffset: Int

    /// - Precondition: the status allows a Date, so it is not a 1xx; one that forbids a body comes without.
    package init(_ status: Status, fields: HeaderBlock, body: [UInt8] = [], route: Int = 0) {
        precondition(status.code >= 200, "an interim response has no Date")
        precondition(body.isEmpty || !status.forbidsBody, "this status has no body")
        self.status = status
        self.route = route
        let buffer = ByteBuffer(capacity: 1_024)
        ResponseHead(status: status, fields: fields, contentLength: status.code == 304 ? nil : UInt64(body.count))
            .append(to: buffer, date: DateLine(unixSeconds: 0), persistence: .implied)
        let length = ResponseHead.statusLineLength(status) + fields.bytes.count
        dateOffset = length
        headCount = buffer.count
        bodyCount = body.count
        buffer.append(body)
        // unsafe because manual memory is: freed in deinit and nowhere else.
        unsafe head = .allocate(byteCount: buffer.count, alignment: 16)
        unsafe buffer.withBytes {
            unsafe head.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(head), byteCount: $0.count)
        }
    }

    deinit {
        // unsafe because manual memory is: nothing refers to it any longer.
        unsafe head.deallocate()
    }

    /// The handler's fields, as they are sent.
    package var fields: [UInt8] {
        // unsafe because it reads through a pointer; the fields stand between the status line and the Date.
        let start = ResponseHead.statusLineLength(status)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: head + start, count: dateOffset - start))
    }

    /// Whether that response would be encoded to the same bytes.
    package func says(_ status: Status, _ fields: HeaderBlock) -> Bool {
        status == self.status && fields.bytes == self.fields
    }

    /// In memory, head and body.
    package var byteCount: Int { headCount &+ bodyCount }

    /// The body, as it is sent.
    package var body: [UInt8] {
        // unsafe because it reads through a pointer; the body stands behind the head.
        unsafe [UInt8](UnsafeRawBufferPointer(start: head + headCount, count: bodyCount))
    }

    /// Appends the body; to a head that nothing is added to any more.
    package func appendBody(to buffer: ByteBuffer) {
        // unsafe because it copies through pointers: the buffer lends as much room as is asked for, and the body stands
        // behind the head.
        unsafe buffer.append(count: bodyCount) { room in
            unsafe room.copyMemory(from: head + headCount, byteCount: bodyCount)
        }
    }

    /// Appends the head.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: ResponseHead.Persistence) {
        let offset = dateOffset
        // unsafe because it copies through pointers: the buffer lends as much room as is asked for, and the Date line lies
        // within the head.
        unsafe buffer.append(count: headCount) { room in
            unsafe room.copyMemory(from: head, byteCount: headCount)
            unsafe date.store(to: room + offset)
        }
        if case .implied = persistence { return }
        buffer.removeLast(2)
        ResponseHead.appendConnection(persistence, to: buffer)
        buffer.append("\r\n" as StaticString)
    }
}
