internal import CWaymarkOpenSSL

/// OpenSSL's SSL_CTX of one challenge.
///
/// `@unchecked Sendable` because it is immutable once made, and OpenSSL counts references to it atomically.
/// `@safe` because the pointer is owned: freed in `deinit`; sessions have references of their own.
@safe
final class ChallengeContext: @unchecked Sendable {
    static let protocolName: StaticString = "acme-tls/1"
    private static let seconds = 7 * 86_400

    private let pointer: OpaquePointer

    /// Nil if the host is no host name, the digest has another length, or memory is out.
    init?(host: String, digest: [UInt8]) {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let key = P256Key.generate()
        // unsafe because C objects are made: the certificate is freed here, the context takes its own references.
        guard digest.count == SHA256.byteCount, let certificate = unsafe Self.certificate(host, digest, key) else {
            return nil
        }
        defer { unsafe X509_free(certificate) }
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return nil }
        unsafe pointer = context
        guard unsafe SSL_CTX_use_cert_and_key(context, certificate, key.pointer, nil, 1) == 1 else { return nil }
        unsafe CWaymarkOpenSSL_setServerNameCallback(context, acceptName, nil)
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseChallenge, nil)
    }

    deinit {
        // unsafe because a C object is released.
        unsafe SSL_CTX_free(pointer)
    }

    /// Lets the session answer the challenge. It issues no ticket, because a resumed session would show no certificate.
    func install(in session: OpaquePointer) -> Bool {
        // unsafe because C objects are passed on; the session takes its own reference. The mark is only compared with nil.
        guard unsafe SSL_set_SSL_CTX(session, pointer) != nil else { return false }
        unsafe CWaymarkOpenSSL_setTicketsOff(session)
        return unsafe SSL_set_ex_data(session, 0, UnsafeMutableRawPointer(pointer)) == 1
    }

    /// Whether the session answers a challenge.
    static func isInstalled(in session: OpaquePointer) -> Bool {
        // unsafe because a pointer is compared with nil, not followed.
        unsafe SSL_get_ex_data(session, 0) != nil
    }

    /// Self-signed, with the host as its only name, and the digest in the critical extension id-pe-acmeIdentifier (RFC
    /// 8737 section 3).
    private static func certificate(_ host: String, _ digest: [UInt8], _ key: P256Key) -> OpaquePointer? {
        // unsafe because a C object is made, which the caller frees; the parts that it is given are copied.
        guard let certificate = unsafe X509_new() else { return nil }
        guard unsafe X509_set_version(certificate, 2) == 1,
            unsafe ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
            unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), seconds) != nil,
            unsafe name(certificate), unsafe X509_set_pubkey(certificate, key.pointer) == 1,
            unsafe addNames([host], to: certificate), unsafe add(digest, to: certificate),
            unsafe X509_sign(certificate, key.pointer, EVP_sha256()) > 0
        else {
            unsafe X509_free(certificate)
            return nil
        }
        return unsafe certificate
    }

    private static func name(_ certificate: OpaquePointer) -> Bool {
        // unsafe because C objects are used that the certificate owns.
        guard let subject = unsafe X509_get_subject_name(certificate),
            unsafe X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_ASC, "ACME challenge", -1, -1, 0) == 1
        else { return false }
        return unsafe X509_set_issuer_name(certificate, subject) == 1
    }

    private static func addNames(_ names: [String], to certificate: OpaquePointer) -> Bool {
        // unsafe because a C object is freed here, after the certificate has copied it.
        guard let alternatives = unsafe SubjectAlternativeNames.make(names) else { return false }
        defer { unsafe GENERAL_NAMES_free(alternatives) }
        return unsafe X509_add1_ext_i2d(
            certificate, NID_subject_alt_name, UnsafeMutableRawPointer(alternatives), 0, UInt(X509V3_ADD_DEFAULT)) == 1
    }

    /// The digest as an OCTET STRING, whose encoding is the content of the extension.
    private static func add(_ digest: [UInt8], to certificate: OpaquePointer) -> Bool {
        // unsafe because C objects are made and freed here; the certificate takes a copy of the extension.
        guard let type = unsafe OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1) else { return false }
        defer { unsafe ASN1_OBJECT_free(type) }
        guard let inner = unsafe ASN1_STRING_type_new(V_ASN1_OCTET_STRING) else { return false }
        defer { unsafe ASN1_STRING_free(inner) }
        guard unsafe ASN1_STRING_set(inner, digest, Int32(digest.count)) == 1 else { return false }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_ASN1_OCTET_STRING(inner, &encoded)
        defer { unsafe CRYPTO_free(encoded, nil, 0) }
        guard count > 0, let content = unsafe ASN1_STRING_type_new(V_ASN1_OCTET_STRING) else { return false }
        defer { unsafe ASN1_STRING_free(content) }
        guard unsafe ASN1_STRING_set(content, encoded, count) == 1,
            let member = unsafe X509_EXTENSION_create_by_OBJ(nil, type, 1, content)
        else { return false }
        defer { unsafe X509_EXTENSION_free(member) }
        return unsafe X509_add_ext(certificate, member, -1) == 1
    }
}

/// The context was chosen by the name already. Without it OpenSSL would call the callback of the first context.
private let acceptName:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32 = { _, _, _ in
        SSL_TLSEXT_ERR_OK
    }

/// The client offers one protocol, which has been compared before.
private let chooseChallenge:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
        UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, chosen, chosenCount, offered, offeredCount, _ in
        // unsafe because the list is read within its count; the chosen name points into it, as OpenSSL allows.
        let count = ChallengeContext.protocolName.utf8CodeUnitCount
        guard let offered = unsafe offered, Int(offeredCount) == count + 1 else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        unsafe chosen?.pointee = offered + 1
        unsafe chosenCount?.pointee = UInt8(count)
        return SSL_TLSEXT_ERR_OK
    }
