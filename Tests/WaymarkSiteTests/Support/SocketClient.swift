import Dispatch
import Glibc

/// Talks to a server over TCP, one connection a request, on threads of its own: the blocking calls must not take those
/// that the handlers run on.
struct SocketClient: TestClient {
    let port: UInt16

    struct Failure: Error { let call: String }

    func send(_ request: TestRequest) async throws -> TestAnswer {
        var request = request
        request.headers.append(("Connection", "close"))
        let (bytes, port, isHead) = (request.bytes, port, request.method == "HEAD")
        let received: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.exchange(bytes, port: port) })
            }
        }
        return try Self.parse(received, isHead: isHead)
    }

    private static func exchange(_ bytes: [UInt8], port: UInt16) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect") }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The server may have answered and stopped reading: what it said is still to be read.
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return received
    }

    private static func parse(_ bytes: [UInt8], isHead: Bool) throws -> TestAnswer {
        var rest = bytes[...]
        while true {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure(call: "no head") }
            let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest = rest[end.upperBound...]
            guard let status = Int(head.dropFirst(9).prefix(3)) else { throw Failure(call: "no status") }
            if status == 100 { continue }
            let lines = head.drop { $0 != "\r\n" }
            let answer = TestAnswer(
                status: status, headers: TestAnswer.headers(String(lines)), body: isHead ? [] : Array(rest))
            if !isHead, let length = answer[header: "Content-Length"], Int(length) != rest.count {
                throw Failure(call: "Content-Length \(length), but \(rest.count) bytes")
            }
            return answer
        }
    }
}
