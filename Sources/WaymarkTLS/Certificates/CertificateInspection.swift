internal import CWaymarkOpenSSL

/// Reports all faults of a server's certificate separately, whereas a client that rejects it reports only the first.
///
/// It connects and blocks: do not use it on an event loop.
package enum CertificateInspection {
    package enum Fault: Sendable, Equatable {
        /// It has no chain to an authority that this machine trusts; with OpenSSL's message.
        case untrusted(String)
        /// It is valid for these names only.
        case otherNames([String])
        /// It expired at this time, in seconds since 1970.
        case expired(Int64)
        /// It becomes valid at this time, in seconds since 1970.
        case notYetValid(Int64)
    }

    package enum Outcome: Sendable, Equatable {
        /// Without trust problems if `faults` is empty.
        case presented(PresentedCertificate, faults: [Fault])
        /// The server was reached, but the handshake failed; with the reason if known.
        case noHandshake(String?)
        case notReached
    }

    /// Connects and inspects the certificate. Trusts the authorities of the system, or of the file in the environment
    /// variable `SSL_CERT_FILE`.
    ///
    /// - Parameters:
    ///   - host: a name, or an address; IPv6 in brackets.
    ///   - timeout: of connecting and of the handshake, in seconds each.
    package static func inspect(host: String, port: Int, timeout: Int = 10) -> Outcome {
        OpenSSLError.clear()
        // unsafe because these are C objects: each is freed here, except for the connection, which the session owns.
        guard let connection = unsafe BIO_new_connect("\(host):\(port)") else { return .notReached }
        _ = unsafe BIO_ctrl(connection, BIO_C_SET_NBIO, 1, nil)
        guard unsafe BIO_do_connect_retry(connection, Int32(timeout), 20) == 1,
            let context = unsafe SSL_CTX_new(TLS_client_method())
        else {
            unsafe BIO_free_all(connection)
            return .notReached
        }
        defer { unsafe SSL_CTX_free(context) }
        guard let session = unsafe SSL_new(context) else {
            unsafe BIO_free_all(connection)
            return .notReached
        }
        unsafe SSL_set_bio(session, connection, connection)
        defer { unsafe SSL_free(session) }
        unsafe SSL_set_connect_state(session)
        let address = unsafe a2i_IPADDRESS(unbracketed(host))
        if let address = unsafe address {
            unsafe ASN1_STRING_free(address)
        } else {
            unsafe name(host, in: session)
        }
        guard unsafe shakeHands(session, connection, timeout) else { return .noHandshake(OpenSSLError.take()) }
        guard let leaf = unsafe SSL_get1_peer_certificate(session) else { return .noHandshake(nil) }
        defer { unsafe X509_free(leaf) }
        let chain = unsafe SSL_get_peer_cert_chain(session)
        return unsafe .presented(
            PresentedCertificate(leaf, chain: chain),
            faults: faults(of: leaf, chain, host: unbracketed(host), isAddress: address != nil))
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Sends the host name to the server (SNI).
    private static func name(_ host: String, in session: OpaquePointer) {
        // unsafe because a pointer is lent, and C copies the name during the call.
        unsafe host.withCString { name in
            _ = unsafe SSL_ctrl(
                session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                UnsafeMutableRawPointer(mutating: name))
        }
    }

    private static func shakeHands(_ session: OpaquePointer, _ connection: OpaquePointer, _ timeout: Int) -> Bool {
        let end = Int(UnixTime.now) + timeout
        while true {
            // unsafe because C objects are used that the caller owns.
            let result = unsafe SSL_do_handshake(session)
            if result == 1 { return true }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                guard unsafe BIO_wait(connection, end, 20) == 1 else { return false }
            default: return false
            }
        }
    }

    private static func faults(
        of leaf: OpaquePointer, _ chain: OpaquePointer?, host: String, isAddress: Bool
    ) -> [Fault] {
        var faults: [Fault] = []
        // Ignores the validity period, which is a separate fault. unsafe because C objects are read that the caller
        // owns.
        let reason = unsafe refusal(of: leaf, chain, flags: UInt(X509_V_FLAG_NO_CHECK_TIME))
        if let reason { faults.append(.untrusted(reason)) }
        let isNamed =
            unsafe isAddress
            ? X509_check_ip_asc(leaf, host, 0) == 1 : X509_check_host(leaf, host, host.utf8.count, 0, nil) == 1
        if !isNamed { faults.append(.otherNames(unsafe CertificateNames.read(leaf))) }
        let now = UnixTime.now
        if let end = unsafe UnixTime.seconds(X509_get0_notAfter(leaf)), end < now { faults.append(.expired(end)) }
        if let start = unsafe UnixTime.seconds(X509_get0_notBefore(leaf)), start > now {
            faults.append(.notYetValid(start))
        }
        // The remaining case: a certificate of an authority has expired.
        if faults.isEmpty, let reason = unsafe refusal(of: leaf, chain, flags: 0) { faults.append(.untrusted(reason)) }
        return faults
    }

    /// Why there is no valid chain to a trusted authority; nil if there is one.
    private static func refusal(of leaf: OpaquePointer, _ chain: OpaquePointer?, flags: UInt) -> String? {
        // unsafe because these are C objects, freed here.
        guard let store = unsafe X509_STORE_new() else { return nil }
        defer { unsafe X509_STORE_free(store) }
        _ = unsafe X509_STORE_set_default_paths(store)
        guard let check = unsafe X509_STORE_CTX_new() else { return nil }
        defer { unsafe X509_STORE_CTX_free(check) }
        defer { OpenSSLError.clear() }
        guard unsafe X509_STORE_CTX_init(check, store, leaf, chain) == 1 else { return nil }
        _ = unsafe X509_STORE_CTX_set_default(check, "ssl_server")
        unsafe X509_STORE_CTX_set_flags(check, flags)
        guard unsafe X509_verify_cert(check) != 1 else { return nil }
        let error = unsafe X509_STORE_CTX_get_error(check)
        guard let text = unsafe X509_verify_cert_error_string(Int(error)) else { return "no chain of trust" }
        return unsafe String(cString: text)
    }
}

/// Times in seconds since 1970, used for comparison and output.
enum UnixTime {
    /// The current time.
    static var now: Int64 { CWaymarkOpenSSL_now() }

    /// A certificate's time; nil if it is invalid.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        // unsafe because C objects are read, and the epoch's is freed here.
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
