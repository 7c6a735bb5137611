import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Answers on named routes: `/ready` and `/ready-body` from what it keeps ready, `/later` outside of the loop,
/// everything else at once.
final class RoutedHandler: RequestHandler {
    static let routes: [RequestRoute] = [
        .none, RequestRoute(method: "GET", path: "/quiet", isQuiet: true), RequestRoute(method: "GET", path: "/now"),
        RequestRoute(method: "GET", path: "/later"), RequestRoute(method: "POST", path: "/body"),
        RequestRoute(method: "GET", path: "/probe", isProbe: true),
    ]

    private let prepared = PreparedResponse.make(
        .found, fields: HeaderFields((.location, "https://a.example/")), route: 1)
    private let preparedBody = PreparedResponse.make(
        .ok, fields: HeaderFields((.contentType, "text/plain")), body: Array("kept ready".utf8), route: 2)
    private(set) var route = 0
    let cachedRoute = 1

    func cachedResponse(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Unmanaged<PreparedResponse>? {
        switch path(head, bytes) {
        case "/ready": .passUnretained(prepared)
        case "/ready-body": .passUnretained(preparedBody)
        default: nil
        }
    }

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let path = path(head, bytes)
        route = Self.routes.firstIndex { $0.path == path } ?? 0
        switch path {
        case "/later": return .later { Response(.ok, body: .bytes(Array("later".utf8))) }
        case "/body": return .body(limit: 100) { Response(.created, body: .bytes($0)) }
        case "/broken":
            route = 1
            return .now(Response(.serviceUnavailable))
        case "/failing-probe":
            route = 5
            return .now(Response(.serviceUnavailable))
        default: return .now(Response(.ok, body: .bytes(Array(path.utf8))))
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }

    private func path(_ head: RequestHead, _ bytes: Span<UInt8>) -> String {
        String(decoding: head.path.indices.map { bytes[$0] }, as: UTF8.self)
    }
}

/// A server with `RoutedHandler`s, for the length of one test. When it returns, the loops have done all their work.
func withRoutedServer(
    _ kind: EventLoopKind, threads: Int = 1, configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Server, SocketAddress) async throws -> Void
) async throws {
    var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
    configuration.eventLoop = kind
    configuration.threads = threads
    configuration.routes = RoutedHandler.routes
    configuration.limits.shutdownGrace = .seconds(2)
    configure(&configuration)
    let server = try await Server.start(configuration) { RoutedHandler() }
    do {
        try await body(server, server.listeners[0].address)
    } catch {
        await server.drain()
        throw error
    }
    await server.drain()
}
