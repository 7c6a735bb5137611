import Testing
import WaymarkTLS

@Suite struct SecureRandomTests {
    @Test(arguments: [0, 1, 16, 32, 1 << 20, (1 << 20) + 1])
    func givesAsManyBytesAsAskedFor(count: Int) {
        #expect(SecureRandom.bytes(count: count).count == count)
    }

    @Test func givesNothingForANegativeCount() {
        #expect(SecureRandom.bytes(count: -1).isEmpty)
    }

    @Test func `random bytes do not repeat`() {
        let drawn = Set((0..<1_000).map { _ in SecureRandom.bytes(count: 16) })
        #expect(drawn.count == 1_000)
    }

    /// A piece that was left out would be a run of zeros; 32 of them in a row by chance have odds of 2⁻²⁵⁶.
    @Test func fillsEveryPieceOfALongRequest() {
        let bytes = SecureRandom.bytes(count: (2 << 20) + 32)
        for start in [0, (1 << 20) - 32, 1 << 20, (2 << 20) - 32, 2 << 20] {
            #expect(bytes[start..<start + 32].contains { $0 != 0 })
        }
    }
}
