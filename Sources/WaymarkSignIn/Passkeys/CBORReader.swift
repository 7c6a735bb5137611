import WaymarkBytes

/// Reads CBOR of strangers as CTAP2 writes it (section 6 of its canonical form): definite lengths in their shortest form, no key
/// twice, no tags and no fractions. The work and the memory are bounded by the length of the bytes.
package struct CBORReader {
    package enum Failure: Error, Sendable, Equatable, CaseIterable {
        /// The bytes end within an item.
        case incomplete
        /// Bytes follow the item.
        case moreBytes
        case tooDeep
        case tooMany
        case repeatedKey
        /// A length or number that a shorter form could hold.
        case notShortest
        case notUTF8
        /// An indefinite length, a tag, a fraction or a reserved value.
        case unsupported
    }

    /// Maps and arrays within one another.
    static let depthLimit = 8
    /// Items in all; keys count.
    static let itemLimit = 512

    private let source: ArraySlice<UInt8>
    private(set) var position: Int
    private var itemCount = 0

    init(_ source: ArraySlice<UInt8>) {
        self.source = source
        position = source.startIndex
    }

    /// The one item that the bytes are.
    package static func item(of bytes: [UInt8]) throws(Failure) -> CBOR {
        var reader = CBORReader(bytes[...])
        let item = try reader.item()
        guard reader.position == bytes.endIndex else { throw .moreBytes }
        return item
    }

    /// The next item. `position` is behind it afterwards.
    mutating func item() throws(Failure) -> CBOR { try item(depth: 0) }

    private mutating func item(depth: Int) throws(Failure) -> CBOR {
        itemCount += 1
        guard itemCount <= Self.itemLimit else { throw .tooMany }
        guard position < source.endIndex else { throw .incomplete }
        let initial = source[position]
        position += 1
        let low = initial & 0x1F
        switch initial >> 5 {
        case 0: return .unsigned(try argument(low))
        case 1: return .negative(try argument(low))
        case 2: return .bytes(Array(try take(try argument(low))))
        case 3:
            guard let text = String(validUTF8: try take(try argument(low))) else { throw .notUTF8 }
            return .text(text)
        case 4: return try array(count: try argument(low), depth: depth)
        case 5: return try map(count: try argument(low), depth: depth)
        case 7: return try simple(low)
        default: throw .unsupported
        }
    }

    private mutating func array(count: UInt64, depth: Int) throws(Failure) -> CBOR {
        try enter(count: count, depth: depth)
        var elements: [CBOR] = []
        for _ in 0..<count { elements.append(try item(depth: depth + 1)) }
        return .array(elements)
    }

    private mutating func map(count: UInt64, depth: Int) throws(Failure) -> CBOR {
        try enter(count: count, depth: depth)
        var entries: [CBOR.Entry] = []
        for _ in 0..<count {
            let key = try item(depth: depth + 1)
            guard !entries.contains(where: { $0.key == key }) else { throw .repeatedKey }
            entries.append(CBOR.Entry(key: key, value: try item(depth: depth + 1)))
        }
        return .map(entries)
    }

    private func enter(count: UInt64, depth: Int) throws(Failure) {
        guard depth < Self.depthLimit else { throw .tooDeep }
        guard count <= UInt64(Self.itemLimit) else { throw .tooMany }
    }

    private func simple(_ low: UInt8) throws(Failure) -> CBOR {
        switch low {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unsupported
        }
    }

    /// The number of an item's head, in its shortest form.
    private mutating func argument(_ low: UInt8) throws(Failure) -> UInt64 {
        let (count, least): (UInt64, UInt64)
        switch low {
        case 0..<24: return UInt64(low)
        case 24: (count, least) = (1, 24)
        case 25: (count, least) = (2, 0x100)
        case 26: (count, least) = (4, 0x1_0000)
        case 27: (count, least) = (8, 0x1_0000_0000)
        default: throw .unsupported
        }
        let value = try take(count).reduce(0) { $0 << 8 | UInt64($1) }
        guard value >= least else { throw .notShortest }
        return value
    }

    private mutating func take(_ count: UInt64) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= UInt64(source.endIndex - position) else { throw .incomplete }
        let start = position
        position += Int(count)
        return source[start..<position]
    }
}
