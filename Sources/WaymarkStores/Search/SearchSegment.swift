package import WaymarkLinks

/// The index of the link search: for each word the links that have it.
///
/// It is divided into segments of links with consecutive IDs, so that a search goes from the newest segment to the
/// oldest and stops when its page is full. Each segment has parts, which are never changed: links that are new or
/// changed get a new part, and small parts are merged later. So the index may find links that no longer have a word;
/// every link found is checked.
///
/// A part is a sequence of leaves, each with some words in ascending order. Links that are in no part yet are examined
/// one by one (`SearchState`).
package enum SearchSegment {
    /// The low bits of an ID, which select a link within a segment.
    package static let bits: Int64 = 16
    package static let size = 1 << Int(bits)
    /// Longer words are indexed by their beginning.
    package static let wordLimit = 40

    package static func number(of id: LinkID) -> Int64 { id.rawValue >> bits }
    package static func offset(of id: LinkID) -> Int { Int(id.rawValue & Int64(size - 1)) }
    package static func id(_ segment: Int64, _ offset: Int) -> LinkID {
        LinkID(rawValue: segment << bits | Int64(offset))
    }
}

/// One part of a segment's index.
package struct SearchPart: Sendable, Hashable {
    package var segment: Int64
    package var number: Int64
    package var links: Int

    package init(segment: Int64, number: Int64, links: Int) {
        self.segment = segment
        self.number = number
        self.links = links
    }

    /// Maximum number of parts of a segment before some are merged: each costs a lookup for each word.
    package static let limit = 8

    /// The parts to merge, of one segment; nil if there are few enough.
    ///
    /// The largest part is spared until the others are half as large, so that each link is merged only a few times.
    package static func merging(_ parts: [SearchPart]) -> [SearchPart]? {
        guard parts.count > limit else { return nil }
        let ascending = parts.sorted { $0.links < $1.links }
        guard let largest = ascending.last else { return nil }
        let others = ascending.dropLast()
        return others.reduce(0) { $0 + $1.links } * 2 < largest.links ? Array(others) : ascending
    }
}

/// A set of links of one segment.
package struct SearchBitmap: Sendable, Equatable {
    /// Empty until a link is inserted: most lookups of a rare word find none.
    private var words: [UInt64] = []

    package init() {}

    package static func == (one: SearchBitmap, other: SearchBitmap) -> Bool {
        one.words == other.words || one.offsets == other.offsets
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    private mutating func makeRoom() {
        if words.isEmpty { words = [UInt64](repeating: 0, count: SearchSegment.size / 64) }
    }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package mutating func insert(_ offset: Int) {
        makeRoom()
        words[offset >> 6] |= 1 << UInt64(offset & 63)
    }

    package mutating func formIntersection(_ other: SearchBitmap) {
        if other.words.isEmpty { words = [] }
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// The offsets in ascending order.
    package var offsets: [Int] {
        var offsets: [Int] = []
        for index in words.indices where words[index] != 0 {
            var rest = words[index]
            while rest != 0 {
                offsets.append(index << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return offsets
    }

    /// - Parameter bytes: `SearchSegment.size / 8` bytes.
    mutating func formUnion(bytes: ArraySlice<UInt8>) {
        makeRoom()
        var index = bytes.startIndex
        for word in words.indices {
            var value: UInt64 = 0
            for byte in 0..<8 { value |= UInt64(bytes[index + byte]) << UInt64(8 * byte) }
            words[word] |= value
            index += 8
        }
    }

    var bytes: [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }
}
