import Testing
import WaymarkServer
import WaymarkSockets

/// Every phase of a connection ends by itself. The limits are tiny here; the tests wait for what the server does.
@Suite struct DeadlineTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test(arguments: EventLoopKind.allCases, ["", "\r\n\r\n"])
    func closesInSilenceWhereNoRequestBegins(kind: EventLoopKind, sent: String) async throws {
        let limits = Self.limits {
            // Long enough for the client to have sent what it sends, on a busy machine too.
            $0.firstByte = .milliseconds(250)
            $0.header = .milliseconds(250)
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send(sent)
            #expect(await client.readToEnd() == "")
            #expect(await client.isAtEnd)
            #expect(server.statistics.timeouts == 1)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersARequestThatTakesTooLong(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.header = .milliseconds(60) }) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET / HTTP/1.1\r\nHost:")
            let response = try await client.readResponse()
            #expect(response.status == 408)
            #expect(response.value("Connection") == "close")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func `a connection is not kept open by a byte now and then`(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.header = .milliseconds(100) }) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
            // Bytes go on as long as the server takes them; only an absolute deadline ever ends this.
            while await client.received.isEmpty, await !client.isAtEnd {
                await client.send("x")
                await client.readForAMoment()
            }
            #expect(try await client.readResponse().status == 408)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersABodyThatStops(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.bodyIdle = .milliseconds(60) }) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell")
            #expect(try await client.readResponse().status == 408)
            #expect(board.bodyCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func endsABodyThatTricklesInForEver(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.bodyTotal = .milliseconds(150) }) {
            server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            while await client.received.isEmpty, await !client.isAtEnd {
                await client.send("1\r\nx\r\n")
                await client.readForAMoment()
            }
            #expect(try await client.readResponse().status != 200)
            #expect(board.bodyCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func endsABodyThatStaysBelowTheMinimumRate(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.bodyIdle = .milliseconds(100)
            $0.bodyRate = 1_000_000
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            while await client.received.isEmpty, await !client.isAtEnd {
                await client.send("1\r\nx\r\n")
                await client.readForAMoment()
            }
            #expect(try await client.readResponse().status == 408)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func `a crowded server closes idle connections sooner`(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.connections = 4
            $0.keepAliveIdleWhenCrowded = .milliseconds(60)
        }
        try await withServer(kind, limits: limits) { server, address, board in
            var clients: [RawClient] = []
            for _ in 0..<4 {
                let client = try RawClient(address)
                await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/a")
                clients.append(client)
            }
            // Only the last came when more than three of four places were taken.
            #expect(await clients[3].readToEnd() == "")
            await clients[0].send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await clients[0].readResponse().text == "/b")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesAnOldConnectionAfterItsNextAnswer(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.connectionAge = .zero }) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().value("Connection") == "close")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesAnIdleConnection(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.keepAliveIdle = .milliseconds(60) }) {
            server, address, board in
            let client = try RawClient(address)
            await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().text == "/a")
            #expect(await client.readToEnd() == "")
            #expect(await client.isAtEnd)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesOnAClientThatReadsNothing(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.writeStall = .milliseconds(100) }) {
            server, address, board in
            let client = try RawClient(address, receiveBuffer: 4_096)
            await client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            await client.waitForReset()
            #expect(server.statistics.timeouts == 1)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func throwsAwayWhatAClientDidNotTakeInTime(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.writeStall = .milliseconds(100) }) {
            server, address, board in
            let client = try RawClient(address, receiveBuffer: 4_096)
            await client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually { server.statistics.connectionsOpen == 0 && server.statistics.timeouts == 1 }
            // What the client's own buffer holds, and not the megabytes that the server's kernel had taken.
            #expect(await client.readToEnd().utf8.count < 100_000)
            #expect(await client.wasReset)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func doesNotLingerForEver(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.lingerIdle = .milliseconds(60)
            $0.lingerTotal = .milliseconds(200)
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send("nonsense\r\n\r\n")
            #expect(try await client.readResponse().status == 400)
            #expect(await client.readToEnd() == "")
            await client.waitForReset()
            #expect(server.statistics.connectionsOpen == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func waitsForAHandlerAsLongAsItTakes(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.header = .milliseconds(40)
            $0.keepAliveIdle = .milliseconds(40)
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let waiting = try RawClient(address)
            await waiting.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            // Another connection outlives all of the deadlines meanwhile.
            let other = try RawClient(address)
            await other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.readToEnd().hasSuffix("/a"))
            await board.gate.open()
            #expect(try await waiting.readResponse().text == "/gated")
        }
    }
}
