import Testing
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer
import WaymarkSite
import WaymarkSockets

/// Parses the request's bytes and asks a handler, as an event loop would; the actor stands for the loop's thread.
actor InProcessClient: TestClient {
    private let handler: any RequestHandler
    private let head = RequestHead()
    private let peer: Peer

    init(_ site: Site, peer: Peer) {
        handler = site.makeHandler()
        self.peer = peer
    }

    init(_ site: Site, role: ListenerRole = .public) {
        handler = site.makeHandler()
        peer = Peer(addressText: "127.0.0.1", role: role) ?? Peer(address: .init(high: 0, low: 1), role: role)
    }

    func send(_ request: TestRequest) async throws -> TestAnswer {
        var parser = RequestParser()
        let bytes = request.head
        switch parser.parse(bytes.span, into: head) {
        case .head: break
        case .needMore: throw Unreadable()
        case .reject(let status, let detail):
            return Self.answer(handler.refusal(status, detail: detail), isHead: false)
        }
        let isHead = request.method == "HEAD"
        if let ready = handler.cachedResponse(to: head, in: bytes.span, from: peer)?.takeUnretainedValue() {
            return TestAnswer(
                status: Int(ready.status.code),
                headers: TestAnswer.headers(String(decoding: ready.fields, as: UTF8.self)),
                body: isHead ? [] : ready.body)
        }
        switch handler.respond(to: head, in: bytes.span, from: peer) {
        case .now(let response): return Self.answer(response, isHead: isHead)
        case .later(_, let work): return Self.answer(await work(), isHead: isHead)
        case .body(let limit, _, let work):
            let body = request.body ?? []
            guard body.count <= limit else {
                return Self.answer(handler.refusal(.contentTooLarge, detail: "The body is too large."), isHead: false)
            }
            return Self.answer(await work(body), isHead: isHead)
        case .stream(let limit, let receiver):
            let body = request.body ?? []
            guard body.count <= limit else {
                return Self.answer(handler.refusal(.contentTooLarge, detail: "The body is too large."), isHead: false)
            }
            return Self.answer(await receiver.response(to: body), isHead: isHead)
        }
    }

    private struct Unreadable: Error {}

    private static func answer(_ response: Response, isHead: Bool) -> TestAnswer {
        let fields = TestAnswer.headers(String(decoding: response.fields.bytes, as: UTF8.self))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body, !isHead { body = bytes }
        return TestAnswer(status: Int(response.status.code), headers: fields, body: body)
    }
}
