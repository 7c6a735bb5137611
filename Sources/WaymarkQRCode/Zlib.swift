internal import CWaymarkZlib

/// What a PNG needs from zlib.
enum Zlib {
    /// The bytes in the zlib format (RFC 1950), at zlib's default level: the highest one makes the picture of a link 1 %
    /// smaller and takes five times as long.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let bound = compressBound(uLong(bytes.count))
        // unsafe because C wants addresses; each is valid only inside of its closure, with its length beside it, and the
        // count that zlib writes back is what it has filled.
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { output, count in
            var written = bound
            let status = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe compress(output.baseAddress, &written, input.baseAddress, uLong(input.count))
            }
            // The output has the size that zlib asked for, so that only a lack of memory is left to go wrong.
            guard status == Z_OK else { fatalError("zlib found no memory") }
            count = Int(written)
        }
    }

    /// The CRC-32 of PNG (ISO/IEC 15948, annex D), the one of zlib and Ethernet.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        // unsafe because C wants an address; it is valid only inside of the closure, with its length beside it.
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe UInt32(truncatingIfNeeded: crc32(0, input.baseAddress, uInt(input.count)))
        }
    }
}
