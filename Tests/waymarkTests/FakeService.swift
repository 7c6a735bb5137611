import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A service's API on a port of this machine: each request gets what the closure makes of it.
final class FakeService: Sendable {
    enum Answer: Sendable {
        case json(String, status: Int = 200, fields: [String] = [])
        /// Sent as it is, then the connection ends.
        case bytes(String)
        /// Nothing, ever.
        case silence
    }

    struct Failed: Error {}

    let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let waiting = Mutex<[Int32]>([])

    /// - Parameter answer: given the target of a request, and its number from 0.
    init(_ answer: @escaping @Sendable (_ target: String, _ number: Int) -> Answer) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard listener >= 0, bound else { throw Failed() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let caller = accept(listener, nil, nil)
                guard caller >= 0 else { return }
                let request = Self.head(caller)
                guard let number = self?.note(request) else { return }
                let target = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                self?.send(answer(target, number), to: caller)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for caller in waiting.withLock({ $0 }) { close(caller) }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// The heads of all requests.
    var requests: [String] { heard.withLock { $0 } }
    var targets: [String] { requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" } }

    private func note(_ request: String) -> Int {
        heard.withLock {
            $0.append(request)
            return $0.count - 1
        }
    }

    private func send(_ answer: Answer, to caller: Int32) {
        let text: String
        switch answer {
        case .json(let body, let status, let fields):
            let lines = ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + fields
            text = "HTTP/1.1 \(status) X\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body
        case .bytes(let bytes): text = bytes
        case .silence: return waiting.withLock { $0.append(caller) }
        }
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(caller, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else { break }
            sent += count
        }
        close(caller)
    }

    private static func head(_ caller: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n") { return text }
            let count = recv(caller, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }
}
