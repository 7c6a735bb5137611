import TLSTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client's connection over TLS. It checks no certificate: which one is shown is what tests ask for.
final class SecureConnection {
    enum Failure: Error, Equatable { case handshake(String) }

    private let plain: Connection
    private let client: TestClient
    private var received: [UInt8] = []

    /// Connects and shakes hands.
    init(
        port: UInt16, _ settings: TestClient.Settings = .init(serverName: Shop.host),
        resuming ticket: TestClient.Ticket? = nil, keeping server: AnyObject? = nil
    ) throws {
        plain = try Connection(port: port, keeping: server)
        client = TestClient(settings, resuming: ticket)
        while true {
            let outcome = client.handshake()
            try plain.send(client.ciphertext())
            switch outcome {
            case .done: return
            case .failed(let reason): throw Failure.handshake(reason)
            case .wantsMore: client.take(try receiveSome())
            }
        }
    }

    var shownName: String? { client.shownName }
    var staple: [UInt8]? { client.staple }
    var isResumed: Bool { client.isResumed }
    /// With TLS 1.3 only after an answer.
    func ticket() -> TestClient.Ticket { client.ticket() }

    func exchange(_ request: Request) throws -> Answer {
        _ = client.write(request.bytes)
        try plain.send(client.ciphertext())
        let reader = AnswerReader(hasBody: request.method != "HEAD")
        while true {
            received += client.read()
            if let answer = try reader.read(&received) { return answer }
            client.take(try receiveSome())
        }
    }

    func send(_ bytes: [UInt8]) throws {
        _ = client.write(bytes)
        try plain.send(client.ciphertext())
    }

    /// What comes next. Throws where the server has closed.
    func receive() throws -> [UInt8] {
        while true {
            let bytes = client.read()
            if !bytes.isEmpty { return bytes }
            client.take(try receiveSome())
        }
    }

    /// Says that nothing more comes from here.
    func end() throws {
        client.close()
        try plain.send(client.ciphertext())
        shutdown(plain.descriptor, Int32(SHUT_WR))
    }

    private func receiveSome() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(plain.descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        throw count < 0 && errno == EAGAIN ? Connection.Failure.timedOut : Connection.Failure.closed
    }
}

extension RunningServer {
    /// The port of its TLS listener.
    func securePort() throws -> UInt16 {
        try eventually("waymark says where it listens for TLS") {
            let log = program.errorText
            guard let address = log.firstRange(of: "https://127.0.0.1:") else { return nil }
            let digits = log[address.upperBound...].prefix(while: \.isNumber)
            guard log[digits.endIndex...].first != nil else { return nil }
            return UInt16(digits)
        }
    }

    func connectSecurely(
        _ settings: TestClient.Settings = .init(serverName: Shop.host), resuming ticket: TestClient.Ticket? = nil
    ) throws -> SecureConnection {
        try SecureConnection(port: try securePort(), settings, resuming: ticket, keeping: self)
    }
}
