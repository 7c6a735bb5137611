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
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    /// Lives as long as this connection.
    private let server: AnyObject?
    /// Whether what came last was a reset.
    var wasReset = false

    /// Connects to a port on the loopback address. Waiting for bytes ends after 30 seconds.
    ///
    /// - Parameter server: what ends the server when it is released, where something does.
    init(port: UInt16, keeping server: AnyObject? = nil) throws(Failure) {
        self.server = server
        descriptor = try Self.open(AF_INET)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))

        var address = LoopbackAddress.make(port: port)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw code == ECONNREFUSED ? .refused : .system(code)
        }
    }

    /// Connects to a Unix-domain socket.
    init(path: String, keeping server: AnyObject? = nil) throws(Failure) {
        self.server = server
        descriptor = try Self.open(AF_UNIX)
        let status = LocalSocketAddress.with(path: path) { connect(descriptor, $0, $1) }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw code == ECONNREFUSED || code == ENOENT ? .refused : .system(code)
        }
    }

    deinit { close(descriptor) }

    /// Waiting for the other side ends after 30 seconds.
    private static func open(_ family: Int32) throws(Failure) -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .system(errno) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    func send(_ text: String) throws(Failure) { try send(Array(text.utf8)) }

    /// Sends all of it. `closed` where the server stopped reading; what it answered can still be received.
    func send(_ bytes: [UInt8]) throws(Failure) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, flags)
                #else
                    Darwin.send(descriptor, buffer.baseAddress! + sent, buffer.count - sent, flags)
                #endif
            }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE || errno == ECONNRESET {
                throw .closed
            } else if errno == EAGAIN {
                throw .timedOut
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
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
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 {
                received += chunk[..<count]
                return true
            }
            if count == 0 { return false }
            switch errno {
            case EINTR: continue
            case EAGAIN: throw .timedOut
            case ECONNRESET: throw .closed
            default: throw .system(errno)
            }
        }
    }
}

enum LoopbackAddress {
    static func make(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }
}

enum LocalSocketAddress {
    /// Lends the address of a path.
    static func with<Result>(path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
