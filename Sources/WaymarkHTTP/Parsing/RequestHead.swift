/// One request's line and fields, as offsets into the bytes that were parsed.
///
/// An event loop makes one and lets `RequestParser` fill it again and again; parsing allocates nothing. It says
/// something only between a parser's `.head` and the next call of any parser that is given the same object, and only
/// together with the bytes that were parsed.
///
/// Isolation: confined to the thread of the loop that made it.
///
/// `@safe` because both allocations live exactly as long as the object, and every index is checked against their size.
@safe @usableFromInline
package final class RequestHead {
    /// One field line: its name and its value, without the white space around the value.
    package struct Field {
        package let name: ByteRange
        package let value: ByteRange
        /// Which known field this is, or nil.
        package let known: RequestField?
    }

    /// Everything but the field table, in one plain value that the parser stores in one go.
    @usableFromInline
    struct Line {
        @usableFromInline var method = Method.get
        @usableFromInline var version: UInt8 = 1
        @usableFromInline var isPathEncoded = false
        var isAbsolute = false
        @usableFromInline var isAsterisk = false
        var target = ByteRange.empty
        @usableFromInline var path = ByteRange.empty
        /// Starts at -1 where there is no query.
        @usableFromInline var query = ByteRange(-1, -1)
        @usableFromInline var host = ByteRange.empty
        /// -1 where none is given.
        var port: Int32 = -1
        @usableFromInline var keepsAlive = false
        var expectsContinue = false
        @usableFromInline var framing = BodyFraming.none
        var fieldCount: Int32 = 0
        /// Bits of the known fields that are there, and of those that are there more than once.
        @usableFromInline var present: UInt64 = 0
        var repeated: UInt64 = 0
    }

    let capacity: Int
    // Pointers, because arrays in a class cost exclusivity and uniqueness checks for each field of each request.
    let fields: UnsafeMutablePointer<Field>
    @usableFromInline let known: UnsafeMutablePointer<ByteRange>
    @usableFromInline let line: UnsafeMutablePointer<Line>

    /// - Parameter limits: `fieldCount` sets the size of the table; parsers with the same limits can fill this head.
    package init(limits: HeadLimits = HeadLimits()) {
        capacity = limits.fieldCount
        // unsafe because manual memory is: what is allocated and initialised here is freed in deinit and nowhere else.
        unsafe fields = .allocate(capacity: capacity)
        unsafe fields.initialize(
            repeating: Field(name: .empty, value: .empty, known: nil), count: capacity)
        unsafe known = .allocate(capacity: RequestField.allCases.count)
        unsafe known.initialize(repeating: .empty, count: RequestField.allCases.count)
        unsafe line = .allocate(capacity: 1)
        unsafe line.initialize(to: Line())
    }

    deinit {
        // unsafe because nothing else frees these; the elements are plain data and need no deinitialising.
        unsafe fields.deallocate()
        unsafe known.deallocate()
        unsafe line.deallocate()
    }

    // Each access below is unsafe because it goes through a pointer; `line` always holds one initialised value.

    @inlinable package var method: Method { unsafe line.pointee.method }
    /// The minor version that the client speaks: 0, or 1 for everything from 1.1 up.
    @inlinable package var minorVersion: Int { Int(unsafe line.pointee.version) }
    /// The whole request target as received.
    package var target: ByteRange { unsafe line.pointee.target }
    /// The path as received, starting with `/`; its percent-encoding is valid and holds no NUL. Empty where an absolute
    /// target has no path (which means `/`) and for `OPTIONS *`.
    @inlinable package var path: ByteRange { unsafe line.pointee.path }
    /// Whether `path` holds percent-encoded bytes: if not, it can be compared as it is.
    @inlinable package var isPathEncoded: Bool { unsafe line.pointee.isPathEncoded }
    /// What stands behind the first `?`, as received and not checked for its percent-encoding; nil without a `?`.
    @inlinable package var query: ByteRange? {
        let query = unsafe line.pointee.query
        return query.start < 0 ? nil : query
    }
    /// Whether the target is a whole URL (RFC 9112 section 3.2.2); its host is then `host`.
    package var isAbsoluteForm: Bool { unsafe line.pointee.isAbsolute }
    /// Whether this is `OPTIONS *`: about the server as a whole.
    @inlinable package var isAsteriskForm: Bool { unsafe line.pointee.isAsterisk }
    /// The host that the request is for, without its port, in whatever case; brackets are part of an IPv6 address. From
    /// the target where that is a URL, else from the Host field. Empty only in HTTP/1.0 without that field.
    @inlinable package var host: ByteRange { unsafe line.pointee.host }
    /// The port given with `host`, 0 to 65,535; nil where there is none.
    package var port: Int? {
        let port = unsafe line.pointee.port
        return port < 0 ? nil : Int(port)
    }
    // These too are unsafe because the line is behind a pointer.

    /// Whether the client lets the connection live on after the answer (RFC 9112 section 9.3).
    @inlinable package var keepAlive: Bool { unsafe line.pointee.keepsAlive }
    /// How long the body is.
    @inlinable package var framing: BodyFraming { unsafe line.pointee.framing }
    /// Whether the client waits for a 100 (Continue) before it sends the body; never where there is no body to send.
    package var expectsContinue: Bool { unsafe line.pointee.expectsContinue }

    // Below as above, unsafe because it goes through pointers: `fields` and `known` are initialised up to their ends, and
    // each index is below the one or the other's size.

    /// How many field lines there are.
    package var fieldCount: Int { Int(unsafe line.pointee.fieldCount) }

    /// The field line at `position`, in the order received.
    ///
    /// - Precondition: `position` is within `0..<fieldCount`.
    package func field(at position: Int) -> Field {
        precondition(position >= 0 && position < fieldCount, "no field at this position")
        return unsafe fields[position]
    }

    /// The value of a field; of its first line where it is repeated.
    @inlinable
    package func value(_ field: RequestField) -> ByteRange? {
        if unsafe line.pointee.present & field.bit == 0 { return nil }
        return unsafe known[Int(field.rawValue)]
    }

    /// Whether any of these fields is there.
    ///
    /// - Parameter fields: the union of their bits.
    @inlinable
    package func holdsAny(of fields: UInt64) -> Bool { unsafe line.pointee.present & fields != 0 }

    /// Whether a field is there more than once.
    package func isRepeated(_ field: RequestField) -> Bool {
        unsafe line.pointee.repeated & field.bit != 0
    }

    /// The value of the first field of this name, in whatever case.
    ///
    /// Walks over all fields; for the fields of `RequestField` there is `value(_:)`.
    package func value(named name: HeaderName, in bytes: Span<UInt8>) -> ByteRange? {
        for position in 0..<fieldCount {
            // unsafe because it goes through a pointer; the position is below the count.
            let field = unsafe fields[position]
            if name.matches(bytes, field.name) { return field.value }
        }
        return nil
    }
}

extension RequestHead {
    /// A host and the port with it.
    package struct HostAndPort: Sendable, Equatable {
        /// With the brackets of an IPv6 address.
        package let host: ByteRange
        package let port: Int?
    }

    /// Reads `HOST` or `HOST:PORT` anywhere in the head; nil where it is empty or malformed.
    package static func hostAndPort(_ bytes: Span<UInt8>, _ range: ByteRange) -> HostAndPort? {
        guard let authority = Authority(bytes, range) else { return nil }
        return HostAndPort(host: authority.host, port: authority.port < 0 ? nil : Int(authority.port))
    }

    /// Makes `host` and `port` those that a proxy says the client asked for.
    ///
    /// - Parameter authority: of the same bytes as the rest of this head.
    package func setAuthority(_ authority: HostAndPort) {
        // unsafe because the line is behind a pointer, which always holds one initialised value.
        unsafe line.pointee.host = authority.host
        unsafe line.pointee.port = authority.port.map { Int32(truncatingIfNeeded: $0) } ?? -1
    }
}
