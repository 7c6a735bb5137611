internal import CWaymarkOpenSSL

/// AES with 256-bit keys in Galois/Counter Mode (NIST SP 800-38D): encrypts, and notices every change. Safe to use from
/// any thread.
///
/// Nonces are 96 random bits. The standard (section 8.3) allows 2³² messages under one key then: past that two nonces
/// could be alike, and what they hide would show.
package struct AES256GCM: Sendable {
    /// Bytes in a key.
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    private let key: [UInt8]

    /// - Parameter key: 32 bytes that nobody can guess; nil for any other number.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = key
    }

    /// A new random nonce, what was encrypted, and the tag. Longer than `plain` by 28 bytes.
    ///
    /// - Parameter authenticated: bytes that are not stored here; opening needs the same again.
    package func seal(_ plain: [UInt8], authenticated: [UInt8]) -> [UInt8] {
        seal(plain, authenticated: authenticated, nonce: SecureRandom.bytes(count: Self.nonceByteCount))
    }

    /// - Parameter nonce: 12 bytes; the same twice under one key gives away what both messages hold.
    func seal(_ plain: [UInt8], authenticated: [UInt8], nonce: [UInt8]) -> [UInt8] {
        // unsafe because C reads and writes through addresses: those of arrays that outlive each call, with their
        // lengths beside them. GCM gives as many bytes as it takes, and never more than Int32 counts.
        let sealed = unsafe Self.run { context in
            var written: Int32 = 0
            var output = [UInt8](repeating: 0, count: plain.count + Self.tagByteCount)
            var rest = [UInt8](repeating: 0, count: Self.tagByteCount)
            guard nonce.count == Self.nonceByteCount, let count = Int32(exactly: plain.count),
                let bound = Int32(exactly: authenticated.count),
                unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
                unsafe EVP_EncryptUpdate(context, nil, &written, authenticated, bound) == 1,
                unsafe EVP_EncryptUpdate(context, &output, &written, plain, count) == 1, written == count,
                unsafe EVP_EncryptFinal_ex(context, &rest, &written) == 1
            else { return nil }
            let isTagged = unsafe output.withUnsafeMutableBytes { bytes in
                unsafe EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount),
                    bytes.baseAddress.map { unsafe $0 + Int(count) }) == 1
            }
            return isTagged ? nonce + output : nil
        }
        guard let sealed else { fatalError("OpenSSL has no AES-256-GCM; its installation is broken") }
        return sealed
    }

    /// What was sealed; nil where one bit of it, of the key or of what is authenticated is another.
    package func open(_ sealed: [UInt8], authenticated: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceByteCount + Self.tagByteCount else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceByteCount))
        var tag = Array(sealed.suffix(Self.tagByteCount))
        let hidden = Array(sealed.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount))
        // unsafe because C reads and writes through addresses: those of arrays that outlive each call, with their
        // lengths beside them. Nothing is given back before the tag was found right.
        return unsafe Self.run { context in
            var written: Int32 = 0
            var output = [UInt8](repeating: 0, count: hidden.count + 1)
            var rest = [UInt8](repeating: 0, count: Self.tagByteCount)
            guard let count = Int32(exactly: hidden.count), let bound = Int32(exactly: authenticated.count),
                unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
                unsafe EVP_DecryptUpdate(context, nil, &written, authenticated, bound) == 1,
                unsafe EVP_DecryptUpdate(context, &output, &written, hidden, count) == 1, written == count,
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), &tag) == 1,
                unsafe EVP_DecryptFinal_ex(context, &rest, &written) == 1
            else { return nil }
            output.removeLast()
            return output
        }
    }

    private static func run(_ body: (OpaquePointer) -> [UInt8]?) -> [UInt8]? {
        // unsafe because the context is C's: nobody else has it, and it is freed, keys and all, when the body is done.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        return unsafe body(context)
    }
}
