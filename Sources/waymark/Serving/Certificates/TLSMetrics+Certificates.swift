import WaymarkACME
import WaymarkSite
import WaymarkTLS

extension TLSMetrics {
    /// The current values.
    init(_ certificates: CertificateStore, _ renewal: CertificateRenewal?) {
        let statistics = certificates.statistics
        let issued = (renewal?.statuses ?? []).compactMap { status in
            status.certificate.map { Certificate(file: status.host, expiry: $0.until, stapleExpiry: nil) }
        }
        let versions = [("1.2", statistics.tls12), ("1.3", statistics.tls13)]
        self.init(
            handshakes: versions.flatMap { version, completed in
                [
                    Handshakes(version: version, isResumed: false, count: completed.full),
                    Handshakes(version: version, isResumed: true, count: completed.resumed),
                ]
            },
            failures: TLSFailure.allCases.map { Failures(reason: $0.rawValue, count: statistics[$0]) },
            certificates: certificates.current.entries.map {
                Certificate(file: $0.files.certificate, expiry: $0.expiry, stapleExpiry: $0.stapleExpiry)
            } + issued)
    }
}
