import Foundation
import WaymarkTLS

/// The certificate that a host shows.
enum CertificateCheck {
    /// Certificates that expire earlier than this are findings, in days: ACME renews with a third of the lifetime left.
    static let leastDays: Int64 = 14

    enum Observation: Sendable, Equatable {
        case notReached
        case noHandshake(String?)
        /// - Parameters:
        ///   - faults: with the trust of this machine.
        ///   - shown: nil: the second connection, which reads it, failed.
        case shown(faults: [CertificateInspection.Fault], shown: ShownCertificate?)
    }

    static func findings(_ observation: Observation, now: Int64) -> [DoctorFinding] {
        switch observation {
        case .notReached: return [.skipped(.certificate, "no connection to the host")]
        case .noHandshake(let reason):
            let text = reason.map { " (\($0))" } ?? ""
            return [
                .finding(
                    .certificate, "the TLS handshake failed\(text)",
                    mend: "set tlsListen and certificates or acme, or let the proxy end TLS; see docs/operations/tls.md"
                )
            ]
        case .shown(let faults, let shown):
            guard faults.isEmpty else { return faults.map { finding($0, shown) } }
            guard let end = shown?.expiry else { return [.ok(.certificate, "trusted, and valid for the host")] }
            let days = (end - now) / 86_400
            guard days >= leastDays else {
                return [
                    .finding(
                        .certificate, "it expires on \(day(end)), in \(Int(days).counted("day"))",
                        mend: "renew it now, and find out why it was not renewed")
                ]
            }
            return [.ok(.certificate, "trusted until \(day(end))")]
        }
    }

    private static func finding(_ fault: CertificateInspection.Fault, _ shown: ShownCertificate?) -> DoctorFinding {
        switch fault {
        case .untrusted(let reason):
            if let shown, shown.chainLength == 1, !shown.isSelfSigned {
                return .finding(
                    .certificate, "the chain is incomplete: the server sends only its own certificate (\(reason))",
                    mend: "serve the certificate with its chain, such as fullchain.pem")
            }
            return .finding(
                .certificate, "this machine does not trust it (\(reason))",
                mend: "use a certificate of a public authority: Apple and Google trust no other")
        case .otherNames(let names):
            let valid =
                names.isEmpty ? "it names no host" : "it is valid for \(names.joined(separator: ", ")) only"
            return .finding(.certificate, valid, mend: "get a certificate that names this host")
        case .expired(let moment):
            return .finding(.certificate, "it expired on \(day(moment))", mend: "renew it")
        case .notYetValid(let moment):
            return .finding(
                .certificate, "it is not valid before \(day(moment))", mend: "wait, or check the clock of this machine")
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
                mend: "see docs/operations/certificates.md; SIGHUP tries again at once")
        }
    }
}
