import Testing
import WaymarkBytes

@testable import SignInTestSupport
@testable import WaymarkSignIn

@Suite struct CBORTests {
    private static func read(_ hex: String) -> Result<CBOR, CBORReader.Failure> {
        Result { () throws(CBORReader.Failure) in try CBORReader.item(of: Hexadecimal.bytes(hex) ?? []) }
    }

    /// From RFC 8949, appendix A.
    @Test(arguments: [
        ("00", CBOR(0)), ("17", CBOR(23)), ("1818", CBOR(24)), ("1864", CBOR(100)), ("1903e8", CBOR(1_000)),
        ("1a000f4240", CBOR(1_000_000)), ("1b000000e8d4a51000", CBOR(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)), ("20", CBOR(-1)),
        ("3863", CBOR(-100)), ("3903e7", CBOR(-1_000)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6449455446", .text("IETF")),
        ("62c3bc", .text("ü")), ("80", .array([])), ("83010203", .array([CBOR(1), CBOR(2), CBOR(3)])), ("a0", .map([])),
        ("a201020304", TestAuthenticator.map([(1, CBOR(2)), (3, CBOR(4))])),
        ("a16161820203", TestAuthenticator.map([("a", .array([CBOR(2), CBOR(3)]))])),
    ])
    func `an item is what the standard says`(hex: String, item: CBOR) {
        #expect(Self.read(hex) == .success(item))
        #expect(item.encoded == Hexadecimal.bytes(hex))
    }

    @Test(
        arguments: [
            ("", .incomplete), ("18", .incomplete), ("41", .incomplete), ("8201", .incomplete), ("a101", .incomplete),
            ("5bffffffffffffffff00", .incomplete), ("0000", .moreBytes), ("f6f6", .moreBytes), ("1817", .notShortest),
            ("1900ff", .notShortest), ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest),
            ("580101", .notShortest), ("a201000100", .repeatedKey), ("a2616100616101", .repeatedKey),
            ("61ff", .notUTF8),
            ("62c328", .notUTF8), ("5f4101ff", .unsupported), ("9fff", .unsupported), ("bfff", .unsupported),
            ("7fff", .unsupported), ("ff", .unsupported), ("c000", .unsupported), ("f7", .unsupported),
            ("f97e00", .unsupported),
            ("fb3ff199999999999a", .unsupported), ("f820", .unsupported), ("1c", .unsupported),
            ("9bffffffffffffffff", .tooMany),
            ("bbffffffffffffffff", .tooMany), ("99020100", .tooMany),
        ] as [(String, CBORReader.Failure)])
    func `bytes that no authenticator writes are refused`(hex: String, failure: CBORReader.Failure) {
        #expect(Self.read(hex) == .failure(failure))
    }

    @Test func `depth and number of items have limits`() {
        let limit = CBORReader.depthLimit
        #expect(throws: Never.self) { try CBORReader.item(of: [UInt8](repeating: 0x81, count: limit) + [0]) }
        #expect(throws: CBORReader.Failure.tooDeep) {
            try CBORReader.item(of: [UInt8](repeating: 0x81, count: limit + 1) + [0])
        }
        // 1 + 2 + 2 × 255 items.
        let row: [UInt8] = [0x98, 0xFF] + [UInt8](repeating: 0, count: 255)
        #expect(throws: CBORReader.Failure.tooMany) { try CBORReader.item(of: [0x82] + row + row) }
        #expect(throws: Never.self) { try CBORReader.item(of: [0x81] + row) }
    }

    @Test func `arbitrary bytes end in an item or a failure`() {
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            let bytes = (0..<24).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            // What is read is written as it was.
            if let item = try? CBORReader.item(of: bytes) { #expect(item.encoded == bytes) }
            var reader = CBORReader(bytes[...])
            if let item = try? reader.item() { #expect(item.encoded == Array(bytes[..<reader.position])) }
        }
    }
}
