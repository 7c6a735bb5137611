/// Public keys as SubjectPublicKeyInfo (RFC 5280 section 4.1), and signatures as ECDSA-Sig-Value (RFC 3279 section 2.2.3), in DER.
enum PublicKeyEncoding {
    private static let sequenceTag: UInt8 = 0x30
    private static let integerTag: UInt8 = 0x02
    private static let bitStringTag: UInt8 = 0x03

    /// 1.2.840.10045.2.1.
    private static let ellipticCurve: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7.
    private static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    /// 1.3.132.0.34.
    private static let p384: [UInt8] = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    /// 1.3.101.112.
    private static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]
    /// 1.2.840.113549.1.1.1, and NULL for its parameters.
    private static let rsa: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// - Parameters: The coordinates, in the curve's length.
    static func point(on curve: PublicKey.Curve, x: [UInt8], y: [UInt8]) -> [UInt8] {
        let name =
            switch curve {
            case .p256: p256
            case .p384: p384
            }
        // 4: both coordinates follow.
        return key(ellipticCurve + name, [0x04] + x + y)
    }

    static func ed25519(_ bytes: [UInt8]) -> [UInt8] { key(ed25519, bytes) }

    /// - Parameters: Both without leading zeros.
    static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        key(rsa, element(sequenceTag, integer(modulus) + integer(exponent)))
    }

    /// - Parameter numbers: Two of the same length, one after the other.
    static func signature(_ numbers: [UInt8]) -> [UInt8] {
        let half = numbers.count / 2
        return element(sequenceTag, integer(Array(numbers.prefix(half))) + integer(Array(numbers.dropFirst(half))))
    }

    private static func key(_ algorithm: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        // 0: no bit of the last byte is unused.
        element(sequenceTag, element(sequenceTag, algorithm) + element(bitStringTag, [0] + bytes))
    }

    /// A number that isn't negative, with as few bytes as it needs.
    private static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        let needsZero = digits.first.map { $0 >= 0x80 } ?? true
        return element(integerTag, (needsZero ? [0] : []) + digits)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let digits = withoutZeros(content.count)
        return [tag, 0x80 | UInt8(digits.count)] + digits + content
    }

    private static func withoutZeros(_ count: Int) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }.drop { $0 == 0 }.map { $0 }
    }
}
