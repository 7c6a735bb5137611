import CWaymarkOpenSSL

/// The certificate that a server shows, whether or not it is to be trusted: how long it is valid, and how long its chain
/// is. What is wrong with it is `CertificateInspection`'s to tell.
struct ShownCertificate: Sendable, Equatable {
    /// In seconds since 1970; nil: it is not a valid time.
    var expiry: Int64?
    /// Number of certificates that the server sends, including its own.
    var chainLength: Int
    var isSelfSigned: Bool

    init(expiry: Int64?, chainLength: Int, isSelfSigned: Bool) {
        self.expiry = expiry
        self.chainLength = chainLength
        self.isSelfSigned = isSelfSigned
    }

    /// Connects and reads it; nil if there is no connection or no handshake. Blocks.
    ///
    /// - Parameters:
    ///   - host: a name, or an address; IPv6 in brackets.
    ///   - patience: timeout for connecting and for the handshake, in seconds each.
    init?(host: String, port: Int, patience: Int) {
        // Safety: these are C objects. The session owns the connection once it is set; both, and the context, are freed
        // on every path.
        guard let connection = unsafe BIO_new_connect("\(host):\(port)") else { return nil }
        _ = unsafe BIO_ctrl(connection, BIO_C_SET_NBIO, 1, nil)
        guard unsafe BIO_do_connect_retry(connection, Int32(patience), 20) == 1,
            let context = unsafe SSL_CTX_new(TLS_client_method())
        else {
            unsafe BIO_free_all(connection)
            ERR_clear_error()
            return nil
        }
        defer { unsafe SSL_CTX_free(context) }
        guard let session = unsafe SSL_new(context) else {
            unsafe BIO_free_all(connection)
            return nil
        }
        defer {
            unsafe SSL_free(session)
            ERR_clear_error()
        }
        unsafe SSL_set_bio(session, connection, connection)
        unsafe SSL_set_connect_state(session)
        // Safety: C copies the name during the call.
        unsafe host.withCString { name in
            _ = unsafe SSL_ctrl(
                session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                UnsafeMutableRawPointer(mutating: name))
        }
        guard unsafe Self.shakeHands(session, connection, patience),
            let leaf = unsafe SSL_get1_peer_certificate(session)
        else { return nil }
        defer { unsafe X509_free(leaf) }
        // Safety: the chain is the session's, and is only counted.
        let count = unsafe SSL_get_peer_cert_chain(session).map { unsafe OPENSSL_sk_num($0) } ?? 1
        self.init(
            expiry: unsafe Self.seconds(X509_get0_notAfter(leaf)), chainLength: Int(max(1, count)),
            isSelfSigned: unsafe X509_self_signed(leaf, 0) == 1)
    }

    private static func shakeHands(_ session: OpaquePointer, _ connection: OpaquePointer, _ patience: Int) -> Bool {
        let end = Int(CWaymarkOpenSSL_now()) + patience
        while true {
            // Safety: C objects are used that the caller owns.
            let result = unsafe SSL_do_handshake(session)
            if result == 1 { return true }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                guard unsafe BIO_wait(connection, end, 20) == 1 else { return false }
            default: return false
            }
        }
    }

    /// Seconds since 1970; nil if the time is invalid.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        // Safety: the certificate's time is only read, and the epoch is freed here.
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
