/// A host and its certificate, for operators. Times in seconds since 1970.
package struct CertificateStatus: Sendable, Equatable {
    package struct Certificate: Sendable, Equatable {
        /// The URL of the directory of the authority that issued it.
        package let source: String
        /// From when until when it is valid.
        package let since: Int64
        package let until: Int64
        /// When it is to be renewed.
        package let renewsAt: Int64
    }

    package struct Problem: Sendable, Equatable {
        package let at: Int64
        /// One line.
        package let detail: String
        /// When it is tried again; nil: never, as no certificate can be ordered for this host.
        package let nextAttempt: Int64?
    }

    package let host: String
    package let certificate: Certificate?
    package let problem: Problem?
}

/// Counts since the start of this server.
package struct RenewalCounts: Sendable, Equatable {
    /// Orders that were begun; several for one certificate if a challenge fails.
    package var orders = 0
    /// Attempts that brought no certificate.
    package var failures = 0
    /// Certificates that were issued.
    package var renewals = 0
}
