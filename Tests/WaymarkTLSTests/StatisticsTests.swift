import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// What is counted, under which name.
@Suite struct StatisticsTests {
    private let store: CertificateStore

    init() throws {
        store = try TestCertificates.store([TestCertificates.shared.ecdsa])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func tellVersionsAndResumptionsApart(version: Int32) {
        let settings = TestClient.Settings(minimum: version, maximum: version)
        let first = Conversation(store, settings)
        #expect(first.shakeHands() == .done)
        _ = first.answer([1])
        let second = Conversation(store, settings, resuming: first.client.ticket())
        #expect(second.shakeHands() == .done)
        let (used, unused) =
            version == TLS1_3_VERSION
            ? (store.statistics.tls13, store.statistics.tls12) : (store.statistics.tls12, store.statistics.tls13)
        #expect(used.full == 1)
        #expect(used.resumed == 1)
        #expect(unused.full == 0)
        #expect(unused.resumed == 0)
        #expect(store.statistics.handshakes == 2)
        #expect(store.statistics.resumptions == 1)
        #expect(store.statistics.failures == 0)
    }

    private static let failing: [(settings: TestClient.Settings, failure: TLSFailure)] = [
        (.init(minimum: TLS1_1_VERSION, maximum: TLS1_1_VERSION, ciphers: "ALL:@SECLEVEL=0"), .version),
        (.init(maximum: TLS1_2_VERSION, ciphers: "AES128-SHA:@SECLEVEL=0"), .cipher),
        (.init(minimum: TLS1_3_VERSION, signatures: "rsa_pss_rsae_sha256"), .cipher),
        (.init(protocols: ["h2"]), .applicationProtocol),
    ]

    @Test(arguments: failing.indices)
    func tellWhyAHandshakeFailed(index: Int) {
        let (settings, failure) = Self.failing[index]
        let conversation = Conversation(store, settings)
        #expect(conversation.shakeHands() != .done)
        #expect(store.statistics[failure] == 1)
        #expect(store.statistics.failures == 1)
        #expect(store.statistics.handshakes == 0)
    }

    @Test func countTextAndNonsenseApart() {
        for (bytes, failure) in [
            (Array("GET / HTTP/1.1\r\n".utf8), TLSFailure.plaintext),
            ([0x16, 3, 1, 0, 1, 0xff] + [UInt8](repeating: 0, count: 1_000), .malformed),
        ] {
            let conversation = Conversation(store)
            conversation.port.toServer = bytes
            _ = conversation.session.handshake(through: conversation.port)
            #expect(store.statistics[failure] == 1)
        }
    }

    @Test func countAClientThatGoesAwayOrStandsStill() {
        let leaving = Conversation(store)
        leaving.port.toServer = [0x16, 3, 1]
        leaving.port.isEnded = true
        // A short read says that the port is dry: the end is found the next time.
        #expect(leaving.session.handshake(through: leaving.port) == .wantsRead)
        #expect(leaving.session.handshake(through: leaving.port) == .failed)
        #expect(store.statistics[.closed] == 1)
        do {
            let storeHealth = Conversation(store)
            storeHealth.port.toServer = [0x16, 3, 1]
            #expect(storeHealth.session.handshake(through: storeHealth.port) == .wantsRead)
        }
        #expect(store.statistics[.unfinished] == 1)
        // Who connects and says nothing has begun no handshake.
        _ = Conversation(store)
        #expect(store.statistics.failures == 2)
    }

    @Test func countAClientThatDoesNotTrustTheCertificate() {
        let conversation = Conversation(store, .init(maximum: TLS1_2_VERSION))
        _ = conversation.client.handshake()
        conversation.port.toServer = conversation.client.ciphertext()
        #expect(conversation.session.handshake(through: conversation.port) == .wantsRead)
        // A fatal alert in clear: unknown_ca.
        conversation.port.toServer = [0x15, 3, 3, 0, 2, 2, 48]
        #expect(conversation.session.handshake(through: conversation.port) == .failed)
        #expect(store.statistics[.alert] == 1)
    }
}
