import Glibc
import Synchronization
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Answers by path: `/now`, `/later`, `/body` and the like, each for one way to reply.
final class TestHandler: RequestHandler {
    /// What tests and handlers share.
    final class Board: Sendable {
        let bodies = Mutex<[[UInt8]]>([])
        let calls = Atomic<Int>(0)
        let gate = Gate()
        let arrived = Gate()
        /// Opened when what was gated has gone on to its end.
        let finished = Gate()

        var bodyCount: Int { bodies.withLock { $0.count } }
        var callCount: Int { calls.load(ordering: .relaxed) }
    }

    let board: Board
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)

    init(_ board: Board) {
        self.board = board
    }

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        board.calls.add(1, ordering: .relaxed)
        let path = head.path.indices.map { bytes[$0] }
        let text = String(decoding: path, as: UTF8.self)
        let board = board
        switch text.split(separator: "/").first ?? "" {
        case "later": return .later { Response(.ok, body: .bytes(path)) }
        case "gated":
            return .later(text.hasSuffix("brief") ? .onEventLoop : .any) {
                await board.arrived.open()
                await board.gate.wait()
                await board.finished.open()
                return Response(.ok, body: .bytes(path))
            }
        case "body":
            return .body(limit: 1_000) { body in
                board.bodies.withLock { $0.append(body) }
                return Response(.ok, body: .bytes(body))
            }
        case "place":
            let loop = pthread_self()
            let executionHint: Reply.ExecutionHint = text.hasSuffix("brief") ? .onEventLoop : .any
            return .body(limit: 100_000, executionHint) { _ in
                let begun = pthread_equal(pthread_self(), loop) != 0
                await Task.yield()
                let resumed = pthread_equal(pthread_self(), loop) != 0
                return Response(.ok, body: .bytes(Array("loop: \(begun), \(resumed)".utf8)))
            }
        case "large": return .now(Response(.ok, body: .bytes(large)))
        case "empty": return .now(Response(.noContent))
        case "unchanged": return .now(Response(.notModified))
        case "peer":
            return .now(Response(.ok, body: .bytes(Array("\(peer.addressText) \(peer.role)".utf8))))
        case "medium": return .now(Response(.ok, body: .bytes([UInt8](repeating: UInt8(ascii: "z"), count: 200_000))))
        case "burst": return .now(Response(.ok, body: .bytes([UInt8](repeating: UInt8(ascii: "y"), count: 20_000))))
        default: return .now(Response(.ok, body: .bytes(path)))
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response {
        Response(status, body: .bytes(Array("\(detail)".utf8)))
    }
}

/// Lets tasks wait until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}

/// A server with a `TestHandler`, for the length of one test.
func withServer(
    _ kind: EventLoopKind, threads: Int = 1, limits: ServerLimits = ServerLimits(),
    configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Server, SocketAddress, TestHandler.Board) async throws -> Void
) async throws {
    var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
    configuration.eventLoop = kind
    configuration.threads = threads
    configuration.limits = limits
    configuration.limits.shutdownGrace = min(limits.shutdownGrace, .seconds(20))
    configure(&configuration)
    let board = TestHandler.Board()
    let server = try await Server.start(configuration) { TestHandler(board) }
    do {
        try await body(server, server.listeners[0].address, board)
    } catch {
        await board.gate.open()
        await server.drain()
        throw error
    }
    await board.gate.open()
    await server.drain()
}

extension ServerLimits {
    /// For tests whose clients stay as long as they please, however slow the machine is.
    var patient: ServerLimits {
        var limits = self
        limits.firstByte = .seconds(600)
        limits.header = .seconds(600)
        limits.bodyIdle = .seconds(600)
        limits.bodyTotal = .seconds(600)
        limits.keepAliveIdle = .seconds(600)
        limits.keepAliveIdleWhenCrowded = .seconds(600)
        limits.writeStall = .seconds(600)
        return limits
    }
}
