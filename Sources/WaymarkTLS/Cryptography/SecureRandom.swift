internal import CWaymarkOpenSSL

/// Random bytes fit for secrets: keys, slugs that can't be guessed, click ids. Safe to use from any thread.
package enum SecureRandom {
    /// - Parameter count: 0 or more.
    ///
    /// Ends the process where the system has no randomness: an answer that could be guessed would be worse.
    package static func bytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        // RAND_bytes counts in Int32, so what is longer is filled piece by piece.
        let pieceLength = 1 << 20
        var start = 0
        while start < bytes.count {
            let length = min(pieceLength, bytes.count - start)
            // unsafe because C fills the memory; the piece is checked against the buffer before.
            let status = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                unsafe RAND_bytes(buffer.baseAddress.map { unsafe $0 + start }, Int32(length))
            }
            guard status == 1 else { fatalError("OpenSSL has no random bytes to give; the system lacks entropy") }
            start += length
        }
        return bytes
    }
}
