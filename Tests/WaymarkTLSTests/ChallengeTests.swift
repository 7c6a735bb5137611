import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTLS

/// TLS-ALPN-01 in the handshake (RFC 8737).
@Suite struct ChallengeTests {
    private let host = "go.example.com"
    private let digest = SHA256.digest(of: Array("token.thumbprint".utf8))
    private let challenges = ChallengeCertificates()
    private let store: CertificateStore

    init() throws {
        store = CertificateStore(
            try CertificateTable(
                [TestCertificates.shared.rsa], challenges: challenges, unknownNames: .reject, ticketKeys: TicketKeys()))
    }

    private func conversation(
        _ host: String?, _ protocols: [String] = ["acme-tls/1"], version: Int32 = TLS1_3_VERSION,
        resuming ticket: TestClient.Ticket? = nil
    ) -> Conversation {
        Conversation(
            store, .init(minimum: version, maximum: version, serverName: host, protocols: protocols), resuming: ticket)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION], ["go.example.com", "GO.example.com", "new.example.org"])
    func showsTheChallengeAndEndsTheConnection(version: Int32, name: String) {
        challenges.replace(with: [host: digest, "new.example.org": digest])
        let conversation = conversation(name, version: version)
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.chosenProtocol == "acme-tls/1")
        #expect(conversation.session.handshake(through: conversation.port) == .failed)
        _ = conversation.drain()
        #expect(conversation.client.isClosedByServer)
        let text = TestCertificates.openssl(
            ["x509", "-noout", "-text"], input: conversation.client.shownCertificate ?? "")
        #expect(text.contains("DNS:\(name.lowercased())\n"), "\(text)")
        let identifier = TestCertificates.openssl(["asn1parse"], input: conversation.client.shownCertificate ?? "")
        let value =
            "0420" + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
        #expect(identifier.contains(":1.3.6.1.5.5.7.1.31\n"), "\(identifier)")
        #expect(identifier.contains("[HEX DUMP]:" + value), "\(identifier)")
        #expect(text.contains("1.3.6.1.5.5.7.1.31: critical"), "\(text)")
        #expect(store.statistics.handshakes == 1)
        #expect(store.statistics.failures == 0)
    }

    @Test(
        arguments: [
            ("other.go.example.com", ["acme-tls/1"]), ("www.example.com", ["acme-tls/1"]), (nil, ["acme-tls/1"]),
            ("go.example.com", ["h2"]),
        ] as [(String?, [String])])
    func refusesWhatIsNoPendingChallenge(name: String?, protocols: [String]) {
        challenges.replace(with: [host: digest])
        let conversation = conversation(name, protocols)
        #expect(conversation.shakeHands() != .done)
        #expect(store.statistics.failures == 1)
    }

    @Test(arguments: [[], ["http/1.1"], ["acme-tls/1", "http/1.1"], ["http/1.1", "acme-tls/1"]] as [[String]])
    func `clients without the challenge get the certificate`(protocols: [String]) {
        challenges.replace(with: [host: digest])
        let conversation = conversation(host, protocols)
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.shownName == "rsa")
        #expect(conversation.client.chosenProtocol == (protocols.isEmpty ? nil : "http/1.1"))
        conversation.send([1, 2])
        #expect(conversation.takeReceived() == [1, 2])
    }

    @Test func aChallengeEndsWithItsRemoval() {
        challenges.replace(with: [host: digest])
        #expect(challenges.hosts == [host])
        challenges.replace(with: [:])
        #expect(conversation(host).shakeHands() != .done)
        #expect(challenges.hosts.isEmpty)
    }

    @Test func leavesOutHostsThatAreNoNames() {
        challenges.replace(with: ["a b": digest, "*.example.com": digest, "short.example.com": [1], host: digest])
        #expect(challenges.hosts == [host])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func aTicketDoesNotHideTheChallenge(version: Int32) {
        let first = conversation(host, ["http/1.1"], version: version)
        #expect(first.shakeHands() == .done)
        _ = first.answer([1])
        challenges.replace(with: [host: digest])
        let second = conversation(host, version: version, resuming: first.client.ticket())
        #expect(second.shakeHands() == .done)
        #expect(!second.client.isResumed)
        #expect(second.client.shownName == "ACME challenge")
    }

    @Test func buffersAreFreeForTheNextConnection() {
        challenges.replace(with: [host: digest])
        let buffers = CiphertextBuffers()
        for protocols in [["acme-tls/1"], ["http/1.1"]] {
            let session = TLSSession(store, buffers: buffers)
            let port = MemoryPort()
            let client = TestClient(.init(serverName: host, protocols: protocols))
            for _ in 0..<10 {
                let outcome = client.handshake()
                port.toServer += client.ciphertext()
                // A request that comes with the end of the handshake is not read.
                if outcome == .done {
                    _ = client.write([1, 2, 3])
                    port.toServer += client.ciphertext()
                }
                _ = session.handshake(through: port)
                client.take(port.toClient)
                port.toClient = []
                if outcome == .done { break }
            }
            #expect(client.chosenProtocol == protocols[0])
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func aServerEndsTheConnection(kind: EventLoopKind) async throws {
        challenges.replace(with: [host: digest])
        try await withTLSServer(kind, store) { server, port in
            for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
                let client = try SocketClient(
                    port: port,
                    .init(minimum: version, maximum: version, serverName: host, protocols: ["acme-tls/1"]))
                #expect(await client.shakeHands() == .done)
                #expect(await client.shownName == "ACME challenge")
                let end = await client.readToEnd()
                #expect(end.text.isEmpty && end.isAnnounced)
            }
            // Others are served on.
            let client = try SocketClient(port: port, .init(serverName: host))
            #expect(await client.shakeHands() == .done)
            await client.send("GET /hello HTTP/1.1\r\nHost: go.example.com\r\n\r\n")
            #expect(await client.text() == "/hello")
        }
    }
}
