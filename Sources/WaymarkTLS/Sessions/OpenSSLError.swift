internal import CWaymarkOpenSSL

/// The thread's queue of errors in OpenSSL.
///
/// It has to be empty before each call whose outcome is asked for: an old entry would be taken for the new reason.
enum OpenSSLError {
    /// Empties the queue.
    @inline(__always)
    static func clear() {
        ERR_clear_error()
    }

    /// The newest entry as text, such as `no such file or directory`, and the queue emptied. Nil where there is none.
    static func take() -> String? {
        let error = ERR_peek_last_error()
        ERR_clear_error()
        guard error != 0 else { return nil }
        var text = [UInt8](repeating: 0, count: 256)
        // unsafe because C writes into the array, whose size it is given; C's char and a byte have the same layout.
        unsafe text.withUnsafeMutableBytes { buffer in
            unsafe CWaymarkOpenSSL_describe(
                error, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        let reason = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return reason.isEmpty ? nil : reason.lowercased()
    }
}
