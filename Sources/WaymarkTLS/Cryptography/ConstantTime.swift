internal import CWaymarkOpenSSL

/// Comparison of secrets that takes the same time wherever they differ, so that it can't be guessed byte by byte.
package enum ConstantTime {
    /// Whether both hold the same bytes. Only their lengths can be learnt from the time it takes.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count, !left.isEmpty else { return left.count == right.count }
        // unsafe because C wants addresses; both are valid inside of the closures and of the same length.
        return unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
