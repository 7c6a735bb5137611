internal import CWaymarkOpenSSL

/// Another party's public key, for the verification of its signatures. Safe to use from any thread.
///
/// `@unchecked Sendable` because OpenSSL counts references to the key atomically, and nothing changes it after `init`.
/// `@safe` because the pointer is owned: freed in `deinit` and never handed out.
@safe
package final class PublicKey: @unchecked Sendable {
    package enum Curve: Sendable {
        case p256, p384

        /// Bytes in a coordinate, and in each half of a signature.
        package var coordinateByteCount: Int { self == .p256 ? 32 : 48 }
    }

    private enum Kind {
        case curve(Curve)
        case rsa
        case ed25519
    }

    /// Bits of an RSA key's modulus.
    package static let modulusBits = 2_048...8_192
    package static let ed25519ByteCount = 32
    /// Of an RSA key: real ones are 65,537, and the cost of a verification grows with it.
    private static let exponentByteLimit = 4

    private let pointer: OpaquePointer
    private let kind: Kind

    private init?(_ kind: Kind, encoded: [UInt8]) {
        // unsafe because C reads within the array's length, and makes an object that is freed or owned by the result.
        let parsed = unsafe encoded.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let pointer = unsafe parsed else {
            OpenSSLError.clear()
            return nil
        }
        unsafe self.pointer = pointer
        self.kind = kind
    }

    deinit {
        // unsafe because a C object is released that nothing else refers to.
        unsafe EVP_PKEY_free(pointer)
    }

    /// A point on a curve of NIST (FIPS 186-5).
    ///
    /// - Parameters: The coordinates, big-endian, in exactly the curve's length.
    /// - Returns: nil for another length, and for a point that isn't on the curve.
    package convenience init?(_ curve: Curve, x: [UInt8], y: [UInt8]) {
        let count = curve.coordinateByteCount
        guard x.count == count, y.count == count else { return nil }
        self.init(.curve(curve), encoded: PublicKeyEncoding.point(on: curve, x: x, y: y))
        guard isOnCurve else { return nil }
    }

    /// An Ed25519 key (RFC 8032).
    ///
    /// - Returns: nil unless there are 32 bytes.
    package convenience init?(ed25519 bytes: [UInt8]) {
        guard bytes.count == Self.ed25519ByteCount else { return nil }
        self.init(.ed25519, encoded: PublicKeyEncoding.ed25519(bytes))
    }

    /// An RSA key.
    ///
    /// - Parameters: Big-endian; leading zeros are ignored.
    /// - Returns: nil unless the modulus has 2,048 to 8,192 bits and both numbers are odd; exponents are 3 to 2³² - 1.
    package convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.modulusBits.contains(bits), modulus.last.map({ $0 & 1 == 1 }) == true,
            exponent.count <= Self.exponentByteLimit, exponent.last.map({ $0 & 1 == 1 }) == true, exponent != [1]
        else { return nil }
        self.init(.rsa, encoded: PublicKeyEncoding.rsa(modulus: modulus, exponent: exponent))
    }

    private var isOnCurve: Bool {
        defer { OpenSSLError.clear() }
        // unsafe because a C object is made and freed here, which refers to the key that outlives it.
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe EVP_PKEY_public_check(context) == 1
    }

    /// Whether keys of this kind make signatures of the algorithm: ES256 is on P-256, ES384 on P-384.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (algorithm, kind) {
        case (.es256, .curve(.p256)), (.es384, .curve(.p384)), (.rs256, .rsa), (.ps256, .rsa), (.eddsa, .ed25519): true
        default: false
        }
    }

    /// Whether the key's owner signed the message.
    ///
    /// - Parameter form: of signatures on an elliptic curve.
    package func verifies(
        _ signature: [UInt8], of message: [UInt8], _ algorithm: SignatureAlgorithm, _ form: SignatureForm
    ) -> Bool {
        guard fits(algorithm) else { return false }
        guard case .curve(let curve) = kind, form == .concatenated else {
            return isValid(signature, of: message, algorithm)
        }
        guard signature.count == curve.coordinateByteCount * 2 else { return false }
        return isValid(PublicKeyEncoding.signature(signature), of: message, algorithm)
    }

    /// - Parameter signature: as OpenSSL wants it: in DER on an elliptic curve.
    private func isValid(_ signature: [UInt8], of message: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        // A wrong signature leaves an entry, which the next handshake on this thread would take for its own.
        defer { OpenSSLError.clear() }
        // unsafe because a C object is made and freed here, and C reads the arrays, which outlive the calls, with their
        // lengths. The second object belongs to the first.
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest =
            switch algorithm {
            case .es256, .rs256, .ps256: unsafe EVP_sha256()
            case .es384: unsafe EVP_sha384()
            case .eddsa: unsafe OpaquePointer?.none
            }
        var settings: OpaquePointer?
        guard unsafe EVP_DigestVerifyInit(context, &settings, digest, nil, pointer) == 1 else { return false }
        if algorithm == .ps256 {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
