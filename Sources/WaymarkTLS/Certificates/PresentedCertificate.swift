internal import CWaymarkOpenSSL

/// The validity of the certificate that a server presents, and the length of its chain, whether or not it is trusted.
/// `CertificateInspection` reports trust problems.
package struct PresentedCertificate: Sendable, Equatable {
    /// In seconds since 1970; nil if it is not a valid time.
    package let start: Int64?
    /// In seconds since 1970; nil if it is not a valid time.
    package let expiry: Int64?
    /// Number of certificates that the server sends, including its own.
    package let chainLength: Int
    package let isSelfSigned: Bool

    package init(start: Int64?, expiry: Int64?, chainLength: Int, isSelfSigned: Bool) {
        self.start = start
        self.expiry = expiry
        self.chainLength = chainLength
        self.isSelfSigned = isSelfSigned
    }

    /// - Parameters:
    ///   - leaf: the server's own certificate.
    ///   - chain: what the server sends, including the leaf; nil: unknown.
    init(_ leaf: OpaquePointer, chain: OpaquePointer?) {
        // unsafe because C objects are read that the caller owns.
        let count = unsafe chain.map { unsafe OPENSSL_sk_num($0) } ?? 1
        self.init(
            start: unsafe UnixTime.seconds(X509_get0_notBefore(leaf)),
            expiry: unsafe UnixTime.seconds(X509_get0_notAfter(leaf)), chainLength: Int(max(1, count)),
            isSelfSigned: unsafe X509_self_signed(leaf, 0) == 1)
    }
}
