internal import CWaymarkOpenSSL

/// The SHA-256 digest (FIPS 180-4) and the message authentication code over it (RFC 2104).
package enum SHA256 {
    /// Bytes in a digest.
    package static let byteCount = 32

    /// Looked up once: with `EVP_sha256()` OpenSSL 3 searches its providers for each digest anew.
    // unsafe because a pointer is no Sendable; what OpenSSL has fetched is never changed, and any thread may use it.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// The digest of the bytes, 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        digest(of: bytes.span)
    }

    /// The digest of the bytes, 32 bytes.
    package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
        // unsafe because C wants addresses; each is valid only inside of its closure, with its length beside it.
        let result = unsafe bytes.withUnsafeBufferPointer { message in
            unsafe written { digest in
                unsafe EVP_Digest(message.baseAddress, message.count, digest, nil, algorithm, nil) == 1
            }
        }
        guard let result else { fatalError("OpenSSL has no SHA-256; its installation is broken") }
        return result
    }

    /// HMAC-SHA-256 of the message under the key, 32 bytes. The key may have any length up to 2 GiB.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        guard let keyCount = Int32(exactly: key.count) else { fatalError("a key of 2 GiB or more is no key") }
        // unsafe because C wants addresses; each is valid only inside of its closure, with its length beside it.
        let result = unsafe key.withUnsafeBufferPointer { key in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe written { code in
                    unsafe HMAC(
                        algorithm, key.baseAddress, keyCount, message.baseAddress, message.count, code, nil) != nil
                }
            }
        }
        guard let result else { fatalError("OpenSSL has no HMAC with SHA-256; its installation is broken") }
        return result
    }

    /// 32 bytes that the closure fills; nil where it answers false.
    private static func written(by fill: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8]? {
        var isFilled = false
        // unsafe because the array's memory is written by C; the count is set only where all of it was.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            isFilled = unsafe fill(buffer.baseAddress)
            count = isFilled ? byteCount : 0
        }
        return isFilled ? bytes : nil
    }
}
