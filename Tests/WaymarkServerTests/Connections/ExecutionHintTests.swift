import Testing
import WaymarkServer
import WaymarkSockets

/// Which thread answers what may wait.
@Suite struct ExecutionHintTests {
    /// On epoll only, where a loop is a thread of its own.
    @Test(arguments: [
        ("brief", 10, true), ("brief", Reply.ExecutionHint.briefBody, true),
        ("brief", Reply.ExecutionHint.briefBody + 1, false),
        ("any", 10, false),
    ])
    func `only brief tasks run on the loop`(executionHint: String, bodyLength: Int, isOnLoop: Bool) async throws {
        try await withServer(.epoll) { server, address, board in
            let client = try RawClient(address)
            let body = String(repeating: "b", count: bodyLength)
            await client.send(
                "POST /place/\(executionHint) HTTP/1.1\r\nHost: a\r\nContent-Length: \(bodyLength)\r\n\r\n\(body)")
            #expect(try await client.readResponse().text == "loop: \(isOnLoop), \(isOnLoop)")
        }
    }

    /// What a task has not done when its loop ends it does elsewhere, and nobody waits for it any longer.
    @Test(.timeLimit(.minutes(1)), arguments: EventLoopKind.allCases)
    func aBriefTaskThatIsStillWaitingDoesNotHoldUpTheEnd(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.shutdownGrace = .milliseconds(50)
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /gated/brief HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            await server.drain()
            await board.gate.open()
            await board.finished.wait()
        }
    }
}
