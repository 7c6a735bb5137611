import TLSTestSupport
import Testing
import WaymarkTLS

/// A server's session and a client, with a wire in memory between them.
final class Conversation {
    let session: TLSSession
    let client: TestClient
    let port = MemoryPort()
    /// What the server has decrypted.
    private(set) var received: [UInt8] = []
    /// How the server's last step ended.
    private(set) var last = TLSOutcome.wantsRead

    init(
        _ store: CertificateStore, _ settings: TestClient.Settings = .init(), resuming ticket: TestClient.Ticket? = nil
    ) {
        session = TLSSession(store, buffers: CiphertextBuffers())
        client = TestClient(settings, resuming: ticket)
    }

    /// Both sides until they are done or stuck; returns how the client's ended.
    @discardableResult
    func shakeHands() -> TestClient.Outcome {
        var isOpen = false
        for _ in 0..<20_000 {
            let outcome = client.handshake()
            port.toServer += client.ciphertext()
            if !isOpen {
                last = session.handshake(through: port)
                isOpen = last == .done(0)
            } else {
                step()
            }
            let isIdle = port.toClient.isEmpty && port.toServer.isEmpty
            client.take(port.toClient)
            port.toClient = []
            if case .failed = outcome { return outcome }
            // A refusal is told to the client with an alert, which it has yet to read.
            if last == .failed { return client.handshake() }
            if isOpen, outcome == .done, isIdle { return .done }
        }
        return .wantsMore
    }

    /// The client sends, the server receives all that has come.
    func send(_ bytes: [UInt8]) {
        #expect(client.write(bytes) == .done)
        deliver()
    }

    /// Hands over what the client has to send, and lets the server read until it has enough.
    func deliver() {
        port.toServer += client.ciphertext()
        repeat { step() } while isProgress(last) || !port.toServer.isEmpty
    }

    /// One read of the server.
    func step(room: Int = 65_536) {
        var buffer = [UInt8](repeating: 0, count: room)
        last = buffer.withUnsafeMutableBytes { session.receive(into: $0, through: port) }
        if case .done(let count) = last { received += buffer[..<count] }
    }

    private func isProgress(_ outcome: TLSOutcome) -> Bool {
        if case .done(let count) = outcome { return count > 0 }
        return false
    }

    func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// The server sends all of it; the client reads whenever the server can't go on.
    func answer(_ bytes: [UInt8]) -> [UInt8] {
        var sent = 0
        var read: [UInt8] = []
        for _ in 0..<1_000_000 where sent < bytes.count {
            let outcome = bytes[sent...].withUnsafeBytes { session.send($0, through: port) }
            switch outcome {
            case .done(let count): sent += count
            case .wantsWrite: read += drain()
            default:
                Issue.record("sending ended with \(outcome)")
                return read
            }
        }
        return read + drain()
    }

    /// What the client has been sent, as plaintext.
    func drain() -> [UInt8] {
        client.take(port.toClient)
        port.toClient = []
        return client.read()
    }
}
