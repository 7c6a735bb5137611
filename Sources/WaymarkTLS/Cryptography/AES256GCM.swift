internal import CWaymarkOpenSSL

/// AES with 256-bit keys in Galois/Counter Mode (NIST SP 800-38D): authenticated encryption. Safe to use from any
/// thread.
///
/// Nonces are 96 random bits. The standard (section 8.3) limits them to 2³² messages per key: beyond that a nonce
/// could repeat, and a repeated nonce reveals plaintext.
package struct AES256GCM: Sendable {
    /// Bytes in a key.
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    private let key: [UInt8]

    /// - Parameter key: 32 secret random bytes; nil for any other length.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = key
    }

    /// A new random nonce, the ciphertext, and the tag. 28 bytes longer than `plain`.
    ///
    /// - Parameter authenticated: additional authenticated data, not stored; `open` needs the same bytes.
    package func seal(_ plain: [UInt8], authenticated: [UInt8]) -> [UInt8] {
        seal(plain, authenticated: authenticated, nonce: SecureRandom.bytes(count: Self.nonceByteCount))
    }

    /// - Parameter nonce: 12 bytes; reusing one with the same key reveals both messages.
    func seal(_ plain: [UInt8], authenticated: [UInt8], nonce: [UInt8]) -> [UInt8] {
        // unsafe because C reads and writes through pointers to arrays that outlive each call, with their lengths.
        // GCM's output has the length of its input, which fits into Int32.
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

    /// The plaintext; nil if any bit of the sealed bytes, the key or the authenticated data differs.
    package func open(_ sealed: [UInt8], authenticated: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.nonceByteCount + Self.tagByteCount else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceByteCount))
        var tag = Array(sealed.suffix(Self.tagByteCount))
        let hidden = Array(sealed.dropFirst(Self.nonceByteCount).dropLast(Self.tagByteCount))
        // unsafe because C reads and writes through pointers to arrays that outlive each call, with their lengths.
        // Nothing is returned before the tag is verified.
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
        // unsafe because the context is a C object: it is not shared, and freed, including its keys, after the body.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        return unsafe body(context)
    }
}
