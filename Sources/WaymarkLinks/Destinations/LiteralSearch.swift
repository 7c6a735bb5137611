/// Searches for one string in many, byte by byte, without case folding or normalisation.
///
/// Each byte of a text is compared at most twice, regardless of both strings (Knuth, Morris, Pratt).
package struct LiteralSearch: Sendable {
    private let sought: [UInt8]
    /// For each prefix of `sought`, the length of its longest proper prefix that is also a suffix.
    private let borders: [Int]

    package init(_ sought: String) {
        let bytes = Array(sought.utf8)
        self.sought = bytes
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0 && bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// Whether the text contains the sought string; an empty string is always found.
    package func isFound(in text: Span<UInt8>) -> Bool {
        guard !sought.isEmpty else { return true }
        var length = 0
        for index in text.indices {
            while length > 0 && text[index] != sought[length] { length = borders[length - 1] }
            guard text[index] == sought[length] else { continue }
            length += 1
            if length == sought.count { return true }
        }
        return false
    }

    package func isFound(in text: String) -> Bool { isFound(in: text.utf8.span) }
}
