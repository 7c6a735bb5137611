/// Response fields, stored in encoded form: complete lines `Name: value` CRLF.
///
/// Copies share their bytes, so sending a prebuilt block costs only a retain. No value can break out of its line:
/// values with CR, LF or NUL are rejected (see CVE-2022-3215). Setting a field that belongs to the server
/// (Content-Length, Transfer-Encoding, Connection, Date and so on) is a programmer error.
package struct HeaderFields: Sendable, Equatable {
    /// The lines, each with its CRLF.
    package private(set) var bytes: [UInt8]

    package init() {
        bytes = []
    }

    /// - Precondition: handlers may set every name, and no value contains a control character.
    package init(_ fields: (HeaderName, StaticString)...) {
        bytes = []
        for (name, value) in fields { append(name, value) }
    }

    /// - Parameter encoded: lines of other fields.
    init(encoded: [UInt8]) { bytes = encoded }

    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Appends a field with a constant value; a bare literal needs `as StaticString`.
    ///
    /// - Precondition: handlers may set the name, and the value contains no control character.
    package mutating func append(_ name: HeaderName, _ value: StaticString) {
        // unsafe because a StaticString exposes its bytes only as a pointer; they are constants of the program.
        let isAppended = unsafe append(
            name, UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
        precondition(isAppended, "a field value holds no control characters")
    }

    /// Appends a field whose value may be untrusted.
    ///
    /// - Returns: false, with nothing appended, if the value contains a control character other than a tab.
    /// - Precondition: handlers may set the name.
    package mutating func append(_ name: HeaderName, _ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            // unsafe because a pointer is lent; it is used only during the call.
            unsafe append(name, bytes)
        }
    }

    /// Appends a field whose value may be untrusted.
    ///
    /// - Returns: false, with nothing appended, if the value contains a control character other than a tab.
    /// - Precondition: handlers may set the name.
    package mutating func append(_ name: HeaderName, _ value: Span<UInt8>) -> Bool {
        // unsafe because a pointer is lent; it is used only during the call.
        unsafe value.withUnsafeBufferPointer { unsafe append(name, $0) }
    }

    /// Appends a field whose value is a number.
    package mutating func append(_ name: HeaderName, _ value: Int) {
        // Digits and a sign are always valid.
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
