import Testing
import WaymarkBytes

@Suite struct SipHashTests {
    private let secret: SipHash

    init() throws { secret = try #require(SipHash(key: Array(0..<16))) }

    /// The first vectors of the reference implementation: key 00…0f, messages of 0, 1, 2… rising bytes.
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
            (3, 0x8567_6696_d7fb_7e2d), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)])
    func hashesAsTheReferenceDoes(_ count: Int, _ hash: UInt64) {
        #expect(secret.hash((0..<count).map { UInt8($0) }) == hash)
    }

    @Test func hashesTwoWordsAsSixteenBytes() {
        let message = (0..<16).map { UInt8($0) }
        #expect(secret.hash(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908) == secret.hash(message))
    }

    @Test func takesOnlyKeysOfSixteenBytes() {
        #expect(SipHash(key: []) == nil)
        #expect(SipHash(key: Array(repeating: 1, count: 15)) == nil)
        #expect(SipHash(key: Array(repeating: 1, count: 17)) == nil)
    }
}
