import Foundation
import Synchronization

/// Another service's HTTP API on a port of this machine: each request gets the answer that the closure returns.
package final class FakeService: Sendable {
    package enum Answer: Sendable {
        case json(String, status: Int = 200, fields: [String] = [])
        /// Sent as it is, then the connection ends.
        case text(String)
        case bytes([UInt8])
        /// Nothing, and the connection stays open.
        case silence
    }

    /// What the thread that serves shares with the test.
    private final class Log: Sendable {
        let requests = Mutex<[String]>([])
        let silent = Mutex<[StreamSocket]>([])
    }

    private let log = Log()
    private let listener: SocketListener

    /// - Parameter answer: given the target of a request, and its number from 0.
    package init(_ answer: @escaping @Sendable (_ target: String, _ number: Int) -> Answer) throws {
        listener = try SocketListener { [log] socket in
            let request = Self.receiveRequest(socket)
            let number = log.requests.withLock {
                $0.append(request)
                return $0.count - 1
            }
            switch answer(Self.target(request), number) {
            case .json(let body, let status, let fields):
                let lines = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + fields
                Self.send("HTTP/1.1 \(status) X\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body, socket)
            case .text(let text): Self.send(text, socket)
            case .bytes(let bytes): Self.send(bytes, socket)
            case .silence: log.silent.withLock { $0.append(socket) }
            }
        }
    }

    package var port: UInt16 { listener.port }
    package var url: String { "http://127.0.0.1:\(port)" }
    /// Heads and bodies of all requests.
    package var requests: [String] { log.requests.withLock { $0 } }
    package var targets: [String] { requests.map(Self.target) }

    private static func target(_ request: String) -> String {
        request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    private static func send(_ text: String, _ socket: StreamSocket) { send(Array(text.utf8), socket) }

    private static func send(_ bytes: [UInt8], _ socket: StreamSocket) {
        try? socket.send(bytes)
        socket.endSending()
        // Closing while bytes of the client are unread would reset the connection and lose the answer.
        _ = socket.receiveAll()
    }

    /// Reads until the body is as long as the head says.
    private static func receiveRequest(_ socket: StreamSocket) -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
                    .first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            guard let part = try? socket.receive(), !part.isEmpty else { return text }
            bytes += part
        }
    }
}
