/// Places in a text, between its characters: from 0, in front of the first, to its length, behind the last. 64 of them
/// are moved at once.
struct PositionSet: Sendable {
    private(set) var words: [UInt64]
    /// The last place.
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

    /// The first place; nil where there is none.
    var first: Int? {
        guard let word = words.firstIndex(where: { $0 != 0 }) else { return nil }
        return word * 64 + words[word].trailingZeroBitCount
    }

    mutating func formUnion(_ other: PositionSet) {
        for word in words.indices { words[word] |= other.words[word] }
    }

    /// Adds every place from there to the end.
    mutating func insert(from index: Int) {
        guard index <= end else { return }
        let first = index / 64
        words[first] |= ~0 << UInt64(index % 64)
        for word in words.indices.dropFirst(first + 1) { words[word] = ~0 }
        trim()
    }

    /// Keeps the places in front of which a character of `characters` stands, each moved behind it.
    mutating func advance(over characters: PositionSet) {
        var carry: UInt64 = 0
        for word in words.indices {
            let kept = words[word] & characters.words[word]
            words[word] = kept << 1 | carry
            carry = kept >> 63
        }
        trim()
    }

    /// The bits behind the last place mean nothing and stay empty.
    private mutating func trim() {
        words[words.count - 1] &= ~0 >> UInt64(63 - end % 64)
    }
}
