internal import CWaymarkOpenSSL

/// The shared state of all sessions with one set of certificates: OpenSSL's SSL_CTX, configured as in the
/// "intermediate" profile of Mozilla's server guidelines (version 6.0).
///
/// `@unchecked Sendable` because it is immutable once made, and OpenSSL counts references to it atomically.
/// `@safe` because the pointer is owned: freed in `deinit`; sessions have references of their own.
@safe
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The names that each of its certificates is valid for.
    private let names: [Set<String>]
    private let certificates: [Certificate]
    fileprivate let ticketKeys: TicketKeys

    /// Perfect forward secrecy and authenticated encryption only.
    private static let ciphers12 = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")
    private static let ciphers13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// The hybrid with ML-KEM is available from OpenSSL 3.5 on.
    private static let groups = ["X25519MLKEM768:X25519:P-256:P-384", "X25519:P-256:P-384"]
    /// Seconds for which a ticket is valid; its key may be discarded earlier.
    private static let sessionSeconds = 86_400

    /// Nil if OpenSSL rejects the settings or a certificate.
    ///
    /// - Parameters:
    ///   - certificates: at most one of each kind; none for a context from which sessions only start.
    ///   - ticketKeys: for the tickets of its sessions.
    init?(_ certificates: [Certificate], ticketKeys: TicketKeys) {
        OpenSSLError.clear()
        // unsafe because a C object is made and configured; its arguments are literals and objects that it copies or
        // retains.
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return nil }
        unsafe pointer = context
        names = certificates.map { Set($0.names) }
        self.certificates = certificates
        self.ticketKeys = ticketKeys
        let identity = Array("waymark".utf8)
        guard unsafe CWaymarkOpenSSL_setProtocolVersions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
            unsafe SSL_CTX_set_cipher_list(context, Self.ciphers12) == 1,
            unsafe SSL_CTX_set_ciphersuites(context, Self.ciphers13) == 1,
            Self.groups.contains(where: { unsafe CWaymarkOpenSSL_setGroups(context, $0) == 1 }),
            // Tickets of other services with OpenSSL are rejected; all our contexts share one identity and their
            // keys, because a client's permissions don't depend on the certificate.
            unsafe SSL_CTX_set_session_id_context(context, identity, UInt32(identity.count)) == 1,
            unsafe SSL_CTX_set_num_tickets(context, 1) == 1,
            certificates.allSatisfy({ unsafe $0.install(in: context) })
        else { return nil }
        OpenSSLError.clear()
        // No renegotiation, no compression. The server's order of ciphers is used, because AES-128 with SHA-256 costs
        // less than the first choice of many clients; a client that prefers ChaCha20 has no AES in hardware, and gets
        // ChaCha20.
        unsafe CWaymarkOpenSSL_setOptions(context)
        // Among others, uses the chain exactly as in the file: without one OpenSSL would otherwise search for the
        // issuers, and verify signatures, in each handshake.
        unsafe CWaymarkOpenSSL_setModes(context)
        // Sessions are stored in tickets, never in our memory. Early data stays off, which is OpenSSL's default: a
        // replayed request could count a click or redeem twice (RFC 8470 section 3).
        unsafe CWaymarkOpenSSL_setSessionCacheOff(context)
        unsafe SSL_CTX_set_timeout(context, Self.sessionSeconds)
        unsafe SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil)
        // unsafe because an address is stored without a reference, which would be a cycle. Each session retains its table,
        // and the table its contexts.
        unsafe SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        if certificates.contains(where: { $0.staple != nil }) {
            unsafe CWaymarkOpenSSL_setStapleCallback(context, showStaple)
        }
        unsafe CWaymarkOpenSSL_setTicketKeyCallback(context, prepareTicket)
    }

    deinit {
        // unsafe because a C object is released.
        unsafe SSL_CTX_free(pointer)
    }

    /// Whether all certificates of the context are valid for this name, whichever one the client was shown.
    func isValid(for name: String) -> Bool {
        let wildcard = CertificateNames.wildcard(for: name)
        return names.allSatisfy { $0.contains(name) || (wildcard.map($0.contains) ?? false) }
    }

    /// The staple to send with a certificate of this context, unless it has expired.
    fileprivate func staple(for leaf: OpaquePointer) -> [UInt8]? {
        // unsafe because a pointer is passed on, which is only compared.
        guard let staple = certificates.first(where: { unsafe $0.isLeaf(leaf) })?.staple, staple.isCurrent else {
            return nil
        }
        return staple.bytes
    }

    /// Gives the context access to its table, of which it is part, for the SNI callback. Only for contexts of one table:
    /// a session that is switched to another context still calls that of the context it started from.
    ///
    /// The table must outlive all sessions made from it: each session retains it.
    func connect(to table: CertificateTable) {
        // unsafe because an address is stored without a reference, as described above; a reference would be a cycle.
        let address = unsafe Unmanaged.passUnretained(table).toOpaque()
        unsafe CWaymarkOpenSSL_setServerNameCallback(pointer, chooseContext, address)
    }
}

