internal import CWaymarkOpenSSL

/// Digests whose algorithm is chosen by data (FIPS 180-4). `SHA256` is the one for everything else.
package enum MessageDigest: Sendable {
    case sha256, sha384, sha512

    /// Bytes in a digest.
    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    package func digest(of bytes: [UInt8]) -> [UInt8] {
        // unsafe because C reads and writes arrays that outlive the call; the result has the algorithm's length.
        let algorithm =
            switch self {
            case .sha256: unsafe EVP_sha256()
            case .sha384: unsafe EVP_sha384()
            case .sha512: unsafe EVP_sha512()
            }
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil) == 1 else {
            fatalError("OpenSSL has no SHA-2; its installation is broken")
        }
        return digest
    }
}

/// Comparison of secrets.
package enum ConstantTime {
    /// Whether both are the same; takes as long wherever they differ. Their lengths are no secret.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // unsafe because C reads both arrays, which have the length that is passed.
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }
}
