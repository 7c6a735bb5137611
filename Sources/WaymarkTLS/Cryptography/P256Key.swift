internal import CWaymarkOpenSSL

/// A private key on the curve P-256 (FIPS 186-5), for signatures of JSON Web Signatures and of certificate requests.
///
/// `@unchecked Sendable` because OpenSSL counts references to the key atomically, and nothing changes it after `init`.
/// `@safe` because the pointer is owned: freed in `deinit` and never handed out beyond the module.
@safe
package final class P256Key: @unchecked Sendable {
    /// Bytes in a coordinate, and in each half of a signature.
    package static let coordinateByteCount = 32

    package struct Failure: Error, Sendable, Equatable {
        package let reason: String
    }

    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        // unsafe because a C object is released; certificates that use the key have references of their own.
        unsafe EVP_PKEY_free(pointer)
    }

    /// A new random key. Terminates the process if the system has no randomness.
    package static func generate() -> P256Key {
        // unsafe because a C object is made, which the result owns.
        guard let pointer = unsafe CWaymarkOpenSSL_generateP256() else {
            fatalError("OpenSSL can't make a key on P-256; its installation is broken, or the system lacks entropy")
        }
        return unsafe P256Key(owning: pointer)
    }

    /// Reads a key in PEM form, without a passphrase.
    package convenience init(pem: [UInt8]) throws(Failure) {
        let key: PEMPrivateKey
        do throws(PEMError) {
            key = try PEMPrivateKey(text: pem)
        } catch {
            throw Failure(reason: error.reason)
        }
        // unsafe because a C object is read, and C writes the name into the array, whose size is passed.
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        let hasName = unsafe EVP_PKEY_get_group_name(key.pointer, &name, name.count, &count) == 1
        let group = String(decoding: name.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        OpenSSLError.clear()
        guard hasName, group == "prime256v1" || group == "P-256" else {
            throw Failure(reason: "it is not a key on the curve P-256")
        }
        unsafe self.init(owning: key.release())
    }

    /// The key as PKCS #8 in PEM form, not encrypted.
    package var pem: [UInt8] {
        // unsafe because C writes the key to a file that the closure is lent.
        let text = unsafe MemoryBIO.bytes { file in
            unsafe PEM_write_bio_PrivateKey(file, pointer, nil, nil, 0, nil, nil) == 1
        }
        guard let text else { fatalError("OpenSSL can't write a key; out of memory") }
        return text
    }

    /// The coordinates of the public point, 32 bytes each.
    package var coordinates: (x: [UInt8], y: [UInt8]) {
        (coordinate(OSSL_PKEY_PARAM_EC_PUB_X), coordinate(OSSL_PKEY_PARAM_EC_PUB_Y))
    }

    private func coordinate(_ name: String) -> [UInt8] {
        // unsafe because a C object is made and freed here.
        var number: OpaquePointer?
        defer { unsafe BN_free(number) }
        guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let bytes = unsafe Self.padded(number) else {
            fatalError("OpenSSL can't read a key on P-256; its installation is broken")
        }
        return bytes
    }

    /// The signature of the message's SHA-256 digest as ES256 (RFC 7518 section 3.4): r, then s, 64 bytes.
    package func signature(of message: [UInt8]) -> [UInt8] {
        guard let encoded = encodedSignature(of: message) else {
            fatalError("OpenSSL can't sign with a key on P-256; its installation is broken")
        }
        // unsafe because a C object is made and freed here; the numbers belong to it.
        let parsed = unsafe encoded.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &position, buffer.count)
        }
        defer { unsafe ECDSA_SIG_free(parsed) }
        guard let parsed = unsafe parsed, let r = unsafe Self.padded(ECDSA_SIG_get0_r(parsed)),
            let s = unsafe Self.padded(ECDSA_SIG_get0_s(parsed))
        else { fatalError("OpenSSL can't read its own signature; out of memory") }
        return r + s
    }

    /// In DER.
    private func encodedSignature(of message: [UInt8]) -> [UInt8]? {
        // unsafe because a C object is made and freed here, and C writes into the array within its size.
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = 0
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
            unsafe EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { return nil }
        return Array(signature[..<count])
    }

    private static func padded(_ number: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: coordinateByteCount)
        // unsafe because C writes into the array, whose size is passed.
        let count = unsafe BN_bn2binpad(number, &bytes, Int32(coordinateByteCount))
        return count == Int32(coordinateByteCount) ? bytes : nil
    }
}
