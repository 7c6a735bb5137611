import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Listens on a port of this machine and sends every caller the same bytes, or nothing at all.
final class StandInServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[String]>([])

    struct Failed: Error {}

    /// - Parameter answer: what is sent when a request's head and body have arrived; nil leaves the caller waiting.
    init(answer: String?) throws {
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
                let request = Self.read(caller)
                self?.heard.withLock { $0.append(request) }
                guard let answer else { continue }
                _ = answer.withCString { write(caller, $0, strlen($0)) }
                close(caller)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [String] { heard.withLock { $0 } }

    /// Until the body is as long as the head says.
    private static func read(_ caller: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
                    .first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let count = recv(caller, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }
}
