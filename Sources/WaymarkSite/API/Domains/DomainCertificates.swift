package import WaymarkAPI

/// What the site needs to know of the certificates of its hosts, independent of the TLS implementation.
package protocol DomainCertificates: Sendable {
    /// Hosts with certificates in addition to those of applications.
    var additionalHosts: [String] { get }
    /// - Parameter hosts: In lower case, without ports.
    /// - Returns: One for each host, in their order.
    func statuses(of hosts: [String]) -> [DomainStatus]
    /// The key authorization for a pending challenge of the type http-01 (RFC 8555 section 8.3); nil if there is none.
    func keyAuthorization(for token: String, at host: String) async -> String?
    /// Revokes the certificate that an authority issued for a host; a new one is ordered.
    func revokeCertificate(of host: String, reason: RevocationReason) async -> RevocationOutcome
}

package enum RevocationReason: String, Sendable, CaseIterable {
    case unspecified, keyCompromise, superseded, cessationOfOperation
}

package enum RevocationOutcome: Sendable {
    case revoked
    /// The host has no certificate from an authority.
    case unknown
    /// One sentence, for operators.
    case failed(String)
}

/// The certificate of a host, and why there is no newer one, as the API returns them.
package struct DomainStatus: Sendable, Equatable {
    package var certificate: DomainResponse.Certificate?
    package var problem: DomainResponse.Problem?

    package init(certificate: DomainResponse.Certificate? = nil, problem: DomainResponse.Problem? = nil) {
        self.certificate = certificate
        self.problem = problem
    }
}

/// For a server without TLS.
struct NoCertificates: DomainCertificates {
    let additionalHosts: [String] = []
    func statuses(of hosts: [String]) -> [DomainStatus] { hosts.map { _ in DomainStatus() } }
    func keyAuthorization(for token: String, at host: String) async -> String? { nil }
    func revokeCertificate(of host: String, reason: RevocationReason) async -> RevocationOutcome { .unknown }
}
