import Dispatch
import WaymarkTestSupport

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
        // Long enough for a machine on which hundreds of tests wait for few threads.
        let socket = try StreamSocket(port: port, timeLimit: 300)
        // The server may have answered and stopped reading: its response is still to be read.
        try? socket.send(bytes)
        return socket.receiveAll()
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
