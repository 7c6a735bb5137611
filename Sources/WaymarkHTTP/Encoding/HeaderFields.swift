/// Response fields, kept as the bytes that go out: complete lines `Name: value` CRLF.
///
/// A copy shares its bytes, so a block that is built once costs a retain each time it is sent. Whatever is in it cannot
/// break out of its line: values with CR, LF or NUL are refused (CVE-2022-3215 is what happens otherwise), and
/// the fields that belong to the server (Content-Length, Transfer-Encoding, Connection, Date and their kin) are
/// programmer errors.
package struct HeaderFields: Sendable, Equatable {
    /// The lines, each with its CRLF.
    package private(set) var bytes: [UInt8]

    package init() {
        bytes = []
    }

    /// - Precondition: every name may be set by a handler, and no value holds a control character.
    package init(_ fields: (HeaderName, StaticString)...) {
        bytes = []
        for (name, value) in fields { append(name, value) }
    }

    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Appends a field with a value that the program knows beforehand; a bare literal has to say `as StaticString`.
    ///
    /// - Precondition: the name may be set by a handler, and the value holds no control character.
    package mutating func append(_ name: HeaderName, _ value: StaticString) {
        // unsafe because a StaticString gives its bytes only as a pointer; they are constants of the program.
        let isAppended = unsafe append(
            name, UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
        precondition(isAppended, "a field value holds no control characters")
    }

    /// Appends a field whose value may come from outside.
    ///
    /// - Returns: false, with nothing appended, where the value holds a control character other than a tab.
    /// - Precondition: the name may be set by a handler.
    package mutating func append(_ name: HeaderName, _ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            // unsafe because a pointer is lent; it is used during the call only.
            unsafe append(name, bytes)
        }
    }

    /// Appends a field whose value may come from outside.
    ///
    /// - Returns: false, with nothing appended, where the value holds a control character other than a tab.
    /// - Precondition: the name may be set by a handler.
    package mutating func append(_ name: HeaderName, _ value: Span<UInt8>) -> Bool {
        // unsafe because a pointer is lent; it is used during the call only.
        unsafe value.withUnsafeBufferPointer { unsafe append(name, $0) }
    }

    /// Appends a field whose value is a number.
    package mutating func append(_ name: HeaderName, _ value: Int) {
        // Digits and a sign are never refused.
        _ = append(name, String(value))
    }

    /// Appends all lines of another block.
    package mutating func append(_ other: HeaderFields) {
        bytes.append(contentsOf: other.bytes)
    }

    private mutating func append(_ name: HeaderName, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        precondition(!name.isReserved, "this field is the server's to set")
        // unsafe because the value is read through a pointer, which the callers lend for the call.
        if unsafe value.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) { return false }
        bytes.append(contentsOf: name.text.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        unsafe bytes.append(contentsOf: value)
        bytes.append(0x0D)
        bytes.append(0x0A)
        return true
    }
}
