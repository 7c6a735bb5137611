internal import CWaymarkOpenSSL

/// OpenSSL's files in memory, for texts that are never written to a disk.
enum MemoryBIO {
    /// A file with a copy of the bytes, which the caller frees. Nil if out of memory.
    static func make(holding bytes: [UInt8]) -> OpaquePointer? {
        // unsafe because a C object is made, which the caller owns; C copies the bytes within their count.
        guard let file = unsafe BIO_new(BIO_s_mem()) else { return nil }
        // Otherwise its end means "later".
        _ = unsafe BIO_ctrl(file, BIO_C_SET_BUF_MEM_EOF_RETURN, 0, nil)
        var written = 0
        guard unsafe bytes.isEmpty || BIO_write_ex(file, bytes, bytes.count, &written) == 1, written == bytes.count
        else {
            unsafe BIO_free(file)
            return nil
        }
        return unsafe file
    }

    /// The bytes that the closure writes; nil if it returns false.
    static func bytes(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        // unsafe because a C object is made and freed here, and C fills the array within its size.
        guard let file = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(file) }
        guard unsafe write(file) else { return nil }
        var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(file))
        var read = 0
        guard !bytes.isEmpty, unsafe BIO_read_ex(file, &bytes, bytes.count, &read) == 1, read == bytes.count else {
            return nil
        }
        return bytes
    }
}
