import Foundation
import WaymarkTLS

/// The certificate that a host presents.
enum CertificateCheck {
    /// The longest time before the expiry, in seconds, from which a certificate is a finding.
    static let longestNotice: Int64 = 14 * 86_400

    /// The time before the expiry from which a certificate is a finding, in seconds. ACME renews with a third of the
    /// lifetime left, so with less than a quarter renewal has failed.
    ///
    /// - Parameter lifetime: from start to expiry, in seconds; nil: unknown.
    static func notice(lifetime: Int64?) -> Int64 {
        lifetime.map { min(longestNotice, max(0, $0) / 4) } ?? longestNotice
    }

    enum Observation: Sendable, Equatable {
        case notReached
        case noHandshake(String?)
        /// - Parameter faults: with the trust of this machine.
        case presented(PresentedCertificate, faults: [CertificateInspection.Fault])
    }

    static func findings(_ observation: Observation, now: Int64) -> [DoctorFinding] {
        switch observation {
        case .notReached: return [.skipped(.certificate, "no connection to the host")]
        case .noHandshake(let reason):
            let text = reason.map { " (\($0))" } ?? ""
            return [
                .finding(
                    .certificate, "the TLS handshake failed\(text)",
                    fix: "set tlsListen and certificates or acme, or let the proxy end TLS; see docs/operations/tls.md"
                )
            ]
        case .presented(let certificate, let faults):
            guard faults.isEmpty else { return faults.map { finding($0, certificate) } }
            guard let end = certificate.expiry else { return [.ok(.certificate, "trusted, and valid for the host")] }
            let left = max(0, end - now)
            guard left >= notice(lifetime: certificate.start.map { end - $0 }) else {
                return [
                    .finding(
                        .certificate, "it expires on \(day(end)), in \(duration(left))",
                        fix: "renew it now, and find out why it was not renewed")
                ]
            }
            return [.ok(.certificate, "trusted until \(day(end))")]
        }
    }

    /// Whole days, or hours if there are fewer than two days.
    private static func duration(_ seconds: Int64) -> String {
        seconds >= 2 * 86_400 ? Int(seconds / 86_400).counted("day") : Int(seconds / 3_600).counted("hour")
    }

    private static func finding(
        _ fault: CertificateInspection.Fault, _ certificate: PresentedCertificate
    ) -> DoctorFinding {
        switch fault {
        case .untrusted(let reason):
            if certificate.chainLength == 1, !certificate.isSelfSigned {
                return .finding(
                    .certificate, "the chain is incomplete: the server sends only its own certificate (\(reason))",
                    fix: "serve the certificate with its chain, such as fullchain.pem")
            }
            return .finding(
                .certificate, "this machine does not trust it (\(reason))",
                fix: "use a certificate of a public authority: Apple and Google trust no other")
        case .otherNames(let names):
            let valid =
                names.isEmpty ? "it names no host" : "it is valid for \(names.joined(separator: ", ")) only"
            return .finding(.certificate, valid, fix: "get a certificate that names this host")
        case .expired(let moment):
            return .finding(.certificate, "it expired on \(day(moment))", fix: "renew it")
        case .notYetValid(let moment):
            return .finding(
                .certificate, "it is not valid before \(day(moment))", fix: "wait, or check the clock of this machine")
        }
    }

    private static func day(_ moment: Int64) -> String {
        String(Date(timeIntervalSince1970: TimeInterval(moment)).formatted(.iso8601).prefix(10))
    }

    /// What the server itself says of the renewal.
    static func renewal(_ problem: String?) -> DoctorFinding? {
        problem.map {
            .finding(
                .renewal, "the server gets no certificate from the authority: \($0)",
                fix: "see docs/operations/certificates.md; SIGHUP tries again at once")
        }
    }
}
