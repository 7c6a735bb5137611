import Foundation
import WaymarkAssociation
import WaymarkTLS

/// Problems of a host's certificate that a client rejected.
enum CertificateFindings {
    /// All findings; empty if this machine finds none.
    static func of(_ url: AssociationURL) async -> [LintFinding] {
        let (host, port) = (url.host, url.port.flatMap { Int($0) } ?? 443)
        let outcome = await withCheckedContinuation { continuation in
            // Blocks on the network, which threads of the concurrency pool must not.
            Thread.detachNewThread {
                continuation.resume(returning: CertificateInspection.inspect(host: host, port: port))
            }
        }
        guard case .shown(let faults) = outcome else { return [] }
        return faults.map { finding($0, host) }
    }

    private static func finding(_ fault: CertificateInspection.Fault, _ host: String) -> LintFinding {
        switch fault {
        case .untrusted(let reason):
            LintFinding(.fetchTLSChain, "the certificate of \(host) is not to be trusted: \(reason)")
        case .otherNames(let names):
            LintFinding(
                .fetchTLSName,
                names.isEmpty
                    ? "the certificate of \(host) names no host"
                    : "the certificate of \(host) is valid for \(names.joined(separator: ", ")) only")
        case .expired(let moment):
            LintFinding(.fetchTLSExpired, "the certificate of \(host) has expired, on \(day(moment))")
        case .notYetValid(let moment):
            LintFinding(.fetchTLSExpired, "the certificate of \(host) is not valid before \(day(moment))")
        }
    }

    private static func day(_ moment: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(moment)).formatted(.iso8601)
    }
}
