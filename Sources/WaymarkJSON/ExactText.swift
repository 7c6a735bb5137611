/// A string that is compared and hashed scalar by scalar.
///
/// Swift's `String` holds `é` and `e` + U+0301 for equal; JSON names of these two spellings are different members
/// (RFC 8259, section 8.3), and the text of a redirect must not change because two spellings look alike.
struct ExactText: Sendable, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        // Exact equality implies the two before it, which turn almost every difference away at once: lengths are at
        // hand, and Swift compares short and ASCII strings as plain memory.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && isSame(left.text.utf8.span, right.text.utf8.span)
    }

    /// Of two that are equally long.
    private static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        for place in left.indices where left[place] != right[place] { return false }
        return true
    }

    func hash(into hasher: inout Hasher) {
        // The raw buffer is harmless because it is read within the closure only; it spares a call for every byte.
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ExactText: Comparable {
    /// By UTF-8 bytes, which is the order of scalars.
    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
