/// A response without a body that is encoded once and copied out any number of times: only its Date changes.
///
/// `@safe` because the memory belongs to the object alone and is never changed after `init`.
@safe
package final class PreparedResponse {
    package let status: Status
    /// The whole head with an empty line behind it, as a client of HTTP/1.1 gets it on a connection that stays open.
    private let head: UnsafeMutableRawPointer
    /// Its length.
    package let byteCount: Int
    /// Where in it the Date line stands.
    private let dateOffset: Int

    /// - Precondition: the status allows a Date, so it is not a 1xx.
    package init(_ status: Status, fields: HeaderBlock) {
        precondition(status.code >= 200, "an interim response has no Date")
        self.status = status
        let buffer = ByteBuffer(capacity: 1_024)
        ResponseHead(status: status, fields: fields, contentLength: status.code == 304 ? nil : 0)
            .append(to: buffer, date: DateLine(unixSeconds: 0), persistence: .implied)
        let length = ResponseHead.statusLineLength(status) + fields.bytes.count
        dateOffset = length
        byteCount = buffer.count
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

    /// Appends the whole response.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: ResponseHead.Persistence) {
        let offset = dateOffset
        // unsafe because it copies through pointers: the buffer lends as much room as is asked for, and the Date line lies
        // within the head.
        unsafe buffer.append(count: byteCount) { room in
            unsafe room.copyMemory(from: head, byteCount: byteCount)
            unsafe date.store(to: room + offset)
        }
        if case .implied = persistence { return }
        buffer.removeLast(2)
        ResponseHead.appendConnection(persistence, to: buffer)
        buffer.append("\r\n" as StaticString)
    }
}
