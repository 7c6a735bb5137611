/// What `/metrics` says about TLS, as plain values: the site knows nothing of sessions and certificates.
package struct TLSFigures: Sendable {
    /// Complete handshakes of one kind.
    package struct Handshakes: Sendable {
        /// `1.2` or `1.3`.
        package let version: String
        /// Whether the client continued an earlier session.
        package let isResumed: Bool
        package let count: Int

        package init(version: String, isResumed: Bool, count: Int) {
            self.version = version
            self.isResumed = isResumed
            self.count = count
        }
    }

    /// Connections that came to no session for one reason.
    package struct Failures: Sendable {
        /// A word such as `no_common_version`.
        package let reason: String
        package let count: Int

        package init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    /// A certificate in use.
    package struct Certificate: Sendable {
        package let file: String
        /// Seconds since 1970.
        package let expiry: Int64
        /// The same of the OCSP response that is shown with it; nil where there is none.
        package let stapleExpiry: Int64?

        package init(file: String, expiry: Int64, stapleExpiry: Int64?) {
            self.file = file
            self.expiry = expiry
            self.stapleExpiry = stapleExpiry
        }
    }

    package var handshakes: [Handshakes]
    package var failures: [Failures]
    package var certificates: [Certificate]

    package init(handshakes: [Handshakes], failures: [Failures], certificates: [Certificate]) {
        self.handshakes = handshakes
        self.failures = failures
        self.certificates = certificates
    }
}

extension MetricsText {
    mutating func append(_ figures: TLSFigures) {
        let handshakes = "waymark_tls_handshakes_total"
        family(handshakes, .counter, "Complete TLS handshakes by version, and whether a ticket saved most of the work.")
        for entry in figures.handshakes {
            let kind = entry.isResumed ? "resumed" : "full"
            sample(handshakes, labels: "version=\"\(entry.version)\",kind=\"\(kind)\"", entry.count)
        }
        let failures = "waymark_tls_handshake_failures_total"
        family(failures, .counter, "Connections that came to no TLS session, by reason.")
        for entry in figures.failures { sample(failures, labels: "reason=\"\(entry.reason)\"", entry.count) }
        let expiry = "waymark_tls_certificate_expiry_timestamp_seconds"
        family(expiry, .gauge, "When a certificate expires, in seconds since 1970.")
        for certificate in figures.certificates {
            sample(expiry, labels: "certificate=\"\(Self.escaped(certificate.file))\"", Int(certificate.expiry))
        }
        let staples = figures.certificates.filter { ($0.stapleExpiry ?? .max) != .max }
        guard !staples.isEmpty else { return }
        let stapleExpiry = "waymark_tls_ocsp_staple_expiry_timestamp_seconds"
        family(stapleExpiry, .gauge, "When the OCSP response for a certificate expires, in seconds since 1970.")
        for certificate in staples {
            sample(
                stapleExpiry, labels: "certificate=\"\(Self.escaped(certificate.file))\"",
                Int(certificate.stapleExpiry ?? 0))
        }
    }

    /// A label's value as the format has it: a path may hold anything.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
