/// A request's line and fields, as offsets into the parsed bytes.
///
/// An event loop makes one, which `RequestParser` reuses for every request; parsing does not allocate. It is valid
/// only between a parser's `.head` and the next call of any parser with the same object, and only together with the
/// parsed bytes.
///
/// Isolation: confined to the thread of the loop that made it.
///
/// `@safe` because both allocations live exactly as long as the object, and every index is checked against their
/// size.
@safe @usableFromInline
package final class RequestHead {
    /// A field line: its name and its value, without surrounding white space.
    package struct Field {
        package let name: ByteRange
        package let value: ByteRange
        /// The known field, or nil.
        package let known: RequestField?
    }

    /// All values except the field table, as one plain value that the parser stores at once.
    @usableFromInline
    struct Line {
        @usableFromInline var method = Method.get
        @usableFromInline var version: UInt8 = 1
        @usableFromInline var isPathEncoded = false
        var isAbsolute = false
        @usableFromInline var isAsterisk = false
        var target = ByteRange.empty
        @usableFromInline var path = ByteRange.empty
        /// Starts at -1 if there is no query.
        @usableFromInline var query = ByteRange(-1, -1)
        @usableFromInline var host = ByteRange.empty
        /// -1 if absent.
        var port: Int32 = -1
        @usableFromInline var keepsAlive = false
        var expectsContinue = false
        @usableFromInline var framing = BodyFraming.none
        var fieldCount: Int32 = 0
        /// Bits of the known fields that are present, and of the repeated ones.
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
        // unsafe because the memory is managed manually: allocated and initialized here, freed only in deinit.
        unsafe fields = .allocate(capacity: capacity)
        unsafe fields.initialize(
            repeating: Field(name: .empty, value: .empty, known: nil), count: capacity)
        unsafe known = .allocate(capacity: RequestField.allCases.count)
        unsafe known.initialize(repeating: .empty, count: RequestField.allCases.count)
        unsafe line = .allocate(capacity: 1)
        unsafe line.initialize(to: Line())
    }

    deinit {
        // unsafe because only this frees the memory; the elements are trivial and need no deinitialization.
        unsafe fields.deallocate()
        unsafe known.deallocate()
        unsafe line.deallocate()
    }

    // Each access below is unsafe because it goes through a pointer; `line` always holds one initialised value.

    @inlinable package var method: Method { unsafe line.pointee.method }
    /// The client's minor version: 0, or 1 for everything from 1.1 up.
    @inlinable package var minorVersion: Int { Int(unsafe line.pointee.version) }
    /// The whole request target as received.
    package var target: ByteRange { unsafe line.pointee.target }
    /// The path as received, starting with `/`; its percent-encoding is valid and contains no NUL. Empty if an
    /// absolute target has no path (which means `/`) and for `OPTIONS *`.
    @inlinable package var path: ByteRange { unsafe line.pointee.path }
    /// Whether `path` contains percent-encoded bytes: if not, it can be compared directly.
    @inlinable package var isPathEncoded: Bool { unsafe line.pointee.isPathEncoded }
    /// The query after the first `?`, as received, with unchecked percent-encoding; nil without a `?`.
    @inlinable package var query: ByteRange? {
        let query = unsafe line.pointee.query
        return query.start < 0 ? nil : query
    }
    /// Whether the target is a whole URL (RFC 9112 section 3.2.2), which determines `host`.
    package var isAbsoluteForm: Bool { unsafe line.pointee.isAbsolute }
    /// Whether this is `OPTIONS *`, a request about the server as a whole.
    @inlinable package var isAsteriskForm: Bool { unsafe line.pointee.isAsterisk }
    /// The requested host, without its port, in any case; includes the brackets of an IPv6 address. From the target
    /// if that is a URL, else from the Host field. Empty only in HTTP/1.0 without that field.
    @inlinable package var host: ByteRange { unsafe line.pointee.host }
    /// The port after `host`, 0 to 65,535; nil if absent.
    package var port: Int? {
        let port = unsafe line.pointee.port
        return port < 0 ? nil : Int(port)
    }
    // These are also unsafe because the line is accessed through a pointer.

    /// Whether the client allows the connection to persist after the response (RFC 9112 section 9.3).
    @inlinable package var keepAlive: Bool { unsafe line.pointee.keepsAlive }
    /// How the length of the body is determined.
    @inlinable package var framing: BodyFraming { unsafe line.pointee.framing }
    /// Whether the client waits for a 100 (Continue) before it sends the body; never if there is no body.
    package var expectsContinue: Bool { unsafe line.pointee.expectsContinue }

    // The uses below are unsafe because they go through pointers too: `fields` and `known` are initialized
    // completely, and each index is below the size of its table.

    /// Number of field lines.
    package var fieldCount: Int { Int(unsafe line.pointee.fieldCount) }

    /// The field line at index `position`, in the order received.
    ///
    /// - Precondition: `position` is within `0..<fieldCount`.
    package func field(at position: Int) -> Field {
        precondition(position >= 0 && position < fieldCount, "no field at this position")
        return unsafe fields[position]
    }

    /// The value of a field; of its first line if it is repeated.
    @inlinable
    package func value(_ field: RequestField) -> ByteRange? {
        if unsafe line.pointee.present & field.bit == 0 { return nil }
        return unsafe known[Int(field.rawValue)]
    }

    /// Whether any of these fields is present.
    ///
    /// - Parameter fields: the union of their bits.
    @inlinable
    package func holdsAny(of fields: UInt64) -> Bool { unsafe line.pointee.present & fields != 0 }

    /// Whether a field occurs more than once.
    package func isRepeated(_ field: RequestField) -> Bool {
        unsafe line.pointee.repeated & field.bit != 0
    }

    /// The value of the first field with this name, ignoring case.
    ///
    /// Searches all fields; use `value(_:)` for the fields of `RequestField`.
    package func value(named name: HeaderName, in bytes: Span<UInt8>) -> ByteRange? {
        for position in 0..<fieldCount {
            // unsafe because it goes through a pointer; the index is below the count.
            let field = unsafe fields[position]
            if name.matches(bytes, field.name) { return field.value }
        }
        return nil
    }
}

extension RequestHead {
    /// A host and its port.
    package struct HostAndPort: Sendable, Equatable {
        /// Includes the brackets of an IPv6 address.
        package let host: ByteRange
        package let port: Int?
    }

    /// Parses `HOST` or `HOST:PORT` anywhere in the head; nil if it is empty or malformed.
    package static func hostAndPort(_ bytes: Span<UInt8>, _ range: ByteRange) -> HostAndPort? {
        guard let authority = Authority(bytes, range) else { return nil }
        return HostAndPort(host: authority.host, port: authority.port < 0 ? nil : Int(authority.port))
    }

    /// Replaces `host` and `port` by the values that a proxy reports.
    ///
    /// - Parameter authority: offsets into the same bytes as the rest of this head.
    package func setAuthority(_ authority: HostAndPort) {
        // unsafe because the line is accessed through a pointer to one initialized value.
        unsafe line.pointee.host = authority.host
        unsafe line.pointee.port = authority.port.map { Int32(truncatingIfNeeded: $0) } ?? -1
    }
}
