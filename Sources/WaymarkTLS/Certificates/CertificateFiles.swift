/// Where a certificate and its private key are kept.
package struct CertificateFiles: Sendable, Hashable {
    /// PEM: the server's own certificate first, then the intermediate ones, each issuing the one before it.
    package let certificate: String
    /// PEM, without a passphrase.
    package let privateKey: String
    /// DER: what the issuer's OCSP responder says of the certificate, shown to clients that ask (RFC 6066 section 8).
    package let ocspStaple: String?

    package init(certificate: String, privateKey: String, ocspStaple: String? = nil) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.ocspStaple = ocspStaple
    }
}

/// Why certificates can't be used. The description is one line that begins with the file.
package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Which of the files is to blame.
    package enum Part: Sendable { case certificate, privateKey, ocspStaple }

    package let part: Part
    package let file: String
    package let reason: String
    /// The pair's place in what was given, from 0.
    package let index: Int

    package var description: String { "\(file): \(reason)" }
}
