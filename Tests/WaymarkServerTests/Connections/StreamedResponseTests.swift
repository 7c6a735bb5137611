import Synchronization
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Bodies that are produced while they are sent.
@Suite struct StreamedResponseTests {
    /// Gives the pieces that the test gives it.
    private final class Source: BodySource {
        let requests = Mutex(0)
        let cancelled = Gate()
        private let pieces: AsyncStream<[UInt8]>
        private let input: AsyncStream<[UInt8]>.Continuation

        init() { (pieces, input) = AsyncStream.makeStream() }

        func give(_ text: String) { input.yield(Array(text.utf8)) }
        func give(_ piece: [UInt8]) { input.yield(piece) }
        func end() { input.finish() }
        var requestCount: Int { requests.withLock { $0 } }

        func next() async -> [UInt8]? {
            requests.withLock { $0 += 1 }
            for await piece in pieces { return piece }
            return nil
        }

        func cancel() {
            input.finish()
            Task { await cancelled.open() }
        }
    }

    private final class Handler: RequestHandler {
        let source: Source

        init(_ source: Source) { self.source = source }

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            let source = source
            return .later { Response(.ok, body: .stream(ResponseStream(source))) }
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    private func serve(
        _ kind: EventLoopKind, limits: ServerLimits = ServerLimits(),
        _ test: (RawClient, Source, Server) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = kind
        configuration.threads = 1
        configuration.limits = limits
        let source = Source()
        let server = try await Server.start(configuration) { Handler(source) }
        do {
            try await test(try RawClient(server.listeners[0].address), source, server)
        } catch {
            source.end()
            await server.drain()
            throw error
        }
        source.end()
        await server.drain()
    }

    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func readUntil(_ end: String, _ client: RawClient) async -> String {
        var text = ""
        while !text.hasSuffix(end), await client.readMore() {
            text += String(decoding: await client.takeAll(), as: UTF8.self)
        }
        return text
    }

    @Test(arguments: EventLoopKind.allCases) func sendsPiecesAsTheyCome(kind: EventLoopKind) async throws {
        try await serve(kind) { (client, source, _) async throws in
            await client.send(Self.request)
            let head = await readUntil("\r\n\r\n", client)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Connection: close\r\n"))
            #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
            source.give("one\n")
            #expect(await readUntil("\n", client) == "one\n")
            source.give("two\n")
            #expect(await readUntil("\n", client) == "two\n")
            source.give("three\n")
            source.end()
            #expect(await client.readToEnd() == "three\n")
            await source.cancelled.wait()
        }
    }

    @Test(arguments: EventLoopKind.allCases) func answersHeadWithoutABody(kind: EventLoopKind) async throws {
        try await serve(kind) { (client, source, _) async throws in
            await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n"))
            await source.cancelled.wait()
            #expect(source.requestCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases) func noticesThatTheClientHasGone(kind: EventLoopKind) async throws {
        try await serve(kind) { (client, source, _) async throws in
            await client.send(Self.request)
            _ = await readUntil("\r\n\r\n", client)
            await client.closeAbruptly()
            // The answer to the first piece shows that nobody reads.
            for _ in 0..<3 { source.give("more\n") }
            await source.cancelled.wait()
        }
    }

    @Test(arguments: EventLoopKind.allCases) func endsWithTheServer(kind: EventLoopKind) async throws {
        try await serve(kind) { (client, source, server) async throws in
            await client.send(Self.request)
            _ = await readUntil("\r\n\r\n", client)
            await server.drain()
            await source.cancelled.wait()
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases) func waitsForASlowClient(kind: EventLoopKind) async throws {
        try await serve(kind) { (client, source, _) async throws in
            await client.send(Self.request)
            _ = await readUntil("\r\n\r\n", client)
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<64 { source.give(piece) }
            source.end()
            #expect(await client.readToEnd().utf8.count == 64 << 20)
            #expect(source.requestCount == 65)
        }
    }
}
