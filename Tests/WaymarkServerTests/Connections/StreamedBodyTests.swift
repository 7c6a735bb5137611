import Synchronization
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Bodies that are passed on while they arrive.
@Suite struct StreamedBodyTests {
    /// What a test's receiver does, and what it got.
    private final class Script: Sendable {
        let received = Mutex<[UInt8]>([])
        let calls = Mutex<[String]>([])
        let longest = Mutex(0)
        let gate = Gate()
        let released = Gate()
        let refusesAtBegin: Bool
        let refusesAfter: Int
        let isGated: Bool

        init(refusesAtBegin: Bool = false, refusesAfter: Int = .max, isGated: Bool = false) {
            self.refusesAtBegin = refusesAtBegin
            self.refusesAfter = refusesAfter
            self.isGated = isGated
        }

        func note(_ call: String) { calls.withLock { if $0.last != call { $0.append(call) } } }
        var count: Int { received.withLock { $0.count } }
    }

    private final class Receiver: BodyReceiver {
        let script: Script

        init(_ script: Script) { self.script = script }

        deinit {
            let script = script
            Task { await script.released.open() }
        }

        func begin() async -> Response? {
            script.note("begin")
            return script.refusesAtBegin ? Response(.forbidden) : nil
        }

        func receive(_ piece: [UInt8]) async -> Response? {
            script.note("receive")
            if script.isGated { await script.gate.wait() }
            script.longest.withLock { $0 = max($0, piece.count) }
            let count = script.received.withLock { received in
                received += piece
                return received.count
            }
            return count > script.refusesAfter ? Response(Status(422)) : nil
        }

        func end() async -> Response {
            script.note("end")
            return Response(.ok, body: .bytes(Array("\(script.count)".utf8)))
        }
    }

    private final class Handler: RequestHandler {
        let script: Script
        let limit: Int

        init(_ script: Script, limit: Int) {
            self.script = script
            self.limit = limit
        }

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            head.method == .post ? .stream(limit: limit, Receiver(script)) : .now(Response(.noContent))
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    private func serve(
        _ kind: EventLoopKind, _ script: Script = Script(), limit: Int = 64 << 20,
        limits: ServerLimits = ServerLimits(),
        _ test: (RawClient, Server) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = kind
        configuration.threads = 1
        configuration.limits = limits
        let server = try await Server.start(configuration) { Handler(script, limit: limit) }
        do {
            try await test(try RawClient(server.listeners[0].address), server)
        } catch {
            await script.gate.open()
            await server.drain()
            throw error
        }
        await script.gate.open()
        await server.drain()
    }

    private static let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    private static func head(_ fields: String) -> String { "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n" }

    @Test(arguments: EventLoopKind.allCases) func passesOnMoreThanMemoryMayHold(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.body = 65_536
        limits.bodyMemory = 1 << 20
        let script = Script()
        try await serve(kind, script, limits: limits) { (client, _) async throws in
            await client.send(Self.head("Content-Length: \(Self.content.count)"))
            await client.send(Self.content)
            #expect(try await client.readResponse().text == "\(Self.content.count)")
            #expect(script.received.withLock { $0 } == Self.content)
            #expect(script.longest.withLock { $0 } <= 200_000)
            #expect(script.calls.withLock { $0 } == ["begin", "receive", "end"])
            // The connection goes on.
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().status == 204)
        }
    }

