/// A set of positions between the characters of a text: from 0, before the first, to its length, after the last.
/// Processes 64 positions at once.
struct PositionSet: Sendable {
    private(set) var words: [UInt64]
    /// The last position.
    let end: Int

    init(end: Int) {
        self.end = end
        words = Array(repeating: 0, count: end / 64 + 1)
    }

    init(end: Int, only index: Int) {
        self.init(end: end)
        insert(index)
    }

    init(end: Int, from index: Int) {
        self.init(end: end)
        insert(from: index)
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ index: Int) -> Bool { words[index / 64] & 1 << UInt64(index % 64) != 0 }

    mutating func insert(_ index: Int) { words[index / 64] |= 1 << UInt64(index % 64) }

    /// The first position; nil if the set is empty.
    var first: Int? {
        guard let word = words.firstIndex(where: { $0 != 0 }) else { return nil }
        return word * 64 + words[word].trailingZeroBitCount
    }

    mutating func formUnion(_ other: PositionSet) {
        for word in words.indices { words[word] |= other.words[word] }
    }

    /// Adds all positions from the index to the end.
    mutating func insert(from index: Int) {
        guard index <= end else { return }
        let first = index / 64
        words[first] |= ~0 << UInt64(index % 64)
        for word in words.indices.dropFirst(first + 1) { words[word] = ~0 }
        trim()
    }

    /// Keeps the positions followed by one of the characters, and moves each past it.
    mutating func advance(over characters: PositionSet) {
        var carry: UInt64 = 0
        for word in words.indices {
            let kept = words[word] & characters.words[word]
            words[word] = kept << 1 | carry
            carry = kept >> 63
        }
        trim()
    }

    /// The bits after the last position are unused and must be zero.
    private mutating func trim() {
        words[words.count - 1] &= ~0 >> UInt64(63 - end % 64)
    }
}
