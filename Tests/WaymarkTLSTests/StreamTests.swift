import CWaymarkOpenSSL
import TLSTestSupport
import Testing
import WaymarkTLS

/// Plaintext through a session, whatever the wire does to the ciphertext.
@Suite struct StreamTests {
    private let store: CertificateStore
    private static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    init() throws {
        store = try TestCertificates.store([TestCertificates.shared.ecdsa])
    }

    private func open(_ version: Int32, _ configure: (MemoryPort) -> Void = { _ in }) -> Conversation {
        let conversation = Conversation(store, .init(minimum: version, maximum: version))
        configure(conversation.port)
        #expect(conversation.shakeHands() == .done)
        return conversation
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

    @Test(arguments: versions)
    func takesCiphertextByteByByte(version: Int32) {
        let conversation = open(version) {
            $0.readLimit = 1
            $0.writeLimit = 1
        }
        let message = bytes(3_000)
        conversation.send(message)
        #expect(conversation.takeReceived() == message)
        #expect(conversation.answer(message) == message)
    }

    @Test(arguments: versions, [7, 1_460, 16_384, 100_000])
    func carriesLargeBodiesBothWays(version: Int32, limit: Int) {
        let conversation = open(version) {
            $0.readLimit = limit
            $0.writeLimit = limit
        }
        let message = bytes(300_000)
        conversation.send(message)
        #expect(conversation.takeReceived() == message)
        #expect(conversation.answer(message) == message)
    }

    @Test(arguments: [1, 5, 100, 16_000, 16_384, 40_000])
    func keepsWhatTheReaderHasNoRoomFor(room: Int) {
        let conversation = open(TLS1_3_VERSION)
        let message = bytes(50_000)
        for piece in stride(from: 0, to: message.count, by: 3_000) {
            #expect(conversation.client.write(Array(message[piece..<min(piece + 3_000, message.count)])) == .done)
        }
        conversation.port.toServer = conversation.client.ciphertext()
        for _ in 0..<200_000 where conversation.received.count < message.count { conversation.step(room: room) }
        #expect(conversation.takeReceived() == message)
    }

    @Test func sendsAllRecordsOfATurnInOneCall() {
        let conversation = open(TLS1_3_VERSION)
        let sends = conversation.port.sends
        let outcome = bytes(32_768).withUnsafeBytes { conversation.session.send($0, through: conversation.port) }
        #expect(outcome == .done(32_768))
        #expect(conversation.port.sends == sends + 1)
    }

    @Test func reportsTheEndOfAnAnswerOnlyWhenThePortHasIt() {
        let conversation = open(TLS1_3_VERSION) { $0.capacity = 20_000 }
        let message = bytes(30_000)
        var sent = 0
        while true {
            let outcome = message[sent...].withUnsafeBytes {
                conversation.session.send($0, through: conversation.port)
            }
            guard case .done(let count) = outcome else {
                #expect(outcome == .wantsWrite)
                break
            }
            sent += count
        }
        // The client takes half at first: that counts as progress, so that nobody takes it for one that stands still.
        #expect((19_000...20_000).contains(sent))
        conversation.port.capacity += 5_000
        let outcome = message[sent...].withUnsafeBytes { conversation.session.send($0, through: conversation.port) }
        #expect(outcome == .done(5_000))
        sent += 5_000
        var read = conversation.drain()
        while sent < message.count {
            guard
                case .done(let count) = message[sent...].withUnsafeBytes({
                    conversation.session.send($0, through: conversation.port)
                })
            else { continue }
            sent += count
        }
        read += conversation.drain()
        #expect(read == message)
    }

    @Test func readsNothingWhileAnAnswerOfTheProtocolWaits() {
        let conversation = open(TLS1_2_VERSION)
        conversation.port.capacity = 0
        conversation.client.renegotiate()
        #expect(conversation.client.handshake() == .wantsMore)
        conversation.port.toServer = conversation.client.ciphertext()
        conversation.step()
        #expect(conversation.last == .wantsWrite)
        conversation.step()
        #expect(conversation.last == .wantsWrite)
        conversation.port.capacity = .max
        conversation.step()
        #expect(conversation.last == .wantsRead)
        #expect(!conversation.port.toClient.isEmpty)
    }

    @Test(arguments: versions)
    func tellsAnOrderlyEndFromATruncation(version: Int32) {
        let orderly = open(version)
        orderly.send([1])
        orderly.client.close()
        orderly.port.isEnded = true
        orderly.deliver()
        #expect(orderly.last == .done(0))
        #expect(orderly.takeReceived() == [1])
        // The other direction is open still (RFC 8446 section 6.1).
        #expect(orderly.answer([2]) == [2])
        let truncated = open(version)
        truncated.send([1])
        truncated.port.isEnded = true
        truncated.step()
        #expect(truncated.last == .truncated)
        #expect(truncated.answer([2]) == [2])
    }

    @Test(arguments: versions)
    func announcesItsEnd(version: Int32) {
        let conversation = open(version)
        #expect(conversation.answer([1]) == [1])
        #expect(!conversation.client.isClosedByServer)
        conversation.session.closeWriting(through: conversation.port)
        #expect(conversation.drain().isEmpty)
        #expect(conversation.client.isClosedByServer)
        let sends = conversation.port.sends
        conversation.session.closeWriting(through: conversation.port)
        #expect(conversation.port.sends == sends)
        let outcome = [UInt8(1)].withUnsafeBytes { conversation.session.send($0, through: conversation.port) }
        #expect(outcome == .failed)
    }

    @Test(arguments: versions)
    func endsWithAForgedRecord(version: Int32) {
        let conversation = open(version)
        #expect(conversation.client.write([1, 2, 3]) == .done)
        var record = conversation.client.ciphertext()
        record[record.count - 1] ^= 1
        conversation.port.toServer = record
        conversation.step()
        #expect(conversation.last == .failed)
        #expect(conversation.takeReceived().isEmpty)
        #expect(conversation.session.failure != nil)
        conversation.session.closeWriting(through: conversation.port)
        conversation.step()
        #expect(conversation.last == .failed)
    }

    @Test func servesManySessionsFromOneSetOfBuffers() {
        let buffers = CiphertextBuffers()
        let pairs = (0..<8).map { _ in (TLSSession(store, buffers: buffers), TestClient(), MemoryPort()) }
        // All handshakes in step with each other, the records of each cut in two.
        for _ in 0..<20 {
            for (session, client, port) in pairs {
                _ = client.handshake()
                let bytes = client.ciphertext()
                for piece in [bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count - bytes.count / 2)] {
                    port.toServer += piece
                    _ = session.handshake(through: port)
                }
                client.take(port.toClient)
                port.toClient = []
            }
        }
        var plaintext = [UInt8](repeating: 0, count: 100)
        for (number, (session, client, port)) in pairs.enumerated() {
            #expect(client.write([UInt8(number)]) == .done)
            port.toServer += client.ciphertext()
            let outcomes = (0..<3).map { _ in
                plaintext.withUnsafeMutableBytes { session.receive(into: $0, through: port) }
            }
            #expect(outcomes.contains(.done(1)))
            #expect(plaintext[0] == UInt8(number))
        }
    }
}
