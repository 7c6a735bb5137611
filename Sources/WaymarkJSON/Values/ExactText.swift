/// A string that is compared and hashed by its scalars.
///
/// Swift's `String` treats `é` and `e` + U+0301 as equal; in JSON names these are different members (RFC 8259,
/// section 8.3), and a redirect's text must not change because two spellings look the same.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        // Exact equality implies the first two checks, which reject almost all different texts quickly: the length is
        // stored, and Swift compares short and ASCII strings as plain memory.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.sameBytes(as: right)
    }

    /// Compares texts of equal length. Only systems of 2025 and later expose a string's bytes without a copy.
    private func sameBytes(as other: ExactText) -> Bool {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Self.isSame(text.utf8.span, other.text.utf8.span)
        } else {
            text.utf8.elementsEqual(other.text.utf8)
        }
    }

    private static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        // Safe because the raw buffer is read only within the closure; it avoids a call for every byte.
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: Comparable {
    /// Orders by UTF-8 bytes, which is the order of scalars.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
