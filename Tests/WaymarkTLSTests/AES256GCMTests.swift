import Testing

@testable import WaymarkTLS

@Suite struct AES256GCMTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let key: String
        let nonce: String
        let plain: String
        let authenticated: String
        let hidden: String
        let tag: String

        var testDescription: String { name }
    }

    /// Test cases 13, 14, 15 and 16 of McGrew and Viega's specification of GCM, which NIST SP 800-38D refers to.
    static let vectors = [
        Vector(
            name: "13", key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24), plain: "",
            authenticated: "", hidden: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            name: "14", key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24),
            plain: String(repeating: "0", count: 32), authenticated: "", hidden: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            name: "15", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            authenticated: "",
            hidden: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            name: "16", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            authenticated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            hidden: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test(arguments: vectors) func sealsAsTheSpecificationDoes(vector: Vector) throws {
        let cipher = try #require(AES256GCM(key: Self.bytes(vector.key)))
        let sealed = cipher.seal(
            Self.bytes(vector.plain), authenticated: Self.bytes(vector.authenticated),
            nonce: Self.bytes(vector.nonce))
        #expect(sealed == Self.bytes(vector.nonce + vector.hidden + vector.tag))
        #expect(cipher.open(sealed, authenticated: Self.bytes(vector.authenticated)) == Self.bytes(vector.plain))
    }

    @Test func opensNothingOfWhichOneBitIsAnother() throws {
        let cipher = try #require(AES256GCM(key: Array(0..<32)))
        let plain = Array("{\"coupon\": \"20\"}".utf8)
        let sealed = cipher.seal(plain, authenticated: [1, 2, 3])
        #expect(cipher.open(sealed, authenticated: [1, 2, 3]) == plain)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(cipher.open(changed, authenticated: [1, 2, 3]) == nil, "byte \(index), bit \(bit)")
            }
        }
        for length in sealed.indices {
            #expect(cipher.open(Array(sealed.prefix(length)), authenticated: [1, 2, 3]) == nil)
        }
        #expect(cipher.open(sealed + [0], authenticated: [1, 2, 3]) == nil)
        #expect(cipher.open(sealed, authenticated: [1, 2]) == nil)
        #expect(cipher.open(sealed, authenticated: []) == nil)
        let other = try #require(AES256GCM(key: Array(1..<33)))
        #expect(other.open(sealed, authenticated: [1, 2, 3]) == nil)
    }

    @Test func `no nonce is used twice`() throws {
        let cipher = try #require(AES256GCM(key: Array(0..<32)))
        let nonces = Set((0..<10_000).map { _ in Array(cipher.seal([7], authenticated: []).prefix(12)) })
        #expect(nonces.count == 10_000)
    }

    @Test func takesNoKeyOfAnotherLength() {
        for count in [0, 16, 24, 31, 33, 64] { #expect(AES256GCM(key: Array(repeating: 1, count: count)) == nil) }
    }
}
