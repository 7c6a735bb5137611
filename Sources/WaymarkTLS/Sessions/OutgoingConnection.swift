internal import CWaymarkOpenSSL

/// An outgoing connection of this program to a server, in plain text or over TLS. Over TLS the server's certificate
/// must be valid for the host, under an authority of the system, of the file in the environment variable
/// `SSL_CERT_FILE`, or of a file that replaces both.
///
/// Every call blocks, until the timeout set at the start expires: do not use it on an event loop or the thread pool
/// for tasks.
/// `@safe` because OpenSSL's objects are owned: freed in `deinit` and never exposed.
@safe
package final class OutgoingConnection {
    package enum Failure: Error, Sendable, Equatable {
        /// No address of the host accepts the connection.
        case unreachable
        /// The handshake failed or the certificate was rejected; with OpenSSL's message.
        case encryption(String)
        /// The other end closed the connection unexpectedly.
        case broken
        /// The timeout expired.
        case timeout
    }

    /// Milliseconds between two checks of the clock.
    private static let nap: UInt32 = 20

    private let socket: OpaquePointer
    private let session: OpaquePointer?
    /// In seconds since 1970.
    private var deadline: Int

    /// Connects, and performs the handshake.
    ///
    /// - Parameters:
    ///   - host: a name, or an address; IPv6 in brackets.
    ///   - patience: timeout for all use of the connection, in seconds; see `extendDeadline(by:)`.
    ///   - address: where to connect instead of the host's addresses; IPv6 in brackets.
    ///   - authority: the path of a PEM file with the only authorities to trust. Default: those of the system.
    package init(
        host: String, port: Int, isSecure: Bool, patience: Int, address: String? = nil, authority: String? = nil
    ) throws(Failure) {
        OpenSSLError.clear()
        deadline = Int(UnixTime.now) + patience
        // unsafe because these are C objects: owned by this object once it is initialized, freed here otherwise.
        guard let socket = unsafe BIO_new_connect("\(address ?? host):\(port)") else { throw .unreachable }
        _ = unsafe BIO_ctrl(socket, BIO_C_SET_NBIO, 1, nil)
        do throws(Failure) {
            try unsafe Self.connect(socket, until: deadline)
        } catch {
            unsafe BIO_free_all(socket)
            OpenSSLError.clear()
            throw error
        }
        unsafe self.socket = socket
        guard isSecure else {
            unsafe session = nil
            return
        }
        let session: OpaquePointer
        do throws(Failure) {
            unsafe session = try Self.makeSession(host, authority)
        } catch {
            unsafe BIO_free_all(socket)
            OpenSSLError.clear()
            throw error
        }
        unsafe SSL_set_bio(session, socket, socket)
        unsafe self.session = session
        unsafe try shakeHands(session)
    }

    /// A connection in plain text over a connected socket, which belongs to it from now on.
    ///
    /// - Parameter descriptor: non-blocking.
    package init(adopting descriptor: Int32, patience: Int) throws(Failure) {
        deadline = Int(UnixTime.now) + patience
        // unsafe because this is a C object, owned by this object.
        guard let socket = unsafe BIO_new_socket(descriptor, BIO_CLOSE) else { throw .unreachable }
        unsafe self.socket = socket
        unsafe session = nil
    }

    /// Tries the host's addresses in order. OpenSSL's own loop would retry one that refuses until the timeout.
    private static func connect(_ socket: OpaquePointer, until deadline: Int) throws(Failure) {
        // unsafe because a C object is used that the caller owns.
        while unsafe BIO_ctrl(socket, BIO_C_DO_STATE_MACHINE, 0, nil) != 1 {
            guard unsafe BIO_test_flags(socket, BIO_FLAGS_SHOULD_RETRY) != 0 else { throw .unreachable }
            guard unsafe BIO_wait(socket, deadline, nap) == 1 else { throw .timeout }
        }
    }

    deinit {
        // unsafe because C objects are freed that nothing else owns; the session owns the socket.
        if let session = unsafe session { unsafe SSL_free(session) } else { unsafe BIO_free_all(socket) }
        OpenSSLError.clear()
    }

    /// A session that sends the host name and accepts only a certificate for it.
    private static func makeSession(_ host: String, _ authority: String?) throws(Failure) -> OpaquePointer {
        // unsafe because these are C objects; the session retains the context, whose own reference is released here.
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw .encryption("out of memory") }
        defer { unsafe SSL_CTX_free(context) }
        guard unsafe CWaymarkOpenSSL_setProtocolVersions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1 else {
            throw .encryption(OpenSSLError.take() ?? "out of memory")
        }
        if let authority {
            OpenSSLError.clear()
            guard unsafe SSL_CTX_load_verify_file(context, authority) == 1 else {
                let reason = OpenSSLError.take() ?? "unknown reason"
                throw .encryption("the authority's file \(authority) can't be read (\(reason))")
            }
        } else {
            _ = unsafe SSL_CTX_set_default_verify_paths(context)
        }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        guard let session = unsafe SSL_new(context) else { throw .encryption("out of memory") }
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let isBound: Bool
        if let address = unsafe a2i_IPADDRESS(name) {
            unsafe ASN1_STRING_free(address)
            isBound = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name) == 1
        } else {
            // unsafe because a pointer is lent, and C copies the name during the call.
            let isNamed = unsafe name.withCString { name in
                unsafe SSL_ctrl(
                    session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: name)) == 1
            }
            isBound = unsafe isNamed && SSL_set1_host(session, name) == 1
        }
        guard isBound else {
            unsafe SSL_free(session)
            throw .encryption(OpenSSLError.take() ?? "out of memory")
        }
        let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
        _ = unsafe SSL_set_alpn_protos(session, protocols, UInt32(protocols.count))
        unsafe SSL_set_connect_state(session)
        return unsafe session
    }

    private func shakeHands(_ session: OpaquePointer) throws(Failure) {
        while true {
            OpenSSLError.clear()
            // unsafe because C objects are used that are owned.
            let result = unsafe SSL_do_handshake(session)
            if result == 1 { return }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: try wait()
            default:
                let verdict = unsafe SSL_get_verify_result(session)
                if verdict != Int(X509_V_OK), let text = unsafe X509_verify_cert_error_string(verdict) {
                    throw .encryption(unsafe String(cString: text))
                }
                throw .encryption(OpenSSLError.take() ?? "the connection ended in the handshake")
            }
        }
    }

    /// Starts the timeout again, for the next exchange on the same connection.
    package func extendDeadline(by patience: Int) { deadline = Int(UnixTime.now) + patience }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8]) throws(Failure) {
        var offset = 0
        while offset < bytes.count {
            OpenSSLError.clear()
            var count = 0
            // unsafe because a pointer to the unsent bytes is lent for the call, with their bounds.
            let result = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
                guard let session = unsafe session else {
                    return unsafe BIO_write_ex(socket, rest.baseAddress, rest.count, &count)
                }
                return unsafe SSL_write_ex(session, rest.baseAddress, rest.count, &count)
            }
            if result == 1 { offset += count } else if try !mayGoOn(result) { throw .broken }
        }
    }

    /// The next received bytes; empty at the end.
    ///
    /// - Parameter limit: maximum number of bytes, at least 1.
    package func receive(atMost limit: Int = 65_536) throws(Failure) -> [UInt8] {
        while true {
            OpenSSLError.clear()
            var result: Int32 = 0
            // Not zeroed before, which would take longer than all else. unsafe because C writes into the array's memory, whose size is
            // passed, and says how much of it it has written.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                if let session = unsafe session {
                    unsafe result = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
                } else {
                    unsafe result = BIO_read_ex(socket, buffer.baseAddress, buffer.count, &count)
                }
                if result != 1 { count = 0 }
            }
            if result == 1 { return bytes }
            if try !mayGoOn(result) { return [] }
        }
    }

    /// Waits if the call must be retried; false at the end.
    private func mayGoOn(_ result: Int32) throws(Failure) -> Bool {
        // unsafe because C objects are used that are owned.
        if let session = unsafe session {
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: try wait()
            case SSL_ERROR_ZERO_RETURN: return false
            default: throw .broken
            }
        } else if unsafe BIO_test_flags(socket, BIO_FLAGS_SHOULD_RETRY) != 0 {
            try wait()
        } else if unsafe BIO_ctrl(socket, BIO_CTRL_EOF, 0, nil) == 1 {
            return false
        } else {
            throw .broken
        }
        return true
    }

    private func wait() throws(Failure) {
        // unsafe because a C object is used that is owned.
        guard unsafe BIO_wait(socket, deadline, Self.nap) == 1 else { throw .timeout }
    }
}