    @Test(arguments: EventLoopKind.allCases) func passesOnChunksAndWhatFollows(kind: EventLoopKind) async throws {
        let script = Script()
        try await serve(kind, script) { (client, _) async throws in
            var bytes = Array(Self.head("Transfer-Encoding: chunked").utf8)
            var rest = Self.content.prefix(400_000)
            while !rest.isEmpty {
                let chunk = rest.prefix(7_777)
                bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
                rest = rest.dropFirst(chunk.count)
            }
            bytes += Array("0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            await client.send(bytes)
            #expect(try await client.readResponse().text == "400000")
            #expect(try await client.readResponse().status == 204)
            #expect(script.received.withLock { $0 } == Array(Self.content.prefix(400_000)))
        }
    }

    @Test(arguments: EventLoopKind.allCases) func answersAnEmptyBody(kind: EventLoopKind) async throws {
        let script = Script()
        try await serve(kind, script) { (client, _) async throws in
            await client.send(Self.head("Content-Length: 0"))
            #expect(try await client.readResponse().text == "0")
            #expect(script.calls.withLock { $0 } == ["begin", "end"])
        }
    }

    @Test(arguments: EventLoopKind.allCases) func asksForTheBodyAfterTheReceiverBegan(kind: EventLoopKind) async throws
    {
        try await serve(kind) { (client, _) async throws in
            await client.send(Self.head("Content-Length: 5\r\nExpect: 100-continue"))
            #expect(try await client.readResponse().status == 100)
            await client.send("hello")
            #expect(try await client.readResponse().text == "5")
        }
    }

    @Test(arguments: EventLoopKind.allCases) func refusesBeforeItAsksForTheBody(kind: EventLoopKind) async throws {
        try await serve(kind, Script(refusesAtBegin: true)) { (client, _) async throws in
            await client.send(Self.head("Content-Length: 5\r\nExpect: 100-continue"))
            let response = try await client.readResponse()
            #expect(response.status == 403)
            #expect(response.value("Connection") == "close")
        }
    }

    @Test(arguments: EventLoopKind.allCases) func refusesInTheMiddleAndCloses(kind: EventLoopKind) async throws {
        try await serve(kind, Script(refusesAfter: 100_000)) { (client, _) async throws in
            await client.send(Self.head("Content-Length: 1000000"))
            await client.send(Array(Self.content.prefix(500_000)))
            let response = try await client.readResponse()
            #expect(response.status == 422)
            #expect(response.value("Connection") == "close")
        }
    }

    @Test(arguments: EventLoopKind.allCases) func rejectsABodyBeyondTheLimit(kind: EventLoopKind) async throws {
        for fields in ["Content-Length: 70000", "Content-Length: 70000\r\nExpect: 100-continue"] {
            try await serve(kind, limit: 69_999) { (client, _) async throws in
                await client.send(Self.head(fields))
                #expect(try await client.readResponse().status == 413)
            }
        }
        let script = Script()
        try await serve(kind, script, limit: 69_999) { (client, _) async throws in
            let body = "11170\r\n" + String(repeating: "x", count: 70_000) + "\r\n0\r\n\r\n"
            await client.send(Self.head("Transfer-Encoding: chunked") + body)
            #expect(try await client.readResponse().status == 413)
            #expect(!script.calls.withLock { $0.contains("end") })
        }
    }

    @Test(arguments: EventLoopKind.allCases) func readsNoFurtherThanTheReceiverTakes(kind: EventLoopKind) async throws {
        let script = Script(isGated: true)
        try await serve(kind, script, limits: ServerLimits().patient) { (client, _) async throws in
            await client.send(Self.head("Content-Length: \(32 << 20)"))
            let body = [UInt8](repeating: 7, count: 32 << 20)
            var sent = 0
            while sent < body.count {
                let count = await client.sendWithoutWaiting(Array(body[sent...].prefix(1 << 20)))
                sent += count
                if count == 0, await !client.becomesWritable() { break }
            }
            // The kernel's buffers, and what the server reads ahead.
            try #require(sent < body.count)
            #expect(script.count == 0)
            await script.gate.open()
            await client.send(Array(body[sent...]))
            #expect(try await client.readResponse().text == "\(body.count)")
        }
    }

    @Test(arguments: EventLoopKind.allCases) func releasesTheReceiverOfAClientThatLeaves(kind: EventLoopKind)
        async throws
    {
        let script = Script()
        try await serve(kind, script) { (client, _) async throws in
            await client.send(Self.head("Content-Length: 1000000"))
            await client.send(Array(Self.content.prefix(300_000)))
            await client.closeAbruptly()
            await script.released.wait()
            #expect(!script.calls.withLock { $0.contains("end") })
        }
    }
}
