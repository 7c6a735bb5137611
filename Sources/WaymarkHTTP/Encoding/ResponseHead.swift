/// Writes the head of a response: status line, the handler's fields, and the fields that only the server may set.
package struct ResponseHead: Sendable {
    /// The Connection field of the response.
    @usableFromInline
    package enum Persistence: Sendable {
        /// None: HTTP/1.1 connections are persistent by default.
        case implied
        /// `Connection: keep-alive`, for HTTP/1.0 clients that requested it.
        case keepAlive
        /// `Connection: close`.
        case close

        /// The value that the request implies, unless the server decides to close.
        @inlinable
        package init(for head: borrowing RequestHead) {
            self = !head.keepAlive ? .close : head.minorVersion == 0 ? .keepAlive : .implied
        }
    }

    package var status: Status
    package var fields: HeaderFields
    /// The size of the body in bytes, even if it is not sent because the request was a HEAD. Nil omits
    /// Content-Length; it is also omitted if the status forbids a body (RFC 9110 section 8.6), except for a 304 with
    /// a length.
    package var contentLength: UInt64?

    package init(status: Status, fields: HeaderFields = HeaderFields(), contentLength: UInt64? = nil) {
        self.status = status
        self.fields = fields
        self.contentLength = contentLength
    }

    /// Appends the whole head, including its final empty line.
    ///
    /// - Parameter date: the Date line of the current second; omitted from 1xx responses.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: Persistence) {
        buffer.reserve(fields.bytes.count &+ 192)
        if let line = status.line {
            buffer.append(line)
        } else {
            buffer.append("HTTP/1.1 " as StaticString)
            buffer.append(decimal: UInt64(status.code))
            buffer.append(" \r\n" as StaticString)
        }
        buffer.append(fields.bytes)
        if status.code >= 200 {
            date.append(to: buffer)
            if let contentLength, !status.forbidsBody || status.code == 304 {
                buffer.append(Self.lengthName)
                buffer.append(decimal: contentLength)
                buffer.append("\r\n" as StaticString)
            }
            Self.appendConnection(persistence, to: buffer)
        }
        buffer.append("\r\n" as StaticString)
    }

    static let lengthName: StaticString = "Content-Length: "

    static func appendConnection(_ persistence: Persistence, to buffer: ByteBuffer) {
        switch persistence {
        case .implied: break
        case .keepAlive: buffer.append("Connection: keep-alive\r\n" as StaticString)
        case .close: buffer.append("Connection: close\r\n" as StaticString)
        }
    }

    /// Adds a line, including its CRLF, to the head that was appended last.
    package static func append(line: [UInt8], to buffer: ByteBuffer) {
        buffer.removeLast(2)
        buffer.append(line)
        buffer.append("\r\n" as StaticString)
    }

    /// Bytes before the fields.
    static func statusLineLength(_ status: Status) -> Int {
        // For a code without a phrase: "HTTP/1.1 299 " CRLF.
        status.line?.utf8CodeUnitCount ?? 15
    }

    /// Appends an interim 100 (Continue).
    package static func appendContinue(to buffer: ByteBuffer) {
        buffer.append("HTTP/1.1 100 Continue\r\n\r\n" as StaticString)
    }
}

/// A whole Date line, including its CRLF: built once a second and sent many times.
///
/// Plain integers instead of an array, so that copying counts no references.
package struct DateLine: Sendable, Equatable {
    package let unixSeconds: Int64
    /// Bytes 0 to 31, eight in each, and the line's last eight bytes, which overlap the previous ones.
    private let words: (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The length of every Date line.
    static let count = 37

    package init(unixSeconds: Int64) {
        self.unixSeconds = unixSeconds
        let bytes = Self.bytes(unixSeconds)
        func word(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }.littleEndian
        }
        words = (word(0), word(8), word(16), word(24), word(Self.count - 8))
    }

    /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` CRLF.
    package var bytes: [UInt8] { Self.bytes(unixSeconds) }

    private static func bytes(_ unixSeconds: Int64) -> [UInt8] {
        Array("Date: ".utf8) + HTTPDate(unixSeconds: unixSeconds).bytes + [0x0D, 0x0A]
    }

    func append(to buffer: ByteBuffer) {
        // unsafe because it writes through a pointer; the buffer lends as much room as the line takes.
        unsafe buffer.append(count: Self.count) { unsafe store(to: $0) }
    }

    /// Writes the line; unsafe because the caller must provide room for `count` bytes.
    @unsafe @inline(__always)
    func store(to index: UnsafeMutableRawPointer) {
        // unsafe because the stores are unchecked; the last one ends at `count`.
        unsafe index.storeBytes(of: words.0, as: UInt64.self)
        unsafe index.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        unsafe index.storeBytes(of: words.2, toByteOffset: 16, as: UInt64.self)
        unsafe index.storeBytes(of: words.3, toByteOffset: 24, as: UInt64.self)
        unsafe index.storeBytes(of: words.4, toByteOffset: Self.count - 8, as: UInt64.self)
    }

    package static func == (left: DateLine, right: DateLine) -> Bool { left.unixSeconds == right.unixSeconds }
}
