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
}
