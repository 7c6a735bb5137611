internal import CWaymarkOpenSSL

/// The client's side of TLS, by OpenSSL's own means: memory BIOs, whose bytes the test moves.
package final class TestClient {
    package struct Settings: Sendable {
        package var minimum: Int32
        package var maximum: Int32
        package var serverName: String?
        package var protocols: [String]
        /// For TLS 1.2, as OpenSSL spells lists.
        package var ciphers: String?
        /// Signature algorithms that the client accepts, as OpenSSL spells lists.
        package var signatures: String?
        /// Asks for what the certificate's issuer says of it.
        package var wantsStaple: Bool

        package init(
            minimum: Int32 = TLS1_2_VERSION, maximum: Int32 = TLS1_3_VERSION, serverName: String? = nil,
            protocols: [String] = [], ciphers: String? = nil, signatures: String? = nil, wantsStaple: Bool = false
        ) {
            self.minimum = minimum
            self.maximum = maximum
            self.serverName = serverName
            self.protocols = protocols
            self.ciphers = ciphers
            self.signatures = signatures
            self.wantsStaple = wantsStaple
        }
    }

    package enum Outcome: Equatable { case done, wantsMore, failed(String) }

    private let context: OpaquePointer
    private let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    package init(_ settings: Settings = Settings(), resuming ticket: Ticket? = nil) {
        let context = SSL_CTX_new(TLS_client_method())!
        // Old versions and ciphers are to be refused by the server, not by the client itself.
        SSL_CTX_set_security_level(context, 0)
        _ = CWaymarkOpenSSL_setProtocolVersions(context, settings.minimum, settings.maximum)
        if let ciphers = settings.ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
        session = SSL_new(context)!
        input = BIO_new(BIO_s_mem())!
        output = BIO_new(BIO_s_mem())!
        self.context = context
        // A memory BIO that runs dry means "later", not the end.
        BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        SSL_set_bio(session, input, output)
        SSL_set_connect_state(session)
        if let name = settings.serverName {
            _ = name.withCString {
                SSL_ctrl(
                    session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: $0))
            }
        }
        if !settings.protocols.isEmpty {
            let list = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            SSL_set_alpn_protos(session, list, UInt32(list.count))
        }
        if let signatures = settings.signatures {
            _ = signatures.withCString {
                SSL_ctrl(session, SSL_CTRL_SET_SIGALGS_LIST, 0, UnsafeMutableRawPointer(mutating: $0))
            }
        }
        if settings.wantsStaple {
            _ = SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, Int(TLSEXT_STATUSTYPE_ocsp), nil)
        }
        if let ticket { SSL_set_session(session, ticket.pointer) }
    }

    deinit {
        // Otherwise OpenSSL takes the connection for a broken one, and the session's ticket with it.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
        SSL_CTX_free(context)
    }

    // MARK: Ciphertext

    package func take(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        BIO_write(input, bytes, Int32(bytes.count))
    }

    /// What is to be sent.
    package func ciphertext() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = BIO_read(output, &bytes, Int32(bytes.count))
        return count > 0 ? Array(bytes[..<Int(count)]) : []
    }

    // MARK: Steps

    package func handshake() -> Outcome {
        ERR_clear_error()
        return outcome(SSL_do_handshake(session))
    }

    package func write(_ bytes: [UInt8]) -> Outcome {
        ERR_clear_error()
        var count = 0
        return outcome(SSL_write_ex(session, bytes, bytes.count, &count))
    }

    /// What has come, as plaintext; empty where nothing is complete.
    package func read() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var count = 0
        ERR_clear_error()
        while SSL_read_ex(session, &buffer, buffer.count, &count) == 1 { all += buffer[..<count] }
        return all
    }

    package func close() { SSL_shutdown(session) }

    package func renegotiate() { SSL_renegotiate(session) }

    package func updateKeys() { SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) }

    private func outcome(_ result: Int32) -> Outcome {
        if result == 1 { return .done }
        if SSL_get_error(session, result) == SSL_ERROR_WANT_READ { return .wantsMore }
        return .failed(ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "")
    }

    // MARK: What was agreed

    /// The server has sent close_notify.
    package var isClosedByServer: Bool { SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 }
    package var isResumed: Bool { SSL_session_reused(session) == 1 }
    package var version: Int32 { SSL_version(session) }
    package var cipher: String { String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(session))) }
    package var canRenegotiateSecurely: Bool { SSL_ctrl(session, SSL_CTRL_GET_RI_SUPPORT, 0, nil) == 1 }
    package var maximumEarlyData: UInt32 { SSL_SESSION_get_max_early_data(SSL_get_session(session)) }

    package var chosenProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(session, &bytes, &count)
        guard let bytes, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// What the server has shown with its certificate, in DER; nil where there was nothing.
    package var staple: [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = withUnsafeMutablePointer(to: &bytes) {
            SSL_ctrl(session, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, UnsafeMutableRawPointer($0))
        }
        guard let bytes, count > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The server's certificate in PEM form.
    package var shownCertificate: String? {
        guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        let file = BIO_new(BIO_s_mem())
        defer { BIO_free(file) }
        PEM_write_bio_X509(file, certificate)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = BIO_read(file, &bytes, Int32(bytes.count))
        return count > 0 ? String(decoding: bytes[..<Int(count)], as: UTF8.self) : nil
    }

    /// The common name of the server's certificate.
    package var shownName: String? {
        guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        var text = [CChar](repeating: 0, count: 256)
        let count = X509_NAME_get_text_by_NID(
            X509_get_subject_name(certificate), NID_commonName, &text, Int32(text.count))
        return count < 0 ? nil : String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The session, for another client to continue. With TLS 1.3 only after something has been read.
    package func ticket() -> Ticket { Ticket(SSL_get1_session(session)) }

    package final class Ticket {
        let pointer: OpaquePointer

        fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { SSL_SESSION_free(pointer) }
    }
}
