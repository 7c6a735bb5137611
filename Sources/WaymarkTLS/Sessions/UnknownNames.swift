/// What becomes of a client that names a host for which there is no certificate. One that names none at all always gets
/// the first certificate.
package enum UnknownNames: String, Sendable, CaseIterable {
    /// It gets the first certificate, and decides for itself.
    case accept
    /// Its handshake ends with the alert `unrecognized_name` (RFC 6066 section 3).
    case reject
}
