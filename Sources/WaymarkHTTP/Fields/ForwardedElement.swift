import WaymarkBytes

/// One element of a `Forwarded` field (RFC 7239 section 4): what one proxy says about the request that came to it.
package struct ForwardedElement: Sendable, Equatable {
    /// A value in its encoded form: a token, or the text between the quotes of a quoted string.
    package struct Value: Sendable, Equatable {
        package let range: ByteRange
        /// Whether it contains backslash escapes.
        package let isEscaped: Bool

        /// The value, without backslash escapes.
        package func bytes(in bytes: Span<UInt8>) -> [UInt8] {
            var value: [UInt8] = []
            var position = Int(range.start)
            while position < Int(range.end) {
                if isEscaped, bytes[position] == UInt8(ascii: "\\") { position += 1 }
                value.append(bytes[position])
                position += 1
            }
            return value
        }
    }

    /// `for`: the client that sent the request to the proxy.
    package private(set) var client: Value?
    /// `host`: the Host field that the proxy received.
    package private(set) var host: Value?
    /// `proto`: the scheme of the request to the proxy.
    package private(set) var scheme: Value?
    /// `by`: the proxy's address that received it. Parsed only to check the grammar.
    private var proxy: Value?

    /// The elements of all `Forwarded` lines of a head, in order: the last comes from the nearest proxy.
    ///
    /// White space is allowed around the semicolons too, because several proxies send it. Nil if any part of the
    /// field violates the grammar, or an element repeats a parameter.
    package static func all(in head: RequestHead, _ bytes: Span<UInt8>) -> [ForwardedElement]? {
        var elements: [ForwardedElement] = []
        for position in 0..<head.fieldCount {
            let field = head.field(at: position)
            guard field.known == .forwarded else { continue }
            guard append(field.value, of: bytes, to: &elements) else { return nil }
        }
        return elements
    }

    static func append(_ field: ByteRange, of bytes: Span<UInt8>, to elements: inout [ForwardedElement]) -> Bool {
        var list = ListElements(field)
        while let range = list.next(in: bytes) {
            guard let element = ForwardedElement(bytes, range) else { return false }
            elements.append(element)
        }
        return true
    }

    /// - Parameter range: one element, without commas outside of quoted strings.
    private init?(_ bytes: Span<UInt8>, _ range: ByteRange) {
        var position = Int(range.start)
        let end = Int(range.end)
        while true {
            while position < end, bytes[position].isBlank { position += 1 }
            // Pairs may be empty: `;;for=192.0.2.1;` is an element.
            if position < end, bytes[position] != UInt8(ascii: ";") {
                guard let next = takePair(bytes, position, end) else { return nil }
                position = next
            }
            while position < end, bytes[position].isBlank { position += 1 }
            if position == end { return }
            guard bytes[position] == UInt8(ascii: ";") else { return nil }
            position += 1
        }
    }

    /// Returns the end of the pair.
    private mutating func takePair(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var position = start
        while position < end, ASCIISet.token.contains(bytes[position]) { position += 1 }
        let name = ByteRange(start, position)
        guard !name.isEmpty, position < end, bytes[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        guard let (value, next) = Self.value(bytes, position, end) else { return nil }
        // Extensions are allowed, and ignored.
        if Self.isNamed("for", bytes, name) { return Self.set(&client, value) ? next : nil }
        if Self.isNamed("host", bytes, name) { return Self.set(&host, value) ? next : nil }
        if Self.isNamed("proto", bytes, name) { return Self.set(&scheme, value) ? next : nil }
        if Self.isNamed("by", bytes, name) { return Self.set(&proxy, value) ? next : nil }
        return next
    }

    private static func value(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (Value, next: Int)? {
        var position = start
        guard position < end else { return nil }
        guard bytes[position] == UInt8(ascii: "\"") else {
            while position < end, ASCIISet.token.contains(bytes[position]) { position += 1 }
            guard position > start else { return nil }
            return (Value(range: ByteRange(start, position), isEscaped: false), position)
        }
        var isEscaped = false
        position += 1
        while position < end, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        guard position < end else { return nil }
        return (Value(range: ByteRange(start + 1, position), isEscaped: isEscaped), position + 1)
    }

    private static func set(_ parameter: inout Value?, _ value: Value) -> Bool {
        guard parameter == nil else { return false }
        parameter = value
        return true
    }

    /// Names are case-insensitive.
    private static func isNamed(_ name: String, _ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard name.utf8.count == range.count else { return false }
        var position = Int(range.start)
        for byte in name.utf8 {
            if bytes[position].lowercasedASCII != byte { return false }
            position += 1
        }
        return true
    }
}
