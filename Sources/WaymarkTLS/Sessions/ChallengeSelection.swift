internal import CWaymarkOpenSSL

/// Reads the beginning of a handshake, before anything is chosen: chooses the challenge's certificate for clients that
/// want to see it.
enum ChallengeSelection {
    /// Has OpenSSL call it for sessions of this context, as long as the challenges live.
    static func install(_ challenges: ChallengeCertificates, in context: OpaquePointer) {
        // unsafe because an address is stored without a reference; the table retains the challenges and is retained by
        // each of its sessions.
        unsafe SSL_CTX_set_client_hello_cb(
            context, chooseChallengeContext, Unmanaged.passUnretained(challenges).toOpaque())
    }

    /// Whether the client offers `acme-tls/1` alone: a list of one name, with the lengths of both (RFC 7301 section 3.1).
    fileprivate static func wantsChallenge(_ session: OpaquePointer) -> Bool {
        // unsafe because the extension is read within the count that OpenSSL reports.
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard
            unsafe SSL_client_hello_get0_ext(
                session, UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation), &start, &count) == 1
        else { return false }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        let name = unsafe UnsafeBufferPointer(
            start: ChallengeContext.protocolName.utf8Start, count: ChallengeContext.protocolName.utf8CodeUnitCount)
        guard bytes.count == name.count + 3, unsafe bytes[0] == 0, unsafe Int(bytes[1]) == name.count + 1,
            unsafe Int(bytes[2]) == name.count
        else { return false }
        return unsafe bytes[3...].elementsEqual(name)
    }

    /// The host that the client names: a list of one name of the type 0 (RFC 6066 section 3).
    fileprivate static func host(_ session: OpaquePointer) -> String? {
        // unsafe because the extension is read within the count that OpenSSL reports.
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(session, UInt32(TLSEXT_TYPE_server_name), &start, &count) == 1 else {
            return nil
        }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        guard bytes.count > 5, unsafe bytes[2] == 0, unsafe Int(bytes[3]) << 8 | Int(bytes[4]) == bytes.count - 5 else {
            return nil
        }
        return unsafe CertificateNames.normalized(bytes[5...])
    }
}

private let chooseChallengeContext:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32 = {
        session, _, argument in
        // unsafe because the address is that of the challenges, which the session's table retains.
        guard let session = unsafe session, let argument = unsafe argument else { return SSL_CLIENT_HELLO_SUCCESS }
        let challenges = unsafe Unmanaged<ChallengeCertificates>.fromOpaque(argument).takeUnretainedValue()
        guard !challenges.isEmpty, unsafe ChallengeSelection.wantsChallenge(session),
            let host = unsafe ChallengeSelection.host(session), let context = challenges.context(for: host)
        else { return SSL_CLIENT_HELLO_SUCCESS }
        return unsafe context.install(in: session) ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_ERROR
    }
