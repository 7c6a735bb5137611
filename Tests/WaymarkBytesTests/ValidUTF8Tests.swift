import Testing

@testable import WaymarkBytes

@Suite struct ValidUTF8Tests {
    /// Systems before 2024 take the second way, which must agree with the first.
    @Test(
        arguments: [
            [], [0x61], [0xC3, 0xA9], [0xEF, 0xBF, 0xBD], [0xF0, 0x9F, 0x98, 0x80], [0xFF], [0xC3], [0xC0, 0xAF],
            [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0x80, 0x62], [0xEF, 0xBF, 0xBD, 0xFF], [0x00],
        ] as [[UInt8]])
    func bothWaysAgree(bytes: [UInt8]) {
        let expected = String(validating: bytes, as: UTF8.self)
        #expect(String(validUTF8: bytes) == expected)
        #expect(String(unrepaired: bytes) == expected)
    }
}
