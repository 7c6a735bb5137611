internal import CWaymarkOpenSSL

/// The SHA-256 digest (FIPS 180-4).
package enum SHA256 {
    /// Bytes in a digest.
    package static let byteCount = 32

    /// Fetched once: with `EVP_sha256()` OpenSSL 3 searches its providers for each digest.
    // unsafe because a pointer is not Sendable; the fetched object is immutable, and any thread may use it.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// The digest of the bytes, 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        digest(of: bytes.span)
    }

    /// The digest of the bytes, 32 bytes.
    package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
        // unsafe because C takes addresses; each is valid only inside of its closure, with its length beside it.
        let result = unsafe bytes.withUnsafeBufferPointer { message in
            unsafe written { digest in
                unsafe EVP_Digest(message.baseAddress, message.count, digest, nil, algorithm, nil) == 1
            }
        }
        guard let result else { fatalError("OpenSSL has no SHA-256; its installation is broken") }
        return result
    }

    /// 32 bytes that the closure writes; nil if it returns false.
    private static func written(by fill: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8]? {
        var isFilled = false
        // unsafe because C writes the array's memory; the count is set only if all of it was written.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            isFilled = unsafe fill(buffer.baseAddress)
            count = isFilled ? byteCount : 0
        }
        return isFilled ? bytes : nil
    }
}
