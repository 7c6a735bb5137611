import TLSTestSupport
import Testing
import WaymarkTLS

/// Which certificate is shown to whom, and what is said of files that can't be used.
@Suite struct CertificateTests {
    private let certificates = TestCertificates.shared

    @Test(
        arguments: [
            ("go.example.com", "ecdsa"), ("GO.Example.COM", "ecdsa"), ("www.example.com", "rsa"),
            ("a.example.com", "wildcard"), ("a.b.example.com", "ecdsa"), ("example.com", "ecdsa"),
            ("other.example.org", "other.example.org"), ("unknown.example.net", "ecdsa"), (nil, "ecdsa"),
        ] as [(String?, String)])
    func choosesByTheNameThatIsAskedFor(name: String?, shown: String) throws {
        let store = try TestCertificates.store([
            certificates.ecdsa, certificates.rsa, certificates.wildcard, certificates.commonName,
        ])
        let conversation = Conversation(store, .init(serverName: name))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.shownName == shown)
    }

    @Test(arguments: [("ecdsa_secp256r1_sha256", "ecdsa"), ("rsa_pss_rsae_sha256", "rsa")])
    func offersBothKindsUnderOneName(signature: String, shown: String) throws {
        let store = try TestCertificates.store([certificates.rsa, certificates.ecdsa])
        for name in ["go.example.com", nil] {
            let conversation = Conversation(store, .init(serverName: name, signatures: signature))
            #expect(conversation.shakeHands() == .done)
            #expect(conversation.client.shownName == shown)
        }
    }

    @Test func showsTheFirstOfTwoOfOneKind() throws {
        let second = TestCertificates.make(
            in: certificates.folder, "second", ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], names: ["go.example.com"])
        let conversation = Conversation(
            try TestCertificates.store([second, certificates.ecdsa]), .init(serverName: "go.example.com"))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.shownName == "second")
    }

    @Test func keepsACertificateForTheConnectionThatHasIt() throws {
        let store = try TestCertificates.store([certificates.ecdsa])
        let old = Conversation(store)
        #expect(old.shakeHands() == .done)
        let begun = Conversation(store)
        store.use(try CertificateTable([certificates.commonName], ticketKeys: TicketKeys()))
        old.send([1, 2, 3])
        #expect(old.takeReceived() == [1, 2, 3])
        #expect(begun.shakeHands() == .done)
        #expect(begun.client.shownName == "ecdsa")
        let new = Conversation(store)
        #expect(new.shakeHands() == .done)
        #expect(new.client.shownName == "other.example.org")
        #expect(old.answer([4, 5]) == [4, 5])
    }

    @Test func tellsNamesAndExpiry() throws {
        let table = try CertificateTable([certificates.rsa, certificates.commonName], ticketKeys: TicketKeys())
        #expect(table.entries.map(\.names) == [["go.example.com", "www.example.com"], ["other.example.org"]])
        #expect(table.entries.allSatisfy { (29 * 86_400...30 * 86_400).contains($0.secondsLeft) })
    }

    @Test func sendsTheWholeChain() throws {
        let chain =
            try certificates.text(certificates.ecdsa.certificate)
            + certificates.text(certificates.wildcard.certificate)
        let file = try certificates.write(chain, to: "chain.pem")
        _ = try CertificateTable(
            [CertificateFiles(certificate: file, privateKey: certificates.ecdsa.privateKey)], ticketKeys: TicketKeys())
        let error = #expect(throws: CertificateError.self) {
            _ = try CertificateTable(
                [CertificateFiles(certificate: file, privateKey: certificates.wildcard.privateKey)],
                ticketKeys: TicketKeys())
        }
        #expect(error?.description == "\(file): the server's own certificate must be the first in the file")
    }

    @Test func saysWhatIsWrongWithAFile() throws {
        let good = certificates.ecdsa
        let certificate = try certificates.text(good.certificate)
        let missing = certificates.folder + "/missing.pem"
        let empty = try certificates.write("", to: "empty.pem")
        let lines = certificate.split(separator: "\n")
        let broken = try certificates.write(
            ([lines[0], "MIIBAAAA"] + lines[2...]).joined(separator: "\n"), to: "broken.pem")
        let half = try certificates.write(certificate + certificate.prefix(300), to: "half.pem")
        let locked = certificates.folder + "/locked.key"
        _ = TestCertificates.openssl(["ec", "-in", good.privateKey, "-aes128", "-passout", "pass:x", "-out", locked])
        let weak = TestCertificates.make(in: certificates.folder, "weak", ["rsa:1024"], names: [])
        let cases: [(CertificateFiles, CertificateError.Part, String)] = [
            (.init(certificate: missing, privateKey: good.privateKey), .certificate, "can't be read (no such file"),
            (.init(certificate: good.certificate, privateKey: missing), .privateKey, "can't be read (no such file"),
            (.init(certificate: empty, privateKey: good.privateKey), .certificate, "holds no certificate"),
            (
                .init(certificate: certificates.folder, privateKey: good.privateKey), .certificate,
                "holds no certificate"
            ),
            (.init(certificate: good.privateKey, privateKey: good.privateKey), .certificate, "holds no certificate"),
            (.init(certificate: broken, privateKey: good.privateKey), .certificate, "can't be read ("),
            (.init(certificate: half, privateKey: good.privateKey), .certificate, "can't be read ("),
            (.init(certificate: good.certificate, privateKey: empty), .privateKey, "holds no private key"),
            (.init(certificate: good.certificate, privateKey: good.certificate), .privateKey, "holds no private key"),
            (.init(certificate: good.certificate, privateKey: locked), .privateKey, "has a passphrase"),
            (
                .init(certificate: good.certificate, privateKey: certificates.rsa.privateKey), .privateKey,
                "does not belong to the certificate \(good.certificate)"
            ),
            (weak, .certificate, "key too small"),
        ]
        for (files, part, reason) in cases {
            let error = #expect(throws: CertificateError.self) {
                _ = try CertificateTable([certificates.rsa, files], ticketKeys: TicketKeys())
            }
            #expect(error?.part == part)
            #expect(error?.index == 1)
            let text = error?.description ?? ""
            #expect(text.contains(reason), "\(text)")
            #expect(text.hasPrefix(part == .certificate ? files.certificate : files.privateKey), "\(text)")
            #expect(!text.contains { $0.isNewline }, "\(text)")
        }
    }
}
