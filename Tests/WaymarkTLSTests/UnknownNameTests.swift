import TLSTestSupport
import Testing
import WaymarkTLS

/// Clients that name a host for which there is no certificate, where those are to be turned away.
@Suite struct UnknownNameTests {
    private let store: CertificateStore

    init() throws {
        store = CertificateStore(
            try CertificateTable(
                [TestCertificates.shared.ecdsa, TestCertificates.shared.wildcard], unknownNames: .reject,
                ticketKeys: TicketKeys()))
    }

    @Test(arguments: [0x0303, 0x0304] as [Int32])
    func `clients with an unknown name get an alert`(version: Int32) {
        let conversation = Conversation(
            store, .init(minimum: version, maximum: version, serverName: "unknown.example.net"))
        #expect(conversation.shakeHands() == .failed("tlsv1 unrecognized name"))
        #expect(store.statistics[.serverName] == 1)
        #expect(store.statistics.failures == 1)
    }

    @Test(arguments: ["go.example.com", "a.example.com", nil])
    func `clients with a known name or none are served`(name: String?) {
        #expect(Conversation(store, .init(serverName: name)).shakeHands() == .done)
        #expect(store.statistics.failures == 0)
    }

    @Test func mayNotAskForOtherHostsOnAConnectionThatNamedOne() {
        let named = Conversation(store, .init(serverName: "go.example.com"))
        #expect(named.shakeHands() == .done)
        let unnamed = Conversation(store)
        #expect(unnamed.shakeHands() == .done)
        for (host, isServed) in [("go.example.com", true), ("unknown.example.net", false), ("127.0.0.1", false)] {
            let bytes = Array(host.utf8)
            let byNamed = named.session.serves(bytes.span)
            #expect(byNamed == isServed, "\(host)")
            // A probe by address names no host, and has decided for itself.
            let byUnnamed = unnamed.session.serves(bytes.span)
            #expect(byUnnamed, "\(host)")
        }
    }
}
