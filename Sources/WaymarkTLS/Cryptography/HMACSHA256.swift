internal import CWaymarkOpenSSL

/// The keyed digest HMAC (RFC 2104) with SHA-256.
package enum HMACSHA256 {
    /// The code of the message under the key, 32 bytes.
    ///
    /// - Parameter key: of any length; an empty one authenticates nothing.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: SHA256.byteCount)
        var count: UInt32 = 0
        // An empty array may have no address, and C takes that for a repeated key.
        let memory = key.isEmpty ? [0] : key
        // unsafe because C reads and writes arrays that outlive the call, with their lengths.
        let result = unsafe HMAC(
            EVP_sha256(), memory, Int32(clamping: key.count), message, message.count, &code, &count)
        guard unsafe result != nil, count == UInt32(SHA256.byteCount) else {
            fatalError("OpenSSL has no HMAC with SHA-256; its installation is broken")
        }
        return code
    }
}
