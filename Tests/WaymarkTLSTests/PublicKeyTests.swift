import Foundation
import Testing
import WaymarkTLS

/// Signatures of another implementation (Fixtures/signatures.py).
@Suite struct PublicKeyTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let algorithm: String
        let x: String?
        let y: String?
        let n: String?
        let e: String?
        let der: String?
        let signature: String

        var testDescription: String { "\(algorithm) \((n?.count ?? 0) * 4)" }
        var name: SignatureAlgorithm { SignatureAlgorithm(rawValue: algorithm)! }
        var bytes: [UInt8] { PublicKeyTests.bytes(signature) }

        func key() -> PublicKey? {
            switch name {
            case .es256, .es384:
                PublicKey(
                    name == .es256 ? .p256 : .p384, x: PublicKeyTests.bytes(x ?? ""), y: PublicKeyTests.bytes(y ?? ""))
            case .rs256, .ps256:
                PublicKey(modulus: PublicKeyTests.bytes(n ?? ""), exponent: PublicKeyTests.bytes(e ?? ""))
            case .eddsa: PublicKey(ed25519: PublicKeyTests.bytes(x ?? ""))
            }
        }
    }

    private struct File: Decodable {
        let message: String
        let cases: [Vector]
    }

    private static let file: File = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Fixtures/signatures.json"
        return try! JSONDecoder().decode(File.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }()

    static var vectors: [Vector] { file.cases }
    private static let message = bytes(file.message)

    static func bytes(_ text: String) -> [UInt8] {
        var rest = Substring(text)
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    @Test(arguments: vectors)
    func `a key verifies signatures of another program`(vector: Vector) throws {
        let key = try #require(vector.key())
        #expect(key.verifies(vector.bytes, of: Self.message, vector.name, .concatenated))
        if let der = vector.der { #expect(key.verifies(Self.bytes(der), of: Self.message, vector.name, .der)) }
    }

    @Test(arguments: vectors)
    func `a key refuses whatever differs in one bit`(vector: Vector) throws {
        let key = try #require(vector.key())
        for index in Self.message.indices {
            var message = Self.message
            message[index] ^= 1
            #expect(!key.verifies(vector.bytes, of: message, vector.name, .concatenated))
        }
        for index in vector.bytes.indices {
            var signature = vector.bytes
            signature[index] ^= 1
            #expect(!key.verifies(signature, of: Self.message, vector.name, .concatenated), "\(index)")
        }
    }

    @Test(arguments: vectors)
    func `a key refuses signatures of another length or form`(vector: Vector) throws {
        let key = try #require(vector.key())
        for count in 0..<vector.bytes.count {
            #expect(!key.verifies(Array(vector.bytes.prefix(count)), of: Self.message, vector.name, .concatenated))
        }
        #expect(!key.verifies(vector.bytes + [0], of: Self.message, vector.name, .concatenated))
        guard let der = vector.der.map(Self.bytes) else { return }
        #expect(!key.verifies(der, of: Self.message, vector.name, .concatenated))
        #expect(!key.verifies(vector.bytes, of: Self.message, vector.name, .der))
        #expect(!key.verifies(der + [0], of: Self.message, vector.name, .der))
        for count in 0..<der.count {
            #expect(!key.verifies(Array(der.prefix(count)), of: Self.message, vector.name, .der))
        }
    }

    @Test(arguments: vectors)
    func `a key verifies no other algorithm`(vector: Vector) throws {
        let key = try #require(vector.key())
        for algorithm in SignatureAlgorithm.allCases where algorithm != vector.name {
            #expect(!key.verifies(vector.bytes, of: Self.message, algorithm, .concatenated))
            #expect(!key.verifies(Self.bytes(vector.der ?? ""), of: Self.message, algorithm, .der))
        }
    }

    @Test func `points beside the curve are no keys`() {
        for vector in Self.vectors where vector.y != nil {
            let curve: PublicKey.Curve = vector.name == .es256 ? .p256 : .p384
            let (x, y) = (Self.bytes(vector.x ?? ""), Self.bytes(vector.y ?? ""))
            let zero = [UInt8](repeating: 0, count: x.count)
            let ones = [UInt8](repeating: 0xFF, count: x.count)
            for (x, y) in [
                (y, x), (zero, zero), (x, zero), (zero, y), (ones, y), (x, ones), ([], []), (x, Array(y.dropLast())),
                (x + [0], y), ([0] + x, [0] + y),
            ] {
                #expect(PublicKey(curve, x: x, y: y) == nil)
            }
            #expect(PublicKey(curve == .p256 ? .p384 : .p256, x: x, y: y) == nil)
        }
    }

    @Test func `an Ed25519 key has 32 bytes`() {
        for count in [0, 31, 33, 57] { #expect(PublicKey(ed25519: [UInt8](repeating: 3, count: count)) == nil) }
    }

    @Test(
        arguments: [
            (2_048, [1, 0, 1], true), (2_047, [1, 0, 1], false), (8_192, [1, 0, 1], true), (8_193, [1, 0, 1], false),
            (1_024, [1, 0, 1], false), (2_048, [3], true), (2_048, [0, 0, 3], true), (2_048, [1], false),
            (2_048, [1, 0, 0], false), (2_048, [], false), (2_048, [0], false), (2_048, [1, 0, 0, 0, 1], false),
            (0, [3], false),
        ] as [(Int, [UInt8], Bool)])
    func `RSA keys have usual sizes`(bits: Int, exponent: [UInt8], isKey: Bool) {
        var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
        if bits % 8 != 0 { modulus[0] = (1 << (bits % 8)) - 1 }
        #expect((PublicKey(modulus: modulus, exponent: exponent) != nil) == isKey)
        #expect((PublicKey(modulus: [0, 0] + modulus, exponent: exponent) != nil) == isKey)
        // Even: no product of two primes.
        if !modulus.isEmpty { modulus[modulus.count - 1] = 0xFE }
        #expect(PublicKey(modulus: modulus, exponent: exponent) == nil)
    }

    @Test func `digests have their standard's values`() {
        let expected: [(MessageDigest, String)] = [
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ]
        for (algorithm, digest) in expected { #expect(algorithm.digest(of: Array("abc".utf8)) == Self.bytes(digest)) }
    }

    @Test func `secrets are equal in all bytes or not at all`() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.areEqual([], []))
        for other in [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []] as [[UInt8]] {
            #expect(!ConstantTime.areEqual([1, 2, 3], other))
        }
    }
}
