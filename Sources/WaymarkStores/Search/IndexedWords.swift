package import WaymarkLinks

/// The words of some links of a segment, to be found in the leaves of its parts. In bounded memory: each word of a link is a
/// number of 48 bits, so a missing one is overlooked with a probability of one in 10^8.
package struct IndexedWords {
    /// Words after which the leaves must be read: 8 MiB.
    package static let limit = 1 << 20

    private var wanted: [UInt64] = []
    private var isFound: [Bool] = []
    private var list = WordList()

    package init() {}

    package var isEmpty: Bool { wanted.isEmpty }
    package var isFull: Bool { wanted.count >= Self.limit }

    package mutating func add(_ link: Link) {
        let offset = SearchSegment.offset(of: link.id)
        list.removeAll()
        link.addWords(to: &list)
        for index in 0..<list.count {
            wanted.append(Self.key(Self.hash(list[index].prefix(SearchSegment.wordLimit)), offset))
        }
    }

    /// Must be called once, after the last link.
    package mutating func prepare() {
        wanted.sort()
        isFound = [Bool](repeating: false, count: wanted.count)
    }

    /// - Throws: `.corrupt` if the leaf can't be read, or its words are not in the order by which searches find them.
    package mutating func find(in bytes: [UInt8], first: [UInt8]) throws(StoreError) {
        var reader = SearchLeaf.Reader(bytes: bytes)
        var last: [UInt8] = []
        while try reader.next() {
            let word = reader.word
            guard last.isEmpty ? word == first : last.lexicographicallyPrecedes(word) else {
                throw SearchLeaf.Reader.damaged
            }
            last = word
            let hash = Self.hash(word[...])
            var offsets: [Int] = []
            try reader.links {
                offsets.append($0)
            } bitmap: {
                var bitmap = SearchBitmap()
                bitmap.formUnion(bytes: $0)
                offsets = bitmap.offsets
            }
            for offset in offsets { mark(Self.key(hash, offset)) }
        }
    }

    private mutating func mark(_ key: UInt64) {
        var (low, high) = (0, wanted.count)
        while low < high {
            let middle = (low + high) / 2
            if wanted[middle] < key { low = middle + 1 } else { high = middle }
        }
        while low < wanted.count, wanted[low] == key {
            isFound[low] = true
            low += 1
        }
    }

    /// The offsets of links with a word that was not found, in ascending order.
    package var missing: [Int] {
        var offsets: [Int] = []
        for index in wanted.indices where !isFound[index] {
            let offset = Int(wanted[index] >> 48)
            if offsets.last != offset { offsets.append(offset) }
        }
        return offsets
    }

    private static func key(_ hash: UInt64, _ offset: Int) -> UInt64 {
        UInt64(offset) << 48 | hash & 0xFFFF_FFFF_FFFF
    }

    /// FNV-1a.
    private static func hash(_ word: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 48
    }
}
