internal import CWaymarkOpenSSL

/// The key derivation scrypt (RFC 7914), which makes guessing passwords costly in time and memory.
package enum Scrypt {
    /// A key of `count` bytes; nil if the parameters are not possible, or need more than 64 MiB.
    ///
    /// Takes about 128 × `blockSize` × 2^`costBits` bytes of memory, and a time in proportion to it: call it neither on
    /// an event loop nor without a bound.
    package static func key(
        of password: [UInt8], salt: [UInt8], costBits: Int, blockSize: Int, parallelism: Int, count: Int
    ) -> [UInt8]? {
        guard (1...24).contains(costBits), (1...64).contains(blockSize), (1...64).contains(parallelism), count > 0
        else { return nil }
        var key = [UInt8](repeating: 0, count: count)
        // An empty array may have no address, which C takes for a missing password.
        let characters = password.map { CChar(bitPattern: $0) } + [0]
        // unsafe because C reads and writes arrays that outlive the call, with their lengths.
        let status = unsafe EVP_PBE_scrypt(
            characters, password.count, salt, salt.count, UInt64(1) << UInt64(costBits), UInt64(blockSize),
            UInt64(parallelism), 64 << 20, &key, key.count)
        return status == 1 ? key : nil
    }
}
