import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkSite
import WaymarkSockets

/// Parses requests and has a site answer them, as an event loop does, without a socket.
actor SiteCaller {
    struct Call: Sendable {
        let head: [UInt8]
        let body: [UInt8]
    }

    private let handler: any RequestHandler
    private let head = RequestHead()
    private let peer: Peer

    init(_ site: Site) {
        handler = site.makeHandler()
        peer = Peer(addressText: "127.0.0.1") ?? Peer(address: .init(high: 0, low: 1))
    }

    /// - Returns: the status of the answer.
    func status(of call: Call) async throws -> Int {
        let bytes = call.head
        var parser = RequestParser()
        switch parser.parse(bytes.span, into: head) {
        case .head: break
        case .needMore: throw BenchmarkSite.Failure(description: "the request has no end")
        case .reject(let status, let detail):
            throw BenchmarkSite.Failure(description: "\(status.code) \(detail)")
        }
        let response: Response
        switch handler.respond(to: head, in: bytes.span, from: peer) {
        case .now(let answer): response = answer
        case .later(_, let work): response = await work()
        case .body(let limit, _, let work):
            guard call.body.count <= limit else {
                throw BenchmarkSite.Failure(description: "the body has \(call.body.count) bytes, and may have \(limit)")
            }
            response = await work(call.body)
        case .stream(_, let receiver): response = await receiver.response(to: call.body)
        }
        return Int(response.status.code)
    }
}
