import Testing
import WaymarkServer
import WaymarkSockets

/// Expect: 100-continue (RFC 9110 section 10.1.1).
@Suite struct ContinueTests {
    @Test(arguments: EventLoopKind.allCases)
    func asksForTheBodyThatTheHandlerWants(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try await client.readResponse().statusLine == "HTTP/1.1 100 Continue")
            await client.send("hello")
            let response = try await client.readResponse()
            #expect(response.text == "hello")
            #expect(response.value("Connection") == nil)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func doesNotAskWhenTheBodyIsThereAlready(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send(
                "POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello")
            #expect(try await client.readResponse().text == "hello")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func refusesInsteadOfAskingWhenTheBodyWouldBeTooLarge(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
            #expect(try await client.readResponse().status == 413)
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersWithoutAskingWhereThereIsNoBody(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n")
            #expect(try await client.readResponse().status == 200)
        }
    }
}
