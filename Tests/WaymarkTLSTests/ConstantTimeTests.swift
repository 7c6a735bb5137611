import Testing
import WaymarkTLS

@Suite struct ConstantTimeTests {
    @Test func holdsEqualBytesForEqual() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([0], [0]))
        #expect(ConstantTime.equal(Array("secret".utf8), Array("secret".utf8)))
    }

    @Test(arguments: 0..<32)
    func findsADifferenceAtEveryPlace(index: Int) {
        let left = [UInt8](repeating: 7, count: 32)
        var right = left
        right[index] ^= 1
        #expect(!ConstantTime.equal(left, right))
    }

    @Test(arguments: [([], [0]), ([1, 2], [1, 2, 3]), ([1, 2, 3], [1, 2])] as [([UInt8], [UInt8])])
    func tellsDifferentLengthsApart(left: [UInt8], right: [UInt8]) {
        #expect(!ConstantTime.equal(left, right))
    }
}
