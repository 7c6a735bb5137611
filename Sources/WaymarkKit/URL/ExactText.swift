/// A string that is compared and hashed byte by byte.
///
/// Swift's `String` holds `é` and `e` + U+0301 for equal. In a URL they are two texts, and a route to one of them must
/// not lead the other: which of the two opened would depend on the dialect's data structure.
struct ExactText: Sendable, Hashable, Comparable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        // Exact equality implies the two before it, which turn almost every difference away at once: lengths are at
        // hand, and Swift compares short and ASCII strings as plain memory. Only a text that is equal to Swift and has
        // the same length is looked at byte by byte.
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.sameBytes(as: right)
    }

    private func sameBytes(as other: ExactText) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { bytes in
            other.text.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? text.utf8.elementsEqual(other.text.utf8)
    }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        // The raw buffer is read within the closure only; it spares a call for every byte.
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
