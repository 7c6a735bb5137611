import Foundation
import WaymarkAssociation
import WaymarkTLS

/// What is wrong with the certificate of a host that a client refused.
enum CertificateFindings {
    /// All of it at once; empty where this machine finds nothing.
    static func of(_ url: AssociationURL) async -> [LintFinding] {
        let (host, port) = (url.host, url.port.flatMap { Int($0) } ?? 443)
        let outcome = await withCheckedContinuation { continuation in
            // It waits for the network, which no thread of the pool of tasks should.
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
