import WaymarkMetrics

/// TLS metrics for `/metrics` as plain values, because the site does not depend on the TLS implementation.
package struct TLSMetrics: Sendable {
    /// Completed handshakes of one kind.
    package struct Handshakes: Sendable {
        /// `1.2` or `1.3`.
        package let version: String
        /// Whether the client resumed an earlier session.
        package let isResumed: Bool
        package let count: Int

        package init(version: String, isResumed: Bool, count: Int) {
            self.version = version
            self.isResumed = isResumed
            self.count = count
        }
    }

    /// Failed handshakes for one reason.
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
        /// Unix time in seconds.
        package let expiry: Int64
        /// The expiry of the stapled OCSP response; nil if there is none.
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

extension TLSMetrics {
    static let families: [MetricFamily<TLSMetrics>] = [
        MetricFamily(
            "waymark_tls_handshakes_total", .counter,
            "Complete TLS handshakes by version, and whether a ticket saved most of the work."
        ) { metrics in
            metrics.handshakes.map {
                MetricSample(
                    $0.count,
                    [MetricLabel("version", $0.version), MetricLabel("kind", $0.isResumed ? "resumed" : "full")])
            }
        },
        .counters(
            "waymark_tls_handshake_failures_total", by: "reason", "Connections that came to no TLS session, by reason."
        ) { $0.failures.map { ($0.reason, $0.count) } },
        .gauges(
            "waymark_tls_certificate_expiry_timestamp_seconds", by: "certificate",
            "When a certificate expires, in seconds since 1970."
        ) { $0.certificates.map { ($0.file, Int($0.expiry)) } },
        .gauges(
            "waymark_tls_ocsp_staple_expiry_timestamp_seconds", by: "certificate",
            "When the OCSP response for a certificate expires, in seconds since 1970."
        ) { metrics in
            metrics.certificates.compactMap { certificate in
                guard let expiry = certificate.stapleExpiry, expiry != .max else { return nil }
                return (certificate.file, Int(expiry))
            }
        },
    ]
}