/// ALPN (RFC 7301 section 3.2): `http/1.1`, or the handshake fails. Not called for clients without the extension.
private let chooseProtocol:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
        UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, chosen, chosenCount, offered, offeredCount, _ in
        // unsafe because the client's list is read: length-prefixed names, all within the list's count. The chosen
        // name points into the list, as OpenSSL allows.
        guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let wanted: StaticString = "http/1.1"
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
        var position = 0
        while position < list.count {
            let count = Int(unsafe list[position])
            let start = position + 1
            guard count > 0, start + count <= list.count else { break }
            let name = unsafe UnsafeBufferPointer(rebasing: list[start..<start + count])
            if unsafe name.elementsEqual(UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
            {
                unsafe chosen?.pointee = offered + start
                unsafe chosenCount?.pointee = UInt8(count)
                return SSL_TLSEXT_ERR_OK
            }
            position = start + count
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

/// SNI (RFC 6066 section 3): switches to the certificates of the host that the client names.
private let chooseContext:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32 = {
        session, alert, argument in
        // unsafe because the address is that of the table, which the session retains; the name is NUL-terminated.
        guard let session = unsafe session, let argument = unsafe argument else { return SSL_TLSEXT_ERR_NOACK }
        let table = unsafe Unmanaged<CertificateTable>.fromOpaque(argument).takeUnretainedValue()
        guard let name = unsafe SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else {
            guard table.rejectsUnnamed else { return SSL_TLSEXT_ERR_NOACK }
            unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
        guard let context = unsafe table.context(named: bytes) else {
            guard table.unknownNames == .reject else { return SSL_TLSEXT_ERR_NOACK }
            unsafe alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
        return unsafe SSL_set_SSL_CTX(session, context.pointer) == nil ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_OK
    }

/// Called once the certificate is chosen, for clients that request its OCSP status (RFC 6066 section 8).
private let showStaple: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { session, _ in
    // unsafe because the address is that of a context of the table that the session retains; OpenSSL takes a copy of the
    // bytes.
    guard let session = unsafe session, let context = unsafe SSL_get_SSL_CTX(session),
        let leaf = unsafe SSL_get_certificate(session), let address = unsafe SSL_CTX_get_ex_data(context, 0)
    else { return SSL_TLSEXT_ERR_NOACK }
    guard let staple = unsafe Unmanaged<TLSContext>.fromOpaque(address).takeUnretainedValue().staple(for: leaf) else {
        return SSL_TLSEXT_ERR_NOACK
    }
    let isSet = unsafe CWaymarkOpenSSL_setStaple(session, staple, staple.count) == 1
    return isSet ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
}

private let prepareTicket:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
        Int32
    ) -> Int32 = { session, name, iv, cipher, mac, isEncrypting in
        // unsafe because the address is that of a context of the table that the session retains.
        guard let session = unsafe session, let name = unsafe name, let iv = unsafe iv, let cipher = unsafe cipher,
            let mac = unsafe mac, let address = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), 0)
        else { return -1 }
        let owner = unsafe Unmanaged<TLSContext>.fromOpaque(address).takeUnretainedValue()
        let outcome = unsafe owner.ticketKeys.prepare(
            name: name, iv: iv, cipher: cipher, mac: mac, isEncrypting: isEncrypting == 1)
        // With TLS 1.3 each ticket is for one use (RFC 8446 appendix C.4), so a client that presents one gets a new
        // one. It also acknowledges the end of the client's handshake at once, which its first request may be waiting
        // for.
        return unsafe isEncrypting == 0 && outcome == 1 && SSL_version(session) == TLS1_3_VERSION ? 2 : outcome
    }

/// The treatment of clients that name a host without a certificate. Clients that name none get the first certificate of a
/// file; without files they are rejected, too.
package enum UnknownNames: String, Sendable, CaseIterable {
    /// They get the first certificate, and decide whether to trust it.
    case accept
    /// Their handshake ends with the alert `unrecognized_name` (RFC 6066 section 3).
    case reject
}
