import Testing
import WaymarkServer
import WaymarkSockets

/// How requests and answers are told apart on a connection.
@Suite struct FramingTests {
    @Test(arguments: EventLoopKind.allCases)
    func readsRequestsThatArriveByteByByte(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            let request =
                "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /next HTTP/1.1\r\nHost: a\r\n\r\n"
            for byte in request.utf8 { await client.send([byte]) }
            #expect(try await client.readResponse().text == "hello")
            #expect(try await client.readResponse().text == "/next")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func joinsChunkedBodies(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send(
                "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n")
            await client.send(" \r\n5\r\nworld\r\n0\r\nTrailer: dropped\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().text == "hello world")
            #expect(try await client.readResponse().text == "/next")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func refusesALengthOverTheLimitBeforeTheBodyComes(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.status == 413)
            #expect(response.value("Connection") == "close")
            #expect(response.text == "The body is too large.")
            #expect(await client.readToEnd() == "")
            #expect(board.bodyCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func acceptsABodyOfExactlyTheLimit(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            let body = String(repeating: "b", count: 1_000)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n\(body)")
            #expect(try await client.readResponse().text == body)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func refusesChunksThatAddUpToMoreThanTheLimit(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            let chunk = "1f4\r\n" + String(repeating: "c", count: 500) + "\r\n"
            await client.send(
                "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(chunk)1\r\nc\r\n")
            let response = try await client.readResponse()
            #expect(response.status == 413)
            #expect(response.value("Connection") == "close")
            #expect(board.bodyCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersHeadWithTheFieldsOfGetAndNoBody(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("HEAD /page HTTP/1.1\r\nHost: a\r\n\r\nHEAD /large HTTP/1.1\r\nHost: a\r\n\r\n")
            await client.send("HEAD /later HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse(isHead: true).value("Content-Length") == "5")
            #expect(try await client.readResponse(isHead: true).value("Content-Length") == "\(8 << 20)")
            #expect(try await client.readResponse(isHead: true).value("Content-Length") == "6")
            #expect(try await client.readResponse().text == "/next")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func tellsNoLengthWhereTheStatusForbidsABody(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            for path in ["/empty", "/unchanged"] {
                await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().value("Content-Length") == nil)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["/now", "/later"])
    func dropsABodyThatNobodyWants(kind: EventLoopKind, path: String) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            // Looks like a request: it must be dropped as a body, not answered.
            let inner = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
            await client.send("DELETE \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(inner.utf8.count)\r\n\r\n")
            await client.send(inner)
            #expect(try await client.readResponse().text == path)
            await client.send(
                "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n23\r\n\(inner)\r\n0\r\n\r\n")
            #expect(try await client.readResponse().text == path)
            await client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().text == "/next")
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["Content-Length: 65537", "Expect: 100-continue\r\nContent-Length: 5"])
    func closesRatherThanDropABodyThatIsLargeOrNotSentYet(kind: EventLoopKind, field: String) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /now HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.text == "/now")
            #expect(response.value("Connection") == "close")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["/now", "/later"])
    func givesUpOnAnUnwantedBodyWithoutEnd(kind: EventLoopKind, path: String) async throws {
        var limits = ServerLimits()
        limits.lingerBytes = 256 << 10
        try await withServer(kind, limits: limits) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "2000\r\n" + String(repeating: "c", count: 8_192) + "\r\n"
            var sent = 0
            while sent < 1_000, await client.send(chunk) { sent += 1 }
            #expect(sent < 1_000)
            let response = try await client.readResponse()
            #expect(response.text == path)
            #expect(response.value("Connection") == "close")
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["/now", "/later"])
    func tellsThatABodyIsMalformedThoughNobodyWantsIt(kind: EventLoopKind, path: String) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            await client.send("5\r\nhello\n")
            let response = try await client.readResponse()
            #expect(response.status == 400)
            #expect(response.value("Connection") == "close")
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func refusesHeadWithoutABody(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            for request in ["HEAD / HTTP/1.1\r\n\r\n", "\r\nHEAD /a b HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let client = try RawClient(address)
                await client.send(request)
                let response = try await client.readResponse(isHead: true)
                #expect(response.status == 400)
                #expect(response.value("Content-Length") != "0")
                #expect(await client.readToEnd() == "")
            }
        }
    }
}
