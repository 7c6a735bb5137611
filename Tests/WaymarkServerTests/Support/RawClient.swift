import Glibc
import Testing
import WaymarkBytes
import WaymarkSockets
import WaymarkTestSupport

/// A client that speaks bytes: sends what it is told, however broken, and reads what comes.
///
/// Every wait ends by itself: reads give up after some seconds, so that a server that does not answer fails a test
/// instead of stopping the suite. It waits on a queue of its own, because the tasks of the server under test need the
/// threads that tests run on.
actor RawClient {
    private let executor = BlockingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let socket: StreamSocket
    private(set) var received: [UInt8] = []
    private(set) var isAtEnd = false
    /// Applied to each byte that is received.
    private var mask: UInt8 = 0
    private(set) var wasReset = false

    /// - Parameter source: the loopback address to come from, where it matters.
    init(_ address: SocketAddress, receiveBuffer: Int32? = nil, from source: String? = nil) throws {
        socket = try StreamSocket(
            port: address.port, from: source.flatMap { IPAddress($0)?.ipv4 }, receiveBuffer: receiveBuffer,
            timeLimit: 20)
    }

    /// Through a Unix-domain socket.
    init(path: String) throws {
        socket = try StreamSocket(path: path, timeLimit: 20)
    }

    private var descriptor: Int32 { socket.descriptor }

    /// Sends all of it; false where the server has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { (try? socket.send(bytes)) != nil }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Sends what the socket takes without waiting; returns how much that was.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int { socket.sendWithoutWaiting(bytes) }

    func endSending() { socket.endSending() }

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
        do throws(SocketFailure) {
            let bytes = try socket.receive(atMost: limit)
            isAtEnd = bytes.isEmpty
            received += mask == 0 ? bytes : bytes.map { $0 ^ mask }
            return !bytes.isEmpty
        } catch {
            wasReset = error.code == ECONNRESET
            return false
        }
    }

    func setMask(_ mask: UInt8) {
        self.mask = mask
    }

    /// Takes bytes away from what has been received.
    func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    func takeAll() -> [UInt8] { take(received.count) }

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
