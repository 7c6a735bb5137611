import Testing
import WaymarkServer
import WaymarkSockets

@Suite struct KeepAliveTests {
    @Test(arguments: EventLoopKind.allCases)
    func answersSeveralRequestsOnOneConnection(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            for path in ["/a", "/later/b", "/c"] {
                await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.readResponse()
                #expect(response.status == 200)
                #expect(response.text == path)
                #expect(response.value("Connection") == nil)
                #expect(response.value("Date")?.hasSuffix(" GMT") == true)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersPipelinedRequestsInOrder(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            let client = try RawClient(address)
            let paths = (0..<300).map { $0 % 7 == 3 ? "/later/\($0)" : "/now/\($0)" }
            await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths {
                #expect(try await client.readResponse().text == path)
            }
        }
    }

    /// The end may come with the request or behind it, and on epoll a connection that has been idle is told of each arrival
    /// once; so it is tried some times.
    @Test(arguments: EventLoopKind.allCases)
    func answersTheRequestBeforeTheEndOfAKeptConnectionAndCloses(kind: EventLoopKind) async throws {
        try await withServer(kind) { server, address, board in
            for number in 0..<50 {
                let client = try RawClient(address)
                for path in ["/first", "/second"] {
                    await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try await client.readResponse().text == path)
                }
                await client.send("GET /last/\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                await client.endSending()
                #expect(try await client.readResponse().text == "/last/\(number)")
                #expect(await client.readToEnd() == "")
                #expect(await client.isAtEnd, "the connection is not kept for a client that sends no more")
            }
        }
    }
}
