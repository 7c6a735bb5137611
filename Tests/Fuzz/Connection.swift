// needs: WaymarkServer WaymarkSockets WaymarkHTTP
// links: ssl crypto z
// begins with: conformance Tests/WaymarkHTTPTests/Fixtures

import Dispatch
import Glibc
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// A whole connection on a real socket: a server must answer just what parser and decoder alone make of the bytes, in
/// order, and close. The client ends its side behind the bytes, so that no deadline is waited for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let expected = Model.statuses(bytes, inPieces: false)
    let answered = Client.statuses(bytes)
    if answered != expected {
        // A line that ends nowhere is refused at once or not at all, as its pieces come.
        let late = Model.statuses(bytes, inPieces: true)
        precondition(answered == late, "\(answered) instead of \(expected) or \(late)")
    }
    return 0
}

/// Answers everything with 200 and nothing else: `/b…` reads the body, `/l…` takes a moment.
private final class Handler: RequestHandler {
    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        switch head.path.count > 1 ? bytes[Int(head.path.start) + 1] : 0 {
        case UInt8(ascii: "b"): return .body(limit: 1_000) { _ in Response(.ok) }
        case UInt8(ascii: "l"): return .later { Response(.ok) }
        default: return .now(Response(.ok))
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
}

private let port: UInt16 = {
    let started = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var port: UInt16 = 0
    Task.detached {
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = getenv("WAYMARK_EVENT_LOOP") == nil ? .epoll : .dispatch
        configuration.threads = 1
        guard let server = try? await Server.start(configuration, handler: { Handler() }) else {
            fatalError("no server")
        }
        port = server.listeners[0].address.port
        started.signal()
        // For ever, and the server with it.
        while true { try? await Task.sleep(for: .seconds(3_600)) }
    }
    started.wait()
    return port
}()

/// What a server is to answer.
private enum Model {
    static func statuses(_ bytes: [UInt8], inPieces: Bool) -> [Int] {
        var statuses: [Int] = []
        var position = 0
        let head = RequestHead()
        while true {
            var parser = RequestParser()
            var outcome = RequestParser.Outcome.needMore
            if inPieces {
                for end in position..<bytes.count where outcome == .needMore {
                    outcome = parser.parse(bytes.span.extracting(position..<end + 1), into: head)
                }
            } else {
                outcome = parser.parse(bytes.span.extracting(position..<bytes.count), into: head)
            }
            switch outcome {
            case .needMore: return statuses
            case .reject(let status, _): return statuses + [Int(status.code)]
            case .head(let length):
                let second = head.path.count > 1 ? bytes[position + Int(head.path.start) + 1] : 0
                let isWanted = second == UInt8(ascii: "b")
                position += length
                var hasBody = true
                switch head.framing {
                case .none, .length(0): hasBody = false
                case .length(let length):
                    if !isWanted, length > 65_536 || head.expectsContinue { return statuses + [200] }
                case .chunked:
                    if !isWanted, head.expectsContinue { return statuses + [200] }
                }
                if hasBody {
                    switch skip(bytes, &position, BodyDecoder(head.framing, limit: isWanted ? 1_000 : 65_536)) {
                    case 0: return statuses
                    case 200: break
                    case 413 where !isWanted: return statuses + [200]
                    case let status: return statuses + [status]
                    }
                }
                statuses.append(200)
                if !head.keepAlive { return statuses }
            }
        }
    }

    /// 200 where the body is complete, 0 where it is not.
    private static func skip(_ bytes: [UInt8], _ position: inout Int, _ decoder: BodyDecoder) -> Int {
        var decoder = decoder
        while true {
            switch decoder.decode(bytes.span.extracting(position..<bytes.count)) {
            case .data(_, let consumed): position += consumed
            case .needMore: return 0
            case .end(let consumed):
                position += consumed
                return 200
            case .reject(let status, _): return Int(status.code)
            }
        }
    }
}

private enum Client {
    nonisolated(unsafe) private static var connections: UInt32 = 0

    /// The final statuses that come back for the bytes.
    static func statuses(_ bytes: [UInt8]) -> [Int] {
        let descriptor = connect()
        defer { close(descriptor) }
        // Where it is cut depends on the bytes alone, so that a finding repeats.
        let hash = bytes.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let size = [bytes.count, bytes.count / 2, bytes.count / 3, 1][Int(hash >> 33 & 3)]
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + max(size, bytes.count > 200 ? 16 : 1))
            let sent = bytes[position..<end].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            if sent <= 0 { break }
            position += sent
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count == 0 || (count < 0 && errno == ECONNRESET) { break }
            precondition(count > 0, "no end of the connection after ten seconds, behind \(received.count) bytes")
            received += buffer[..<count]
        }
        return read(received)
    }

    // libFuzzer's alarm for inputs that hang interrupts whatever waits just then.
    private static func connect() -> Int32 {
        while true {
            if let descriptor = attempt() { return descriptor }
        }
    }

    /// Nil where it was interrupted.
    private static func attempt() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        // Many addresses, because closed connections keep their ports for a minute.
        connections &+= 1
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = (0x7F01_0000 | connections / 64 % 0xFFFF).bigEndian
        var server = own
        server.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        server.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &own) { own in
            withUnsafePointer(to: &server) { server in
                own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                    server.withMemoryRebound(to: sockaddr.self, capacity: 1) { server in
                        bind(descriptor, own, size) == 0 ? Glibc.connect(descriptor, server, size) : -1
                    }
                }
            }
        }
        if result != 0, errno == EINTR {
            close(descriptor)
            return nil
        }
        precondition(result == 0, "no connection: \(errno)")
        return descriptor
    }

    /// Heads without bodies, one after the other.
    private static func read(_ received: [UInt8]) -> [Int] {
        var statuses: [Int] = []
        var start = 0
        var isLast = false
        var position = 0
        while position + 3 < received.count {
            guard received[position..<position + 4].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) else {
                position += 1
                continue
            }
            let text = String(decoding: received[start..<position], as: UTF8.self)
            precondition(!isLast, "an answer behind the last")
            precondition(text.hasPrefix("HTTP/1.1 "), "a status line")
            let status = Int(text.dropFirst(9).prefix(3)) ?? 0
            isLast = text.hasSuffix("\r\nConnection: close")
            if status >= 200 { statuses.append(status) }
            position += 4
            start = position
        }
        precondition(start == received.count, "half an answer")
        return statuses
    }
}
