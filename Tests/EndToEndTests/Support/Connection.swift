import WaymarkTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client's connection over a plain socket: the bytes that a test gives are the bytes that are sent.
final class Connection {
    enum Failure: Error, Equatable {
        case refused
        /// The server closed before the answer was whole.
        case closed
        /// Nothing came within the time limit of the socket.
        case timedOut
        /// What came is no HTTP answer.
        case malformed(String)
        case system(Int32)

        init(_ failure: SocketFailure) {
            self =
                switch failure.code {
                case ECONNREFUSED: .refused
                case EPIPE, ECONNRESET: .closed
                case EAGAIN: .timedOut
                default: .system(failure.code)
                }
        }
    }

    private let socket: StreamSocket
    private var received: [UInt8] = []
    /// Lives as long as this connection.
    private let server: AnyObject?
    /// Whether what came last was a reset.
    var wasReset = false

    var descriptor: Int32 { socket.descriptor }

    /// Connects to a port on the loopback address. Waiting for bytes ends after 30 seconds.
    ///
    /// - Parameter server: what ends the server when it is released, where something does.
    init(port: UInt16, keeping server: AnyObject? = nil) throws(Failure) {
        self.server = server
        do { socket = try StreamSocket(port: port) } catch { throw Failure(error) }
    }

    /// Connects to a Unix-domain socket.
    init(path: String, keeping server: AnyObject? = nil) throws(Failure) {
        self.server = server
        do {
            socket = try StreamSocket(path: path)
        } catch {
            throw error.code == ENOENT ? .refused : Failure(error)
        }
    }

    func send(_ text: String) throws(Failure) { try send(Array(text.utf8)) }

    /// Sends all of it. `closed` where the server stopped reading; what it answered can still be received.
    func send(_ bytes: [UInt8]) throws(Failure) {
        do { try socket.send(bytes) } catch { throw Failure(error) }
    }

    /// The next answer. Informational ones (1xx) are answers too.
    ///
    /// - Parameter hasBody: false for the answer to a HEAD.
    func receive(hasBody: Bool = true) throws(Failure) -> Answer {
        let reader = AnswerReader(hasBody: hasBody)
        while true {
            if let answer = try reader.read(&received) { return answer }
            guard try fill() else {
                if let answer = reader.end(&received) { return answer }
                throw .closed
            }
        }
    }

    /// What comes next, as it is; empty at the end.
    func receiveSome() throws(Failure) -> [UInt8] {
        if received.isEmpty { _ = try fill() }
        defer { received = [] }
        return received
    }

    /// Whether the server has closed and nothing is left to be read. Waits for either.
    func isClosed() throws(Failure) -> Bool {
        guard received.isEmpty else { return false }
        do throws(Failure) {
            return try !fill()
        } catch {
            guard error == .closed else { throw error }
            return true
        }
    }

    /// False at the end of the stream.
    private func fill() throws(Failure) -> Bool {
        do {
            let bytes = try socket.receive()
            received += bytes
            return !bytes.isEmpty
        } catch {
            throw Failure(error)
        }
    }
}
