import Dispatch
import Glibc
import Testing
import WaymarkBytes
import WaymarkSockets

/// A client that speaks bytes: sends what it is told, however broken, and reads what comes.
///
/// Every wait ends by itself: reads give up after some seconds, so that a server that does not answer fails a test
/// instead of stopping the suite. It waits on a queue of its own, because the tasks of the server under test need the
/// threads that tests run on.
actor RawClient {
    private let executor = ClientExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isAtEnd = false
    /// Applied to each byte that is received.
    private var mask: UInt8 = 0
    private(set) var wasReset = false

    /// - Parameter source: the loopback address to come from, where it matters.
    init(_ address: SocketAddress, receiveBuffer: Int32? = nil, from source: String? = nil) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        var kernel = sockaddr_in()
        kernel.sin_family = sa_family_t(AF_INET)
        kernel.sin_port = address.port.bigEndian
        kernel.sin_addr.s_addr = address.address.ipv4.bigEndian
        if let source, let own = IPAddress(source) {
            var local = sockaddr_in()
            local.sin_family = sa_family_t(AF_INET)
            local.sin_addr.s_addr = own.ipv4.bigEndian
            let bound = withUnsafePointer(to: &local) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(bound == 0)
        }
        let result = withUnsafePointer(to: &kernel) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        if result != 0 { throw SystemError(code: errno, operation: "connect") }
    }

    /// Through a Unix-domain socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var kernel = sockaddr_un()
        kernel.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &kernel.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &kernel) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0 { throw SystemError(code: errno, operation: "connect") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of it; false where the server has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + offset, $0.count - offset, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            offset += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Sends what the socket takes without waiting; returns how much that was.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return bytes.withUnsafeBytes { max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, flags)) }
    }

    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the close, which comes with the end of this object, a reset without anything before it.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Makes the close a reset, as from a client that vanishes.
    func closeAbruptly() {
        resetWhenClosed()
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Reads once; false at the end of the stream or when patience ends.
    @discardableResult
    func readMore(atMost limit: Int = 65_536) -> Bool {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            received.append(contentsOf: mask == 0 ? buffer[..<count] : buffer[..<count].map { $0 ^ mask }[...])
            return true
        }
        if count == 0 { isAtEnd = true } else { wasReset = errno == ECONNRESET }
        return false
    }

    func setMask(_ mask: UInt8) {
        self.mask = mask
    }

    /// Takes bytes away from what has been received.
    func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Reads what comes within some milliseconds; the pause between two bytes of a slow client.
    func readForAMoment() {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&event, 1, 5) > 0 { readMore() }
    }

    /// Whether the server takes more within half a second.
    func becomesWritable() -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&event, 1, 500) > 0 && event.revents & Int16(POLLOUT) != 0
    }

    /// Waits until the server has closed for good: then what is sent to it is answered with a reset.
    func waitForReset() {
        while send([0]) {
            var event = pollfd(fd: descriptor, events: 0, revents: 0)
            if poll(&event, 1, 5) > 0 { return }
        }
    }

    /// Everything up to the end of the stream.
    func readToEnd() -> String {
        while readMore() {}
        return String(decoding: received, as: UTF8.self)
    }

    /// The next response, with its body as its Content-Length says.
    func readResponse(isHead: Bool = false) throws -> RawResponse {
        while true {
            if let (response, length) = RawResponse.parse(received, isHead: isHead) {
                received.removeFirst(length)
                return response
            }
            try #require(readMore(), "no response; so far: \(String(decoding: received, as: UTF8.self))")
        }
    }
}

/// Runs one client's calls, which may block, on a queue of its own.
final class ClientExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "client")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A response as it came over the wire.
struct RawResponse: Equatable {
    var status: Int
    var statusLine: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func value(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    static func == (left: RawResponse, right: RawResponse) -> Bool {
        left.statusLine == right.statusLine && left.body == right.body
            && left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    static func parse(_ bytes: [UInt8], isHead: Bool) -> (RawResponse, length: Int)? {
        let separator: [UInt8] = [13, 10, 13, 10]
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (name: String(line[..<colon]), value: String(line[colon...].dropFirst(2)))
        }
        var response = RawResponse(
            status: Int(lines[0].split(separator: " ")[1]) ?? 0, statusLine: String(lines[0]), fields: fields, body: [])
        let hasNoBody = isHead || response.status < 200 || response.status == 204 || response.status == 304
        let length = hasNoBody ? 0 : response.value("Content-Length").flatMap { Int($0) } ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        response.body = Array(bytes[(end + 4)..<(end + 4 + length)])
        return (response, end + 4 + length)
    }
}
