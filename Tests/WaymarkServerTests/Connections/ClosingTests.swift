import Testing
import WaymarkServer
import WaymarkSockets

/// How connections end.
@Suite struct ClosingTests {
    @Test(arguments: EventLoopKind.allCases)
    func closesWhenTheClientAsksForIt(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send(
                "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.text == "/a")
            #expect(response.value("Connection") == "close")
            #expect(await client.readToEnd() == "")
            #expect(await !client.wasReset)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func keepsOldConnectionsOnlyOnRequest(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.readResponse().value("Connection") == "keep-alive")
            await client.send("GET /b HTTP/1.0\r\n\r\n")
            #expect(try await client.readResponse().value("Connection") == "close")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersAClientThatHasEndedItsSide(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            for path in ["/now", "/later", "/large"] {
                let client = try RawClient(address)
                await client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                await client.endSending()
                #expect(try await client.readResponse().text == "/first")
                #expect(try await client.readResponse().status == 200)
                #expect(await client.readToEnd() == "")
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersWhenTheEndOfTheStreamComesFirst(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            await client.endSending()
            await board.gate.open()
            #expect(try await client.readResponse().text == "/gated")
            #expect(try await client.readResponse().text == "/next")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(
        arguments: EventLoopKind.allCases,
        ["GET / HTTP/1.1\r\nHo", "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell"])
    func neverExecutesAnIncompleteRequest(kind: EventLoopKind, request: String) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send(request)
            await client.endSending()
            #expect(await client.readToEnd() == "")
            #expect(board.bodyCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func deliversARefusalToAClientThatIsStillSending(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 150000\r\n\r\n")
            // What comes behind the refusal must be taken in, or a reset would overtake the answer.
            #expect(await client.send([UInt8](repeating: 0x62, count: 150_000)))
            await client.endSending()
            let response = try await client.readResponse()
            #expect(response.status == 413)
            #expect(await client.readToEnd() == "")
            #expect(await !client.wasReset)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func deliversARefusalToAClientThatSendsTheLargestBody(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 8388608\r\n\r\n")
            // Like a client that reads nothing until it has sent everything.
            #expect(await client.send([UInt8](repeating: 0x62, count: 8 << 20)))
            #expect(try await client.readResponse().status == 413)
            #expect(await client.readToEnd() == "")
            #expect(await !client.wasReset)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func lingersForAsManyBytesAsAreGranted(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.lingerBytes = 100_000
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 8388608\r\n\r\n")
            // More than all socket buffers hold.
            #expect(await !client.send([UInt8](repeating: 0x62, count: 64 << 20)))
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func lingersForAsManyConnectionsAsAreGranted(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.lingeringConnections = 1
        try await withServer(kind, limits: limits) { server, address, board in
            let request = "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 8388608\r\n\r\n"
            let first = try RawClient(address)
            await first.send(request)
            #expect(try await first.readResponse().status == 200)
            let second = try RawClient(address)
            await second.send(request)
            #expect(try await second.readResponse().status == 200)
            // The first still has its place; the second was closed behind its answer.
            #expect(await !second.send([UInt8](repeating: 0x62, count: 64 << 20)))
            #expect(await first.send([UInt8](repeating: 0x62, count: 1 << 20)))
        }
    }

    @Test(
        arguments: EventLoopKind.allCases,
        [
            ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
            ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n", 400),
            ("GET /\(String(repeating: "l", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
        ])
    func refusesWhatIsNoRequestAndCloses(kind: EventLoopKind, example: (request: String, status: Int)) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send(example.request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.status == example.status)
            #expect(response.value("Connection") == "close")
            #expect(response.value("Date") != nil)
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesAfterTheLastRequestThatAConnectionMayBring(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.requestsPerConnection = 3
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", count: 5))
            #expect(try await client.readResponse().value("Connection") == nil)
            #expect(try await client.readResponse().value("Connection") == nil)
            #expect(try await client.readResponse().value("Connection") == "close")
            #expect(await client.readToEnd() == "")
            #expect(board.callCount == 3)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func survivesClientsThatVanish(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            for request in [
                "", "GET /la", "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", "GET /gated HTTP/1.1\r\nHost: a\r\n\r\n",
            ] {
                for _ in 0..<20 {
                    let client = try RawClient(address)
                    await client.send(request)
                    await client.closeAbruptly()
                }
            }
            await board.gate.open()
            let client = try RawClient(address)
            await client.send("GET /alive HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().text == "/alive")
        }
    }
}
