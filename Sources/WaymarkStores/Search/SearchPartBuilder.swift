package import WaymarkLinks

/// Builds one part of a segment's index, from links or from other parts.
package struct SearchPartBuilder {
    /// One word of one link.
    private struct Entry {
        /// The word's first eight bytes as a number, which decides most comparisons.
        var key: UInt64
        var start: Int32
        var count: UInt8
        var offset: UInt16
    }

    package let segment: Int64
    private var words: [UInt8] = []
    private var entries: [Entry] = []
    private var links = SearchBitmap()
    private var list = WordList()

    package init(segment: Int64) { self.segment = segment }

    package var isEmpty: Bool { links.isEmpty }

    /// - Precondition: The link is of this segment.
    package mutating func add(_ link: Link) { add(link.id, link.slug, link.content) }

    package mutating func add(_ id: LinkID, _ slug: Slug, _ content: LinkContent) {
        let offset = SearchSegment.offset(of: id)
        links.insert(offset)
        list.removeAll()
        content.addWords(of: slug, to: &list)
        for index in 0..<list.count {
            add(list[index].prefix(SearchSegment.wordLimit), CollectionOfOne(UInt16(offset)))
        }
    }

    /// Adds a leaf of another part of this segment.
    package mutating func add(leaf bytes: [UInt8]) throws(StoreError) {
        var reader = SearchLeaf.Reader(bytes: bytes)
        while try reader.next() {
            var offsets: [UInt16] = []
            try reader.links {
                offsets.append(UInt16($0))
            } bitmap: {
                var bitmap = SearchBitmap()
                bitmap.formUnion(bytes: $0)
                offsets = bitmap.offsets.map { UInt16($0) }
            }
            for offset in offsets { links.insert(Int(offset)) }
            add(reader.word[...].prefix(SearchSegment.wordLimit), offsets)
        }
    }

    private mutating func add(_ word: ArraySlice<UInt8>, _ offsets: some Collection<UInt16>) {
        var key: UInt64 = 0
        for index in 0..<8 {
            let place = word.startIndex + index
            key = key << 8 | (place < word.endIndex ? UInt64(word[place]) : 0)
        }
        let start = Int32(words.count)
        words.append(contentsOf: word)
        for offset in offsets {
            entries.append(Entry(key: key, start: start, count: UInt8(word.count), offset: offset))
        }
    }

    /// The part's leaves, and its number of links.
    package consuming func build() -> (leaves: [SearchLeaf], links: Int) {
        let words = words
        func word(_ entry: Entry) -> ArraySlice<UInt8> { words[Int(entry.start)..<Int(entry.start) + Int(entry.count)] }
        // No word contains a zero, so that two of at most eight bytes with equal keys are equal.
        func isSame(_ one: Entry, _ other: Entry) -> Bool {
            one.key == other.key && one.count == other.count && (one.count <= 8 || word(one) == word(other))
        }
        entries.sort { one, other in
            if one.key != other.key { return one.key < other.key }
            if isSame(one, other) { return one.offset < other.offset }
            return word(one).lexicographicallyPrecedes(word(other))
        }
        var writer = SearchLeaf.Writer()
        var offsets: [UInt16] = []
        var index = 0
        while index < entries.count {
            let first = entries[index]
            offsets.removeAll(keepingCapacity: true)
            while index < entries.count, isSame(entries[index], first) {
                if offsets.last != entries[index].offset { offsets.append(entries[index].offset) }
                index += 1
            }
            writer.add(word(first), offsets[...])
        }
        writer.end()
        return (writer.leaves, links.count)
    }
}
