import Foundation
import Logging
import WaymarkACME
import WaymarkClient
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

extension CertificateRenewal {
    /// Keeps certificates for the hosts of applications and of the configuration, on the listeners of this server.
    convenience init(
        _ acme: ACMESetting, _ configuration: Configuration, _ assembly: ServiceAssembly,
        _ certificates: ListenerCertificates, logger: Logger
    ) {
        var kinds: [ChallengeKind] = []
        if !configuration.tlsListen.isEmpty { kinds.append(.tlsALPN) }
        if !configuration.listen.isEmpty || configuration.secureRedirect != nil { kinds.append(.http) }
        var settings = CertificateRenewal.Settings(
            authorities: acme.authorities.map { authority in
                ACMEAuthority(
                    directory: authority.directory,
                    externalAccount: authority.externalAccount.map {
                        ExternalAccount(keyIdentifier: $0.keyID, macKey: $0.macKey)
                    }, trustedFile: authority.authority?.path)
            },
            kinds: kinds, holder: "\(ProcessInfo.processInfo.hostName) \(UUID().uuidString)")
        settings.contacts = ["mailto:\(acme.email)"]
        if assembly.store.changesByOthers != nil { settings.propagation = .seconds(settings.busyInterval) }
        let directory = assembly.service.applications.directory
        self.init(
            settings,
            CertificateRenewal.Environment(
                storage: CertificateDocuments(assembly.store, logger: logger),
                client: HTTPClient(userAgent: Version.userAgent),
                hosts: { acme.hosts(with: directory.current, uncoveredBy: certificates.store.current) },
                owners: {
                    let applications = directory.current.applications.map(\.application)
                    let owners = applications.flatMap { owner in owner.hosts.map { ($0.text, owner.id.text) } }
                    return Dictionary(owners) { first, _ in first }
                },
                useCertificates: { certificates.use($0) },
                useChallenges: { challenges in
                    let pending = challenges.filter { $0.kind == .tlsALPN }.map { ($0.host, $0.digest) }
                    certificates.challenges?.replace(with: Dictionary(pending) { first, _ in first })
                }, now: { WallClock.milliseconds() / 1_000 }),
            logger: logger)
    }
}

extension ACMESetting {
    /// The hosts that need a certificate from an authority, once each.
    fileprivate func hosts(
        with directory: ApplicationDirectory, uncoveredBy certificates: CertificateTable
    ) -> [String] {
        var seen: Set<String> = []
        return (directory.applications.flatMap { $0.application.hosts } + hosts).map(\.text)
            .filter { !certificates.isCoveredByFiles($0) && seen.insert($0).inserted }
    }
}
