internal import CWaymarkOpenSSL

/// An issuer's signed statement that a certificate is not revoked (RFC 6960), as fetched by the operator: sent to
/// clients that request it until it expires. This program never fetches one.
struct OCSPStaple: Sendable {
    /// DER, sent as read.
    let bytes: [UInt8]
    /// When it expires, in seconds since 1970; never if the issuer sets no time.
    let expiry: Int64

    /// Maximum size read; a response with its responder's certificates takes a few kilobytes.
    private static let sizeLimit = 65_536
    /// Seconds by which the issuer's clock may be ahead.
    private static let clockTolerance: Int64 = 300

    /// Whether clients still accept it.
    var isCurrent: Bool { expiry > UnixTime.now }

    /// Reads a response and validates it against its certificate: it must be about that certificate, signed for its
    /// issuer, with the status "good". An expired one is loaded, but never sent.
    init(path: String, of certificates: borrowing PEMCertificates) throws(PEMError) {
        let bytes = try Self.read(path)
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        // unsafe because C objects are made and read; each is freed on every path.
        let response = unsafe bytes.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_OCSP_RESPONSE(nil, &position, buffer.count)
        }
        guard let response = unsafe response else {
            throw PEMError(reason: "the file holds no OCSP response in DER form")
        }
        defer { unsafe OCSP_RESPONSE_free(response) }
        guard unsafe OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = unsafe OCSP_response_get1_basic(response)
        else { throw PEMError(reason: "the OCSP responder could not answer") }
        defer { unsafe OCSP_BASICRESP_free(basic) }
        guard let issuer = unsafe certificates.issuer else {
            throw PEMError(reason: "to check it, the certificate's file needs the certificate that issued it, too")
        }
        guard unsafe Self.isSigned(basic, by: issuer) else {
            throw PEMError(reason: "it is not signed for the issuer of the certificate")
        }
        let answer = try unsafe Self.answer(in: basic, about: certificates.leaf, from: issuer)
        guard answer.status == V_OCSP_CERTSTATUS_GOOD else {
            throw PEMError(
                reason: answer.status == V_OCSP_CERTSTATUS_REVOKED
                    ? "it says that the certificate is revoked" : "it says that the certificate is unknown")
        }
        guard answer.start <= UnixTime.now + Self.clockTolerance else {
            throw PEMError(reason: "its time has not come yet")
        }
        self.bytes = bytes
        expiry = answer.end
    }

    private static func read(_ path: String) throws(PEMError) -> [UInt8] {
        OpenSSLError.clear()
        // unsafe because a C object is made and freed here, and C writes into the array within its size.
        guard let file = unsafe BIO_new_file(path, "rb") else { throw .unreadable() }
        defer { unsafe BIO_free(file) }
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        var count = 0
        while count < bytes.count {
            var read = 0
            let room = bytes.count - count
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe BIO_read_ex(file, buffer.baseAddress.map { unsafe $0 + count }, room, &read)
            }
            guard result == 1, read > 0 else { break }
            count += read
        }
        guard count <= sizeLimit else { throw PEMError(reason: "the file is larger than \(sizeLimit) bytes") }
        return Array(bytes[..<count])
    }

    /// Signed by the issuer itself, or by a responder that it has issued a certificate for this purpose (RFC 6960
    /// section 4.2.2.2).
    private static func isSigned(_ basic: OpaquePointer, by issuer: OpaquePointer) -> Bool {
        // unsafe because C objects are made and freed here; the issuer is borrowed.
        guard let store = unsafe X509_STORE_new(), let known = unsafe OPENSSL_sk_new_null() else { return false }
        defer {
            unsafe X509_STORE_free(store)
            unsafe OPENSSL_sk_free(known)
        }
        // The issuer is often not a root, and its own chain does not matter here.
        _ = unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        guard unsafe X509_STORE_add_cert(store, issuer) == 1,
            unsafe OPENSSL_sk_push(known, UnsafeRawPointer(issuer)) > 0
        else { return false }
        return unsafe OCSP_basic_verify(basic, known, store, 0) == 1
    }

    private static func answer(
        in basic: OpaquePointer, about leaf: OpaquePointer, from issuer: OpaquePointer
    ) throws(PEMError) -> (status: Int32, start: Int64, end: Int64) {
        // Responders identify certificates by hashes and choose the algorithm: usually SHA-1, which RFC 5019
        // requires.
        for isSHA1 in [true, false] {
            // unsafe because a C object is made, which is freed below.
            guard let identity = unsafe OCSP_cert_to_id(isSHA1 ? EVP_sha1() : EVP_sha256(), leaf, issuer) else {
                continue
            }
            defer { unsafe OCSP_CERTID_free(identity) }
            var status: Int32 = -1
            var reason: Int32 = -1
            var start: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            var end: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            // unsafe because C writes through the pointers; the times belong to the response.
            guard unsafe OCSP_resp_find_status(basic, identity, &status, &reason, nil, &start, &end) == 1 else {
                continue
            }
            return unsafe (
                status, UnixTime.seconds(UnsafePointer(start)) ?? .max, UnixTime.seconds(UnsafePointer(end)) ?? .max
            )
        }
        throw PEMError(reason: "it says nothing about the certificate")
    }
}
