import TLSTestSupport
import Testing
import WaymarkJSON
import WaymarkTLS

extension EndToEnd {
    /// What `waymark association lint URL` says of the certificate that a server shows.
    @Suite struct AssociationTrustTests {
        enum Shown: String, CaseIterable, Sendable {
            case selfSigned, otherName, expired, everything, nothing
        }

        /// The codes of what is wrong with the certificate, besides those that every server on this machine is told.
        private static func faults(_ shown: Shown, _ authority: TestAuthority) throws -> (CertificateFiles, Set<String>)
        {
            switch shown {
            case .selfSigned:
                let key = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
                return (
                    TestCertificates.make(in: authority.folder, "self", key, names: ["localhost"]), ["fetch-tls-chain"]
                )
            case .otherName:
                return (authority.issue("other", names: ["go.example.com"], serial: 2), ["fetch-tls-name"])
            case .expired:
                return (authority.issue("old", names: ["localhost"], serial: 3, days: -1), ["fetch-tls-expired"])
            case .everything:
                // Of an authority that nobody was told of.
                let files = try TestAuthority.unknown.get().issue("all", names: ["go.example.com"], serial: 4, days: -1)
                return (files, ["fetch-tls-chain", "fetch-tls-name", "fetch-tls-expired"])
            case .nothing:
                return (authority.issue("good", names: ["localhost"], serial: 5), [])
            }
        }

        @Test(arguments: Shown.allCases)
        func namesEachFaultOfTheCertificate(shown: Shown) throws {
            let authority = try TestAuthority()
            let (files, expected) = try Self.faults(shown, authority)
            let server = try Installation().start(TLSTests.flags(files))
            let port = try server.securePort()
            let run = try Installation().run(
                ["association", "lint", "https://localhost:\(port)/.well-known/assetlinks.json", "--json"],
                environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            let findings = run.json["files"]?.array?.first?["findings"]?.array ?? []
            let codes = Set(findings.compactMap { $0["code"]?.string })
            if shown == .nothing {
                // The one client knows the authority and the other may not, but nothing is wrong with the certificate.
                #expect(codes.isDisjoint(with: ["fetch-tls-chain", "fetch-tls-name", "fetch-tls-expired"]), "\(run)")
                return
            }
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1)
            #expect(codes.filter { $0.hasPrefix("fetch-tls") } == expected, "\(run)")
            if shown == .otherName {
                let problem = findings.first { $0["code"] == "fetch-tls-name" }?["problem"]?.string ?? ""
                #expect(problem.hasSuffix("is valid for go.example.com only"))
            }
        }

        @Test func saysThatNoEncryptionIsSpoken() throws {
            let server = try Installation().start()
            let run = try Installation().run([
                "association", "lint", "https://localhost:\(server.port)/.well-known/assetlinks.json", "--json",
            ])
            let codes = (run.json["files"]?.array?.first?["findings"]?.array ?? []).compactMap { $0["code"]?.string }
            #expect(codes.first == "fetch-tls", "\(run)")
            #expect(run.end == .exit(2))
        }
    }
}

extension TestAuthority {
    fileprivate static let unknown = Result { try TestAuthority() }
}
