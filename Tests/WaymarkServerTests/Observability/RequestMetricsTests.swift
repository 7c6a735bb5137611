import Testing
import WaymarkHTTP
import WaymarkMetrics
import WaymarkServer
import WaymarkSockets

@Suite struct RequestMetricsTests {
    @Test(arguments: EventLoopKind.allCases)
    func countsRequestsByRouteAndStatusOnAllLoops(kind: EventLoopKind) async throws {
        try await withRoutedServer(kind, threads: 2) { server, address in
            for _ in 0..<6 {
                let client = try RawClient(address)
                await client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                await client.send("HEAD /later HTTP/1.1\r\nHost: a\r\n\r\nGET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n")
                await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcnonsense\r\n\r\n")
                _ = await client.readToEnd()
            }
            let requests = server.statistics.requests
            let counts = requests.answers.map { "\($0.route.method) \($0.route.path) \($0.status) \($0.count)" }
            #expect(
                Set(counts) == [
                    " none 200 6", " none 400 6", "GET /quiet 302 6", "GET /now 200 6", "GET /later 200 6",
                    "POST /body 201 6",
                ])
            #expect(requests.classes == [0, 24, 6, 6, 0])
            #expect(requests.count(.ready) == 6)
            #expect(requests.count(.loop) == 12)
            #expect(requests.count(.waiting) == 12)
            #expect(requests.durations(.loop).count == 12)
            #expect(requests.durations(.waiting).count == 12)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsReadyAnswersWithTheirBodies(kind: EventLoopKind) async throws {
        try await withRoutedServer(kind) { server, address in
            let client = try RawClient(address)
            await client.send(
                "GET /ready-body HTTP/1.1\r\nHost: a\r\n\r\nHEAD /ready-body HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /ready-body HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
                    + "GET /ready-body HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = await client.readToEnd()
            let answers = text.split(separator: "HTTP/1.1 200 OK\r\n")
            #expect(answers.count == 4)
            #expect(answers.allSatisfy { $0.contains("Content-Length: 10\r\n") })
            #expect(answers.map { $0.hasSuffix("\r\n\r\nkept ready") } == [true, false, true, true])
            let connections = answers.map { answer in
                answer.split(separator: "\r\n").first { $0.hasPrefix("Connection: ") }.map(String.init)
            }
            #expect(connections == [nil, nil, "Connection: keep-alive", "Connection: close"])
            let counts = server.statistics.requests.answers.map { "\($0.route.path) \($0.status) \($0.count)" }
            #expect(counts == ["/now 200 4"])
            #expect(server.statistics.requests.count(.ready) == 4)
        }
    }

    @Test func timesOneOfSoManyReadyAnswers() async throws {
        try await withRoutedServer(.standard) { server, address in
            let client = try RawClient(address)
            let count = 2 * RequestMetrics.readySampling
            for _ in 0..<count {
                await client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try await client.readResponse()
            }
            #expect(server.statistics.requests.count(.ready) == count)
            #expect(server.statistics.requests.durations(.ready).count == 2)
        }
    }

    private static let refusals: [(request: String, reason: String)] = [
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", "bare_line_feed"), ("GET / HTTP/1.1\r\n\r\n", "missing_host"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "malformed_content_length"),
        ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n", "body_too_large"),
    ]

    @Test(arguments: EventLoopKind.allCases, refusals)
    func saysWhyRequestsWereRefused(kind: EventLoopKind, example: (request: String, reason: String)) async throws {
        try await withRoutedServer(kind) { server, address in
            let client = try RawClient(address)
            await client.send(example.request)
            _ = await client.readToEnd()
            let refusals = zip(ParseErrorReason.names, server.statistics.refusals).filter { $0.1 > 0 }
            #expect(refusals.map(\.0) == [example.reason])
            #expect(refusals.map(\.1) == [1])
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func looksAtItsConnectionsAndAtItsLoops(kind: EventLoopKind) async throws {
        // However slow the machine: nothing runs out before all four have been seen together.
        var limits = ServerLimits()
        limits.header = .seconds(600)
        limits.keepAliveIdle = .seconds(600)
        limits.writeStall = .seconds(600)
        try await withServer(kind, threads: 2, limits: limits, configure: { $0.probeInterval = .milliseconds(5) }) {
            server, address, board in
            let idle = try RawClient(address)
            await idle.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await idle.readResponse()
            let reading = try RawClient(address)
            await reading.send("GET /now HT")
            let working = try RawClient(address)
            await working.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            let writing = try RawClient(address, receiveBuffer: 4_096)
            await writing.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            for _ in 0..<10_000 where !isExpected(server.statistics.connectionStates) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(isExpected(server.statistics.connectionStates))
            #expect(server.statistics.delays.count > 0)
        }

        func isExpected(_ connectionStates: ConnectionStateCounts) -> Bool {
            connectionStates.idle == 1 && connectionStates.readingHead == 1 && connectionStates.answering == 1
                && connectionStates.writing == 1
                && connectionStates.lingering == 0 && connectionStates.shakingHands == 0
                && connectionStates.heldBytes > 0
        }
    }
}
