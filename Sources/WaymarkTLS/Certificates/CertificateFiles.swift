/// The paths of a certificate and its private key.
package struct CertificateFiles: Sendable, Hashable {
    /// PEM: the server's certificate first, then the intermediate ones, each issuing the one before it.
    package let certificate: String
    /// PEM, without a passphrase.
    package let privateKey: String
    /// DER: the response of the issuer's OCSP responder, sent to clients that request it (RFC 6066 section 8).
    package let ocspStaple: String?

    package init(certificate: String, privateKey: String, ocspStaple: String? = nil) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.ocspStaple = ocspStaple
    }
}

/// Why certificates can't be used. The description is one line that starts with the file.
package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file with the error.
    package enum Part: Sendable { case certificate, privateKey, ocspStaple }

    package let part: Part
    package let file: String
    package let reason: String
    /// The index of the pair in the configuration, or of the certificate among those in memory, from 0; -1 if the error is
    /// of no certificate.
    package let index: Int

    package var description: String { "\(file): \(reason)" }
}
