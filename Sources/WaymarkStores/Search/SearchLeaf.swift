/// Some words of a part in ascending order, each with the links that have it.
///
/// Each word is stored as the number of bytes that it shares with the previous one, the number of further bytes, and
/// those; then the number of its links, and their offsets in ascending order, each as the difference to the previous
/// one. If that takes more bytes than a bit for each link of the segment, the number is 0 and the bits follow. Numbers
/// are stored in groups of seven bits, the lowest first.
package struct SearchLeaf: Sendable, Equatable {
    /// A leaf ends after the word that exceeds this number of bytes.
    static let size = 900
    private static let bitmapBytes = SearchSegment.size / 8

    /// The first word.
    package let first: [UInt8]
    package let bytes: [UInt8]

    /// Adds the links that have a word with this beginning.
    ///
    /// - Returns: Whether the next leaf may have such words too.
    package static func collect(
        _ prefix: [UInt8], in bytes: [UInt8], into links: inout SearchBitmap
    ) throws(StoreError) -> Bool {
        var reader = Reader(bytes: bytes)
        // How many bytes the current word shares with the prefix. As long as no word was found, it is less than the
        // prefix.
        var common = 0
        while let (shared, rest) = try reader.nextParts() {
            if shared == common || common == prefix.count {
                guard shared >= common else { return false }
                if common < prefix.count {
                    for byte in bytes[rest] {
                        guard byte == prefix[common] else {
                            if byte > prefix[common] { return false }
                            break
                        }
                        common += 1
                        if common == prefix.count { break }
                    }
                }
            } else if shared < common {
                return false
            }
            if common == prefix.count {
                try reader.links {
                    links.insert($0)
                } bitmap: {
                    links.formUnion(bytes: $0)
                }
            } else {
                try reader.skipLinks()
            }
        }
        return true
    }

    /// Reads a leaf. Throws if it is damaged.
    struct Reader {
        let bytes: [UInt8]
        private var index = 0
        private(set) var word: [UInt8] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        static var damaged: StoreError {
            .corrupt("the index of the link search is damaged; rebuild it with check --rebuild-search")
        }

        /// Moves to the next word; false at the end.
        mutating func next() throws(StoreError) -> Bool {
            guard let (shared, rest) = try nextParts() else { return false }
            guard shared <= word.count else { throw Self.damaged }
            word.removeLast(word.count - shared)
            word.append(contentsOf: bytes[rest])
            return true
        }

        /// The next word without its text: how many bytes it shares with the previous one, and where the others are;
        /// nil at the end.
        mutating func nextParts() throws(StoreError) -> (shared: Int, rest: Range<Int>)? {
            guard index < bytes.count else { return nil }
            let shared = try number()
            let rest = try number()
            guard rest <= bytes.count - index else { throw Self.damaged }
            defer { index += rest }
            return (shared, index..<index + rest)
        }

        mutating func links(
            _ body: (Int) -> Void, bitmap: (ArraySlice<UInt8>) -> Void
        ) throws(StoreError) {
            let count = try number()
            guard count > 0 else { return bitmap(try bits()) }
            var offset = 0
            for _ in 0..<count {
                offset += try number()
                guard offset < SearchSegment.size else { throw Self.damaged }
                body(offset)
            }
        }

        mutating func skipLinks() throws(StoreError) {
            let count = try number()
            guard count > 0 else {
                _ = try bits()
                return
            }
            for _ in 0..<count { _ = try number() }
        }

        private mutating func bits() throws(StoreError) -> ArraySlice<UInt8> {
            guard bytes.count - index >= SearchLeaf.bitmapBytes else { throw Self.damaged }
            defer { index += SearchLeaf.bitmapBytes }
            return bytes[index..<index + SearchLeaf.bitmapBytes]
        }

        private mutating func number() throws(StoreError) -> Int {
            var value = 0
            var shift = 0
            while index < bytes.count, shift <= 21 {
                let byte = bytes[index]
                index += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Self.damaged
        }
    }

    /// Writes the leaves of a part, from its words in ascending order.
    struct Writer {
        private(set) var leaves: [SearchLeaf] = []
        private var bytes: [UInt8] = []
        private var first: [UInt8] = []
        private var word: [UInt8] = []

        /// - Parameter offsets: Ascending, each once, at least one.
        mutating func add(_ next: ArraySlice<UInt8>, _ offsets: ArraySlice<UInt16>) {
            if bytes.count > SearchLeaf.size { end() }
            let shared = bytes.isEmpty ? 0 : zip(word, next).prefix { $0 == $1 }.count
            word = Array(next)
            if bytes.isEmpty { first = word }
            write(shared)
            write(word.count - shared)
            bytes.append(contentsOf: word[shared...])
            let start = bytes.count
            write(offsets.count)
            var last = 0
            for offset in offsets {
                write(Int(offset) - last)
                last = Int(offset)
            }
            guard bytes.count - start > SearchLeaf.bitmapBytes else { return }
            bytes.removeLast(bytes.count - start)
            write(0)
            var bitmap = SearchBitmap()
            for offset in offsets { bitmap.insert(Int(offset)) }
            bytes += bitmap.bytes
        }

        mutating func end() {
            guard !bytes.isEmpty else { return }
            leaves.append(SearchLeaf(first: first, bytes: bytes))
            bytes = []
        }

        private mutating func write(_ number: Int) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F | 0x80))
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
    }
}
