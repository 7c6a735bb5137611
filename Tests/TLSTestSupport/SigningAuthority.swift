import CWaymarkOpenSSL

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An authority in this process that signs certificate requests, valid for any time: quick, and without files.
///
/// `@unchecked Sendable` because OpenSSL counts references atomically, and nothing changes the objects after `init`.
package final class SigningAuthority: @unchecked Sendable {
    private let key: OpaquePointer
    private let certificate: OpaquePointer

    package init() {
        key = CWaymarkOpenSSL_generateP256()!
        certificate = X509_new()!
        Self.fill(certificate, name: "signing authority", key: key, from: -86_400, to: 86_400 * 365, now: time(nil))
        X509_set_issuer_name(certificate, X509_get_subject_name(certificate))
        Self.add(NID_basic_constraints, "critical,CA:TRUE", to: certificate, issuer: certificate)
        Self.add(NID_subject_key_identifier, "hash", to: certificate, issuer: certificate)
        X509_sign(certificate, key, EVP_sha256())
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// The chain for a request in DER; nil if the request can't be read or its signature is wrong.
    ///
    /// - Parameters:
    ///   - start: seconds since 1970.
    ///   - names: instead of those of the request.
    ///   - hasForeignKey: signs another key than the request's.
    package func chain(
        for request: [UInt8], from start: Int64, to end: Int64, names: [String]? = nil, hasForeignKey: Bool = false
    ) -> [UInt8]? {
        let parsed = request.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_X509_REQ(nil, &position, buffer.count)
        }
        guard let parsed else { return nil }
        defer { X509_REQ_free(parsed) }
        guard let subjectKey = X509_REQ_get0_pubkey(parsed), X509_REQ_verify(parsed, subjectKey) == 1,
            let leaf = X509_new()
        else { return nil }
        defer { X509_free(leaf) }
        let other = CWaymarkOpenSSL_generateP256()!
        defer { EVP_PKEY_free(other) }
        Self.fill(
            leaf, name: "issued", key: hasForeignKey ? other : subjectKey, from: Int(start), to: Int(end), now: 0)
        X509_set_issuer_name(leaf, X509_get_subject_name(certificate))
        Self.add(NID_authority_key_identifier, "keyid", to: leaf, issuer: certificate)
        if let names {
            let text = names.map { "DNS:\($0)" }.joined(separator: ",")
            Self.add(NID_subject_alt_name, text, to: leaf, issuer: certificate)
        } else if let list = X509_REQ_get_extensions(parsed) {
            for index in 0..<OPENSSL_sk_num(list) {
                X509_add_ext(leaf, OpaquePointer(OPENSSL_sk_value(list, index)), -1)
            }
            OPENSSL_sk_pop_free(list) { X509_EXTENSION_free($0.map { OpaquePointer($0) }) }
        }
        X509_sign(leaf, key, EVP_sha256())
        return Self.pem(leaf) + Self.pem(certificate)
    }

    private static func fill(
        _ certificate: OpaquePointer, name: String, key: OpaquePointer, from start: Int, to end: Int, now: Int
    ) {
        X509_set_version(certificate, 2)
        let serial = BN_new()
        BN_rand(serial, 127, 0, 0)
        BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate))
        BN_free(serial)
        ASN1_TIME_set(X509_getm_notBefore(certificate), now + start)
        ASN1_TIME_set(X509_getm_notAfter(certificate), now + end)
        X509_NAME_add_entry_by_NID(
            X509_get_subject_name(certificate), NID_commonName, MBSTRING_ASC, name, -1, -1, 0)
        X509_set_pubkey(certificate, key)
    }

    private static func add(_ type: Int32, _ value: String, to certificate: OpaquePointer, issuer: OpaquePointer) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        guard let member = X509V3_EXT_nconf_nid(nil, &context, type, value) else { return }
        X509_add_ext(certificate, member, -1)
        X509_EXTENSION_free(member)
    }

    private static func pem(_ certificate: OpaquePointer) -> [UInt8] {
        let file = BIO_new(BIO_s_mem())
        defer { BIO_free(file) }
        PEM_write_bio_X509(file, certificate)
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = BIO_read(file, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }
}
