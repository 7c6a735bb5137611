internal import CWaymarkZlib

/// The gzip coding (RFC 1952), through zlib.
package enum Gzip {
    /// Bytes below which a response is not compressed: what it would save is less than what it costs (256).
    package static let least = 256

    /// The bytes, compressed at zlib's usual level; the same bytes always give the same.
    ///
    /// - Returns: nil where that saves less than a tenth, or zlib finds no memory.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: bytes.count) else { return nil }
        // Compressing stops when it turns out not to pay.
        let room = bytes.count - bytes.count / 10
        var isDone = false
        // unsafe because C wants addresses: each is valid only inside of its closure, with its length beside it, and the
        // count that zlib leaves is what it has filled.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                var stream = unsafe z_stream()
                // 15 bits of window, and 16 more for gzip's frame instead of zlib's.
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
        // Lets go of the room that was not needed, because the result is kept.
        return isDone ? [UInt8](output[...]) : nil
    }
}
