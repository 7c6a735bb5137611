internal import CWaymarkOpenSSL

/// Why a handshake failed. The raw values are the names in metrics.
package enum TLSFailure: String, Sendable, CaseIterable {
    /// The client sent plain HTTP.
    case plaintext = "plain_http"
    /// No protocol version in common.
    case version = "no_common_version"
    /// No cipher, group or signature algorithm in common.
    case cipher = "no_common_cipher"
    /// The client offered protocols by ALPN, and `http/1.1` was not among them.
    case applicationProtocol = "no_common_protocol"
    /// The client named a host without a certificate, and such clients are rejected.
    case serverName = "unknown_name"
    /// The client ended the handshake with an alert, for example because it does not trust the certificate.
    case alert = "client_alert"
    /// The client disconnected.
    case closed = "client_closed"
    /// The handshake timed out, or the server was stopped.
    case unfinished = "unfinished"
    /// The input was not TLS, or violated the protocol.
    case malformed = "malformed"

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The reason for OpenSSL's newest error in a handshake.
    static func newest() -> TLSFailure {
        let error = ERR_peek_last_error()
        guard ERR_GET_LIB(error) == ERR_LIB_SSL else { return .malformed }
        let reason = ERR_GET_REASON(error)
        switch reason {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_UNKNOWN_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH,
            SSL_R_INAPPROPRIATE_FALLBACK:
            return .version
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_GROUPS,
            SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_GROUPS:
            return .cipher
        case SSL_R_NO_APPLICATION_PROTOCOL: return .applicationProtocol
        case SSL_R_CALLBACK_FAILED: return .serverName
        // The peer's alerts are reasons from this offset on, plus the alert's number (RFC 8446 section 6).
        case SSL_AD_REASON_OFFSET..<SSL_AD_REASON_OFFSET + 256: return .alert
        default: return .malformed
        }
    }
}

/// The thread's error queue in OpenSSL.
///
/// It must be empty before each call whose result is checked: an old entry would be mistaken for the new reason.
enum OpenSSLError {
    /// Empties the queue.
    @inline(__always)
    static func clear() {
        ERR_clear_error()
    }

    /// The newest entry as text, such as `no such file or directory`; empties the queue. Nil if there is none.
    static func take() -> String? {
        let error = ERR_peek_last_error()
        ERR_clear_error()
        guard error != 0 else { return nil }
        var text = [UInt8](repeating: 0, count: 256)
        // unsafe because C writes into the array, whose size is passed; C's char and a byte have the same layout.
        unsafe text.withUnsafeMutableBytes { buffer in
            unsafe CWaymarkOpenSSL_describe(
                error, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        let reason = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return reason.isEmpty ? nil : reason.lowercased()
    }
}
