import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// Sessions that clients take home as tickets.
@Suite struct ResumptionTests {
    private let certificates = TestCertificates.shared
    private static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    /// A ticket from a whole handshake, or from one that resumed.
    private func ticket(
        _ store: CertificateStore, _ version: Int32, resuming ticket: TestClient.Ticket? = nil, isResumed: Bool = false
    ) -> TestClient.Ticket {
        let conversation = Conversation(
            store, .init(minimum: version, maximum: version, serverName: "go.example.com"), resuming: ticket)
        #expect(conversation.shakeHands() == .done)
        #expect(conversation.client.isResumed == isResumed)
        #expect(conversation.session.isResumed == isResumed)
        #expect(conversation.answer([7]) == [7])
        return conversation.client.ticket()
    }

    @Test(arguments: versions)
    func resumesUnderAnotherTableOfTheSameKeys(version: Int32) throws {
        let keys = TicketKeys()
        let first = try TestCertificates.store([certificates.ecdsa], keys: keys)
        let second = try TestCertificates.store([certificates.rsa, certificates.ecdsa], keys: keys)
        let ticket = ticket(first, version)
        let next = self.ticket(second, version, resuming: ticket, isResumed: true)
        _ = self.ticket(first, version, resuming: next, isResumed: true)
        #expect(second.statistics.resumptions == 1)
    }

    @Test func givesEachClientThatResumesItsNextTicket() throws {
        let store = try TestCertificates.store([certificates.ecdsa])
        let conversation = Conversation(
            store, .init(minimum: TLS1_3_VERSION, serverName: "go.example.com"),
            resuming: ticket(store, TLS1_3_VERSION))
        #expect(conversation.client.handshake() == .wantsMore)
        conversation.port.toServer = conversation.client.ciphertext()
        #expect(conversation.session.handshake(through: conversation.port) == .wantsRead)
        conversation.client.take(conversation.port.toClient)
        conversation.port.toClient = []
        #expect(conversation.client.handshake() == .done)
        conversation.port.toServer = conversation.client.ciphertext()
        #expect(conversation.session.handshake(through: conversation.port) == .done(0))
        #expect(conversation.session.isResumed)
        #expect(!conversation.port.toClient.isEmpty)
    }

    @Test(arguments: versions)
    func startsAnewUnderOtherKeys(version: Int32) throws {
        let first = try TestCertificates.store([certificates.ecdsa])
        let second = try TestCertificates.store([certificates.ecdsa])
        _ = ticket(second, version, resuming: ticket(first, version), isResumed: false)
    }

    @Test(arguments: versions)
    func acceptsTheTwoKeysBeforeTheNewest(version: Int32) throws {
        let keys = TicketKeys()
        let store = try TestCertificates.store([certificates.ecdsa], keys: keys)
        let old = ticket(store, version)
        keys.rotate()
        _ = ticket(store, version, resuming: old, isResumed: true)
        keys.rotate()
        let renewed = ticket(store, version, resuming: old, isResumed: true)
        keys.rotate()
        _ = ticket(store, version, resuming: old, isResumed: false)
        // The ticket was replaced when it was shown under an older key.
        _ = ticket(store, version, resuming: renewed, isResumed: true)
    }

    @Test(arguments: versions)
    func changesKeysWhenTheirTimeIsOver(version: Int32) throws {
        let store = try TestCertificates.store([certificates.ecdsa], keys: TicketKeys(lifetime: .zero))
        // Each look at the keys makes a new one here: the ticket's own is forgotten before it comes back.
        let old = ticket(store, version)
        _ = ticket(store, version)
        _ = ticket(store, version)
        _ = ticket(store, version, resuming: old, isResumed: false)
    }
}
