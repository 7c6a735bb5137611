/// A string that is compared and hashed scalar by scalar.
///
/// Swift's `String` holds `é` and `e` + U+0301 for equal; JSON names of these two spellings are different members
/// (RFC 8259, section 8.3), and the text of a redirect must not change because two spellings look alike.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        // Exact equality implies the two before it, which turn almost every difference away at once: lengths are at
        // hand, and Swift compares short and ASCII strings as plain memory.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.sameBytes(as: right)
    }

    /// Of one that is equally long. Only systems of 2025 and later show a string's bytes without a copy.
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
        // The raw buffer is harmless because it is read within the closure only; it spares a call for every byte.
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: Comparable {
    /// By UTF-8 bytes, which is the order of scalars.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
