import WaymarkACME
import WaymarkAPI
import WaymarkLinks
import WaymarkMetrics
import WaymarkSite
import WaymarkTLS

/// What the site and its metrics show of the listeners' certificates.
struct ServedDomains: DomainCertificates {
    let certificates: ListenerCertificates
    /// Nil: no authority is configured.
    let renewal: CertificateRenewal?
    let additionalHosts: [String]

    func statuses(of hosts: [String]) -> [DomainStatus] {
        let table = certificates.store.current
        let issued = Dictionary((renewal?.statuses ?? []).map { ($0.host, $0) }) { first, _ in first }
        return hosts.map { host in
            if let entry = table.entry(for: host) {
                return DomainStatus(
                    certificate: .init(
                        source: "file", since: Self.text(entry.start), until: Self.text(entry.expiry), renewsAt: nil))
            }
            guard let status = issued[host] else { return DomainStatus() }
            return DomainStatus(
                certificate: status.certificate.map {
                    .init(
                        source: "acme", since: Self.text($0.since), until: Self.text($0.until),
                        renewsAt: Self.text($0.renewsAt))
                },
                problem: status.problem.map {
                    .init(at: Self.text($0.at), detail: $0.detail, nextAttempt: $0.nextAttempt.map(Self.text))
                })
        }
    }

    /// - Parameter seconds: Since 1970.
    private static func text(_ seconds: Int64) -> String { Timestamp(seconds: seconds).rfc3339 }

    func keyAuthorization(for token: String, at host: String) async -> String? {
        await renewal?.keyAuthorization(token: token, host: host)
    }

    func revokeCertificate(of host: String, reason: WaymarkSite.RevocationReason) async -> RevocationOutcome {
        guard let renewal, renewal.statuses.contains(where: { $0.host == host && $0.certificate != nil }) else {
            return .unknown
        }
        do throws(ACMEError) {
            try await renewal.revoke(host, reason: WaymarkACME.RevocationReason(reason))
            return .revoked
        } catch {
            return .failed(error.detail)
        }
    }
}

extension WaymarkACME.RevocationReason {
    fileprivate init(_ reason: WaymarkSite.RevocationReason) {
        self =
            switch reason {
            case .unspecified: .unspecified
            case .keyCompromise: .keyCompromise
            case .superseded: .superseded
            case .cessationOfOperation: .cessationOfOperation
            }
    }
}

extension CertificateRenewal {
    var families: [MetricFamily<Void>] {
        [
            .counters(
                "waymark_acme_orders_total", by: "host", "Orders of certificates that this server has begun, by host."
            ) { self.counts(\.orders) },
            .counters(
                "waymark_acme_failures_total", by: "host",
                "Attempts of this server that brought no certificate, by host."
            ) { self.counts(\.failures) },
            .counters(
                "waymark_acme_renewals_total", by: "host", "Certificates that this server has obtained, by host."
            ) { self.counts(\.renewals) },
            .gauges(
                "waymark_acme_renewal_timestamp_seconds", by: "host",
                "When the certificate of a host is to be renewed, in seconds since 1970."
            ) {
                self.statuses.compactMap { status in status.certificate.map { (status.host, Int($0.renewsAt)) } }
            },
        ]
    }

    private func counts(_ count: KeyPath<RenewalCounts, Int>) -> [(String, Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value[keyPath: count]) }
    }
}
