/// An entity tag (RFC 9110 section 8.8.3) and its comparison with If-Match and If-None-Match.
package struct EntityTag: Sendable, Equatable {
    /// What stands between the quotation marks.
    package let opaque: String
    package let isWeak: Bool

    /// Nil where `opaque` holds a quotation mark, white space or a control character.
    package init?(_ opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// As it is written on the wire.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Whether a precondition field names this tag, or is `*`; over all its lines. False where the field is absent.
    ///
    /// - Parameters:
    ///   - field: `.ifMatch`, compared strongly (a weak tag matches nothing), or `.ifNoneMatch`, compared weakly.
    package func isNamed(by field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        for position in 0..<head.fieldCount {
            let line = head.field(at: position)
            guard line.known == field else { continue }
            var elements = ListElements(line.value)
            while let element = elements.next(in: bytes) {
                if element.count == 1, bytes[Int(element.start)] == UInt8(ascii: "*") { return true }
                if matches(bytes, element, isStrong: field != .ifNoneMatch) { return true }
            }
        }
        return false
    }

    private func matches(_ bytes: Span<UInt8>, _ element: ByteRange, isStrong: Bool) -> Bool {
        var start = Int(element.start)
        let end = Int(element.end)
        let isElementWeak =
            element.count > 2 && bytes[start] == UInt8(ascii: "W") && bytes[start + 1] == UInt8(ascii: "/")
        if isElementWeak { start += 2 }
        if isStrong && (isWeak || isElementWeak) { return false }
        guard end - start == opaque.utf8.count + 2, bytes[start] == 0x22, bytes[end - 1] == 0x22 else { return false }
        var position = start + 1
        for byte in opaque.utf8 {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }
}
