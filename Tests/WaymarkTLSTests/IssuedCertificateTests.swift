import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// Certificates from memory, beside those of files or alone.
@Suite struct IssuedCertificateTests {
    private let certificates = TestCertificates.shared

    private func table(
        _ files: [CertificateFiles], _ issued: [IssuedCertificate], unknownNames: UnknownNames = .accept
    ) throws -> CertificateTable {
        try CertificateTable(
            files, issued: issued, challenges: ChallengeCertificates(), unknownNames: unknownNames,
            ticketKeys: TicketKeys())
    }

    @Test(
        arguments: ["go.example.com", nil] as [String?],
        [TLS1_2_VERSION, TLS1_3_VERSION])
    func anEmptyTableRejectsEveryClient(name: String?, version: Int32) throws {
        let store = CertificateStore(try table([], []))
        let conversation = Conversation(store, .init(minimum: version, maximum: version, serverName: name))
        #expect(conversation.shakeHands() == .failed("tlsv1 unrecognized name"))
        #expect(store.statistics[.serverName] == 1)
    }

    @Test(
        arguments: [
            ("other.example.org", "other.example.org"), ("OTHER.example.org.", "other.example.org"),
            ("unknown.example.net", nil), (nil, nil),
        ] as [(String?, String?)])
    func showsTheCertificateOfTheName(name: String?, shown: String?) throws {
        let issued = try TestCertificates.issued(certificates.commonName, for: "other.example.org")
        let conversation = Conversation(CertificateStore(try table([], [issued])), .init(serverName: name))
        #expect((conversation.shakeHands() == .done) == (shown != nil))
        #expect(conversation.client.shownName == shown)
    }

    @Test(
        arguments: [
            ("go.example.com", "rsa"), ("a.example.com", "wildcard"), ("other.example.org", "other.example.org"),
            ("unknown.example.net", "rsa"), (nil, "rsa"),
        ] as [(String?, String)])
    func filesWinForTheirNames(name: String?, shown: String) throws {
        let folder = certificates.folder
        let key = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        let hidden = TestCertificates.make(in: folder, "hidden", key, names: ["a.example.com"])
        let issued = [
            try TestCertificates.issued(certificates.ecdsa, for: "go.example.com"),
            try TestCertificates.issued(hidden, for: "a.example.com"),
            try TestCertificates.issued(certificates.commonName, for: "other.example.org"),
        ]
        let table = try table([certificates.rsa, certificates.wildcard], issued)
        let conversation = Conversation(CertificateStore(table), .init(serverName: name))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.shownName == shown)
        #expect(table.isCoveredByFiles("a.example.com"))
        #expect(!table.isCoveredByFiles("other.example.org"))
        #expect(table.entries.count == 2)
    }

    @Test func leavesOutWhatCanNotBeUsed() throws {
        let good = try TestCertificates.issued(certificates.commonName, for: "other.example.org")
        let foreign = IssuedCertificate(
            host: "go.example.com",
            chain: try TestCertificates.issued(certificates.ecdsa, for: "").chain, privateKey: good.privateKey)
        let garbage = IssuedCertificate(host: "x.example.com", chain: [1, 2, 3], privateKey: [])
        let table = try table([], [foreign, garbage, good])
        #expect(table.refused.map(\.file) == ["go.example.com", "x.example.com"])
        #expect(table.refused.map(\.index) == [0, 1])
        #expect(table.covers("other.example.org"))
        #expect(!table.covers("go.example.com"))
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func ticketsOutlastAnotherTable(version: Int32) throws {
        let keys = TicketKeys()
        let issued = try TestCertificates.issued(certificates.commonName, for: "other.example.org")
        let challenges = ChallengeCertificates()
        func table() throws -> CertificateTable {
            try CertificateTable([], issued: [issued], challenges: challenges, ticketKeys: keys)
        }
        let store = CertificateStore(try table())
        let settings = TestClient.Settings(minimum: version, maximum: version, serverName: "other.example.org")
        let first = Conversation(store, settings)
        #expect(first.shakeHands() == .done)
        _ = first.answer([1])
        store.use(try table())
        let second = Conversation(store, settings, resuming: first.client.ticket())
        #expect(second.shakeHands() == .done)
        #expect(second.client.isResumed)
    }

    @Test func servesOnlyHostsOfTheCertificateShown() throws {
        let issued = [
            try TestCertificates.issued(certificates.commonName, for: "other.example.org"),
            try TestCertificates.issued(certificates.ecdsa, for: "go.example.com"),
        ]
        let conversation = Conversation(
            CertificateStore(try table([], issued)), .init(serverName: "go.example.com"))
        #expect(conversation.shakeHands() == .done)
        for (host, isServed) in [("go.example.com", true), ("other.example.org", false), ("unknown.org", false)] {
            #expect(conversation.session.serves(Array(host.utf8).span) == isServed, "\(host)")
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func sharesUnchangedCertificatesBetweenTables(version: Int32) throws {
        let first = try TestCertificates.issued(certificates.commonName, for: "other.example.org")
        let second = try TestCertificates.issued(certificates.ecdsa, for: "go.example.com")
        var old: CertificateTable? = try table([certificates.wildcard], [first])
        let store = CertificateStore(try #require(old))
        let settings = TestClient.Settings(minimum: version, maximum: version, serverName: "other.example.org")
        let early = Conversation(store, settings)
        store.use(try #require(old).with(issued: [first, second]))
        old = nil
        // Sessions of both tables use one certificate, and tickets of either.
        #expect(early.shakeHands() == .done)
        _ = early.answer([1])
        let late = Conversation(store, settings, resuming: early.client.ticket())
        #expect(late.shakeHands() == .done)
        #expect(late.client.isResumed)
        for (host, name) in [("other.example.org", "other.example.org"), ("go.example.com", "go.example.com")] {
            let conversation = Conversation(store, .init(minimum: version, maximum: version, serverName: host))
            #expect(conversation.shakeHands() == .done)
            let isServed = conversation.session.serves(Array(name.utf8).span)
            #expect(isServed)
        }
    }
}
