import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// What is agreed on, and what is refused.
@Suite struct HandshakeTests {
    private let store: CertificateStore

    init() throws {
        store = try TestCertificates.store([TestCertificates.shared.ecdsa, TestCertificates.shared.rsa])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func speaksTLS12AndTLS13(version: Int32) {
        let conversation = Conversation(store, .init(minimum: version, maximum: version))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.version == version)
        #expect(conversation.client.canRenegotiateSecurely || version == TLS1_3_VERSION)
        conversation.send(Array("hello".utf8))
        #expect(conversation.takeReceived() == Array("hello".utf8))
        #expect(conversation.answer(Array("welcome".utf8)) == Array("welcome".utf8))
        #expect(store.statistics.handshakes == 1)
        #expect(store.statistics.failures == 0)
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func refusesOlderVersionsWithAnAlert(version: Int32) {
        let conversation = Conversation(
            store, .init(minimum: version, maximum: version, ciphers: "ALL:@SECLEVEL=0"))
        #expect(conversation.shakeHands() == .failed("tlsv1 alert protocol version"))
        #expect(store.statistics.failures == 1)
        #expect(conversation.session.failure == "unsupported protocol")
    }

    @Test(arguments: [
        "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305",
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
    ])
    func acceptsEachCipherOfTheProfile(name: String) {
        let conversation = Conversation(store, .init(maximum: TLS1_2_VERSION, ciphers: name))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.cipher == name)
    }

    @Test(arguments: [
        (["AES256-GCM-SHA384", "AES128-GCM-SHA256"], "AES128-GCM-SHA256"),
        (["AES256-GCM-SHA384", "CHACHA20-POLY1305", "AES128-GCM-SHA256"], "AES128-GCM-SHA256"),
        (["CHACHA20-POLY1305", "AES256-GCM-SHA384", "AES128-GCM-SHA256"], "CHACHA20-POLY1305"),
        (["AES256-GCM-SHA384", "CHACHA20-POLY1305"], "AES256-GCM-SHA384"),
    ])
    func choosesTheCheapestCipherSaveForClientsWithoutAES(offered: [String], chosen: String) {
        let conversation = Conversation(
            store,
            .init(maximum: TLS1_2_VERSION, ciphers: offered.map { "ECDHE-ECDSA-" + $0 }.joined(separator: ":")))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.cipher == "ECDHE-ECDSA-" + chosen)
    }

    @Test(arguments: [
        "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES128-SHA256", "AES128-GCM-SHA256", "AES256-SHA",
        "DHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-CCM8", "aNULL", "eNULL",
    ])
    func refusesCiphersBeyondTheProfile(name: String) {
        let conversation = Conversation(store, .init(maximum: TLS1_2_VERSION, ciphers: name + ":@SECLEVEL=0"))
        #expect(conversation.shakeHands() == .failed("sslv3 alert handshake failure"))
    }

    @Test(arguments: [["http/1.1"], ["h2", "http/1.1"], ["http/1.0", "http/1.1", "spdy/3"]])
    func choosesHTTP11AmongTheProtocols(protocols: [String]) {
        let conversation = Conversation(store, .init(protocols: protocols))
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.chosenProtocol == "http/1.1")
    }

    @Test(arguments: [["h2"], ["http/1.0"], ["HTTP/1.1"], ["http/1.1x", "http/1."]])
    func refusesAClientThatSpeaksNoHTTP11(protocols: [String]) {
        let conversation = Conversation(store, .init(protocols: protocols))
        #expect(conversation.shakeHands() == .failed("tlsv1 alert no application protocol"))
    }

    @Test func needsNoProtocolToBeNamed() {
        let conversation = Conversation(store)
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.chosenProtocol == nil)
    }

    @Test func refusesToRenegotiate() {
        let conversation = Conversation(store, .init(maximum: TLS1_2_VERSION))
        #expect(conversation.shakeHands() == .done)
        conversation.client.renegotiate()
        #expect(conversation.client.handshake() == .wantsMore)
        conversation.deliver()
        conversation.client.take(conversation.port.toClient)
        #expect(conversation.client.handshake() == .failed("no renegotiation"))
    }

    @Test func offersNoEarlyData() {
        let conversation = Conversation(store)
        #expect(conversation.shakeHands() == .done)
        _ = conversation.drain()
        #expect(conversation.client.maximumEarlyData == 0)
    }

    @Test func changesKeysOnRequest() {
        let conversation = Conversation(store)
        #expect(conversation.shakeHands() == .done)
        for round in 0..<20 {
            conversation.client.updateKeys()
            conversation.send([UInt8(round)])
            #expect(conversation.answer([UInt8(round)]) == [UInt8(round)])
        }
        #expect(conversation.takeReceived() == Array(0..<20))
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "options * HTTP/1.1\r\n\r\n", "\r\nGET /", "P"])
    func tellsPlainTextFromTLS(text: String) {
        let conversation = Conversation(store)
        conversation.port.toServer = Array(text.utf8)
        #expect(conversation.session.handshake(through: conversation.port) == .plaintext)
        #expect(conversation.port.toClient.isEmpty)
        #expect(store.statistics.plaintext == 1)
    }

    @Test(
        arguments: [
            [0x16, 0x03, 0x01, 0x00, 0x01, 0xff], [0x80, 0x2e, 0x01, 0x00, 0x02], [0x00, 0x01, 0x02, 0x03, 0x04, 0x05],
            [0x16, 0x03, 0x01, 0xff, 0xff, 0x01],
        ] as [[UInt8]])
    func endsWhatIsNoHandshake(bytes: [UInt8]) {
        let conversation = Conversation(store)
        conversation.port.toServer = bytes + [UInt8](repeating: 0, count: 70_000)
        #expect(conversation.session.handshake(through: conversation.port) == .failed)
        #expect(conversation.session.handshake(through: conversation.port) == .failed)
        conversation.step()
        #expect(conversation.last == .failed)
    }

    @Test func endsAHandshakeWhoseClientHasGone() {
        let conversation = Conversation(store)
        conversation.port.isEnded = true
        #expect(conversation.session.handshake(through: conversation.port) == .failed)
    }
}
