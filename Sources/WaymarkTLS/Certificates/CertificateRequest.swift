internal import CWaymarkOpenSSL

/// A request to an authority for a certificate (PKCS #10, RFC 2986).
package enum CertificateRequest {
    /// The request in DER: an empty subject, the names as subject alternative names, signed with ECDSA and SHA-256.
    ///
    /// - Parameters:
    ///   - names: host names in ASCII, at least one.
    ///   - key: the key of the certificate.
    /// - Returns: Nil if OpenSSL rejects a name, or memory is out.
    package static func der(names: [String], key: P256Key) -> [UInt8]? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        // unsafe because C objects are made and freed here; the request copies the names.
        guard let request = unsafe X509_REQ_new() else { return nil }
        defer { unsafe X509_REQ_free(request) }
        guard unsafe X509_REQ_set_version(request, 0) == 1, unsafe X509_REQ_set_pubkey(request, key.pointer) == 1,
            let alternatives = unsafe SubjectAlternativeNames.make(names)
        else { return nil }
        defer { unsafe GENERAL_NAMES_free(alternatives) }
        // Critical, as the subject is empty (RFC 5280 section 4.2.1.6).
        guard let list = unsafe OPENSSL_sk_new_null() else { return nil }
        defer {
            unsafe OPENSSL_sk_pop_free(list) { element in
                unsafe X509_EXTENSION_free(element.map { OpaquePointer($0) })
            }
        }
        guard let member = unsafe X509V3_EXT_i2d(NID_subject_alt_name, 1, UnsafeMutableRawPointer(alternatives)) else {
            return nil
        }
        guard unsafe OPENSSL_sk_push(list, UnsafeRawPointer(member)) > 0 else {
            unsafe X509_EXTENSION_free(member)
            return nil
        }
        guard unsafe X509_REQ_add_extensions(request, list) == 1,
            unsafe X509_REQ_sign(request, key.pointer, EVP_sha256()) > 0
        else { return nil }
        return unsafe MemoryBIO.bytes { file in unsafe i2d_X509_REQ_bio(file, request) == 1 }
    }
}

/// DNS names as the extension that holds them.
enum SubjectAlternativeNames {
    /// The names as OpenSSL's stack, which the caller frees. Nil for a name that is no host name, or without memory.
    static func make(_ names: [String]) -> OpaquePointer? {
        guard !names.isEmpty,
            names.allSatisfy({ name in
                CertificateNames.normalized(name.utf8).map { !$0.hasPrefix("*") } ?? false
            })
        else { return nil }
        // unsafe because C objects are made; the stack owns the names that it holds, and is freed on failure.
        guard let stack = unsafe OPENSSL_sk_new_null() else { return nil }
        for name in names {
            guard let element = unsafe GENERAL_NAME_new() else {
                unsafe GENERAL_NAMES_free(stack)
                return nil
            }
            guard let text = unsafe ASN1_STRING_type_new(V_ASN1_IA5STRING),
                unsafe ASN1_STRING_set(text, name, Int32(name.utf8.count)) == 1
            else {
                unsafe GENERAL_NAME_free(element)
                unsafe GENERAL_NAMES_free(stack)
                return nil
            }
            unsafe GENERAL_NAME_set0_value(element, GEN_DNS, text)
            guard unsafe OPENSSL_sk_push(stack, element) > 0 else {
                unsafe GENERAL_NAME_free(element)
                unsafe GENERAL_NAMES_free(stack)
                return nil
            }
        }
        return unsafe stack
    }
}
