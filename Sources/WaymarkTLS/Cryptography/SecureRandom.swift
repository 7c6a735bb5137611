internal import CWaymarkOpenSSL

/// Cryptographically secure random bytes: for keys, unguessable slugs and click IDs. Safe to use from any thread.
package enum SecureRandom {
    /// - Parameter count: 0 or more.
    ///
    /// Terminates the process if the system has no randomness: a predictable result would be worse.
    package static func bytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        // RAND_bytes counts in Int32, so longer arrays are filled in pieces.
        let pieceLength = 1 << 20
        var start = 0
        while start < bytes.count {
            let length = min(pieceLength, bytes.count - start)
            // unsafe because C fills the memory; the piece is checked against the buffer's bounds.
            let status = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                unsafe RAND_bytes(buffer.baseAddress.map { unsafe $0 + start }, Int32(length))
            }
            guard status == 1 else { fatalError("OpenSSL has no random bytes to give; the system lacks entropy") }
            start += length
        }
        return bytes
    }
}
