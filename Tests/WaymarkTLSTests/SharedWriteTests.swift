import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// What leaves in one write: each is a system call, and wakes the client.
@Suite struct SharedWriteTests {
    private let store: CertificateStore

    init() throws {
        store = try TestCertificates.store([TestCertificates.shared.ecdsa])
    }

    /// A handshake whose last flight comes with a request, as far as the server's side of it.
    private func conversationWithEarlyRequest(_ request: [UInt8]) -> Conversation {
        let conversation = Conversation(store, .init(minimum: TLS1_3_VERSION))
        _ = conversation.client.handshake()
        conversation.port.toServer = conversation.client.ciphertext()
        #expect(conversation.session.handshake(through: conversation.port) == .wantsRead)
        conversation.client.take(conversation.port.toClient)
        conversation.port.toClient = []
        #expect(conversation.client.handshake() == .done)
        #expect(conversation.client.write(request) == .done)
        conversation.port.toServer = conversation.client.ciphertext()
        return conversation
    }

    @Test func theTicketLeavesWithTheFirstAnswer() {
        let conversation = conversationWithEarlyRequest([1, 2, 3])
        let before = conversation.port.sends
        #expect(conversation.session.handshake(through: conversation.port) == .done(0))
        conversation.step()
        #expect(conversation.takeReceived() == [1, 2, 3])
        #expect(conversation.port.sends == before)
        #expect(conversation.answer([4, 5]) == [4, 5])
        #expect(conversation.port.sends == before + 1)
        let second = Conversation(store, resuming: conversation.client.ticket())
        #expect(second.shakeHands() == .done)
        #expect(second.client.isResumed)
    }

    @Test func theTicketDoesNotWaitForAnAnswerThatTakesItsTime() {
        let conversation = conversationWithEarlyRequest([1, 2, 3])
        let before = conversation.port.sends
        #expect(conversation.session.handshake(through: conversation.port) == .done(0))
        conversation.step()
        conversation.step()
        #expect(conversation.last == .wantsRead)
        #expect(conversation.port.sends == before + 1)
        #expect(conversation.drain().isEmpty)
        let second = Conversation(store, resuming: conversation.client.ticket())
        #expect(second.shakeHands() == .done)
        #expect(second.client.isResumed)
        #expect(conversation.answer([4, 5]) == [4, 5])
    }

    @Test func theTicketGoesAheadOfTheEndWhereThereIsNoAnswer() {
        let conversation = conversationWithEarlyRequest([1, 2, 3])
        #expect(conversation.session.handshake(through: conversation.port) == .done(0))
        conversation.step()
        conversation.session.closeWriting(through: conversation.port)
        #expect(conversation.drain().isEmpty)
        #expect(conversation.client.isClosedByServer)
    }

    @Test func aRequestOfWhichOnlyAPartHasComeHoldsNothingBack() {
        let conversation = conversationWithEarlyRequest([UInt8](repeating: 7, count: 1_000))
        let rest = conversation.port.toServer.suffix(500)
        conversation.port.toServer.removeLast(500)
        let before = conversation.port.sends
        #expect(conversation.session.handshake(through: conversation.port) == .done(0))
        conversation.step()
        #expect(conversation.last == .wantsRead)
        #expect(conversation.port.sends == before + 1)
        conversation.port.toServer = Array(rest)
        conversation.step()
        #expect(conversation.takeReceived() == [UInt8](repeating: 7, count: 1_000))
        #expect(conversation.answer([4]) == [4])
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func theEndLeavesWithTheLastAnswer(version: Int32) {
        let conversation = Conversation(store, .init(minimum: version, maximum: version))
        #expect(conversation.shakeHands() == .done)
        let before = conversation.port.sends
        let answer: [UInt8] = [1, 2, 3]
        let outcome = answer.withUnsafeBytes {
            conversation.session.send($0, isLast: true, through: conversation.port)
        }
        #expect(outcome == .done(3))
        conversation.session.closeWriting(through: conversation.port)
        #expect(conversation.port.sends == before + 1)
        #expect(conversation.drain() == answer)
        #expect(conversation.client.isClosedByServer)
    }

    @Test(arguments: [1, 20, 50_000, 200_000])
    func theEndIsThereOnceWhereTheClientTakesTheLastAnswerInPieces(count: Int) {
        let conversation = Conversation(store)
        #expect(conversation.shakeHands() == .done)
        conversation.port.capacity = 1_000
        let answer = [UInt8](repeating: 9, count: count)
        var sent = 0
        var read: [UInt8] = []
        for _ in 0..<10_000 where sent < count {
            let outcome = answer[sent...].withUnsafeBytes {
                conversation.session.send($0, isLast: true, through: conversation.port)
            }
            if case .done(let moved) = outcome { sent += moved }
            read += conversation.drain()
        }
        conversation.session.closeWriting(through: conversation.port)
        read += conversation.drain()
        #expect(read == answer)
        #expect(conversation.client.isClosedByServer)
    }
}
