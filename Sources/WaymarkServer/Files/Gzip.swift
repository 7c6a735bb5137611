internal import CWaymarkZlib

/// The gzip coding (RFC 1952), through zlib.
package enum Gzip {
    /// Responses below this size in bytes (256) are not compressed: the saving is smaller than the cost.
    package static let least = 256

    /// The bytes, compressed at zlib's default level; deterministic.
    ///
    /// - Returns: nil if that saves less than a tenth, or zlib can't allocate memory.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: bytes.count) else { return nil }
        // The output size is capped, so compression stops when it does not pay.
        let room = bytes.count - bytes.count / 10
        var isDone = false
        // unsafe because C takes addresses: each is valid only inside of its closure, with its length beside it, and
        // the count that zlib leaves is the number of bytes it has written.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                var stream = unsafe z_stream()
                // 15 bits of window, plus 16 for gzip's header and trailer instead of zlib's.
                let isReady = unsafe deflateInit2_(
                    &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                    Int32(MemoryLayout<z_stream>.size))
                guard isReady == Z_OK else { return }
                defer { unsafe deflateEnd(&stream) }
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = size
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(room)
                guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return }
                unsafe count = Int(stream.total_out)
                isDone = true
            }
        }
        // Copied to free the unused capacity, because the result is cached.
        return isDone ? [UInt8](output[...]) : nil
    }
}
