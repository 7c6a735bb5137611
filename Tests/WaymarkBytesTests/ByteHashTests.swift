import Testing
import WaymarkBytes

@Suite struct ByteHashTests {
    private static let seeds: (UInt64, UInt64) = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3211)

    private static func hash(_ parts: [UInt8]...) -> UInt64 {
        var hash = ByteHash(seeds: seeds)
        for part in parts { hash.add(part.span) }
        return hash.value
    }

    @Test func everyByteMatters() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8($0) }
            let hash = Self.hash(bytes)
            #expect(Self.hash(bytes) == hash)
            #expect(Self.hash(bytes + [0]) != hash)
            for slot in bytes.indices {
                var other = bytes
                other[slot] ^= 0x20
                #expect(Self.hash(other) != hash)
            }
        }
    }

    @Test func `the hash depends on where a part ends`() {
        #expect(Self.hash([1, 2], [3]) != Self.hash([1], [2, 3]))
        #expect(Self.hash([], [1]) != Self.hash([1], []))
    }

    @Test func othersSeedsGiveOtherHashes() {
        var hash = ByteHash(seeds: (Self.seeds.0, 7))
        hash.add(([1, 2, 3] as [UInt8]).span)
        #expect(hash.value != Self.hash([1, 2, 3]))
    }

    @Test func comparesEveryByte() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8($0) }
            // Longer by one, so that there is memory behind the shortest as well.
            #expect(
                (bytes + [9]).withUnsafeBytes { kept in
                    kept.baseAddress.map { ByteHash.areEqual(bytes.span.bytes, $0) } ?? false
                })
            for slot in bytes.indices {
                var other = bytes
                other[slot] ^= 0x80
                #expect(
                    other.withUnsafeBytes { kept in
                        kept.baseAddress.map { !ByteHash.areEqual(bytes.span.bytes, $0) } ?? false
                    })
            }
        }
    }
}
