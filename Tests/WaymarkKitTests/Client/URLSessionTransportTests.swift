import Testing
import WaymarkKit
import WaymarkTestSupport

@Suite struct URLSessionTransportTests {
    private func request(_ server: FakeService, timeLimit: Duration = .seconds(60)) -> TransportRequest {
        TransportRequest(
            url: server.url + "/api/v1/resolve",
            fields: ["Content-Type": "application/json", "Idempotency-Key": "k1"], body: Array("{}".utf8),
            timeLimit: timeLimit, answerLimit: 100)
    }

    @Test func carriesRequestAndAnswer() async throws {
        let server = try FakeService { _, _ in
            .text("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nno")
        }
        let answer = try await URLSessionTransport().send(request(server))
        #expect(answer.status == 429)
        #expect(answer.field("retry-after") == "3")
        #expect(answer.body == Array("no".utf8))
        let sent = try #require(server.requests.first)
        #expect(sent.hasPrefix("POST /api/v1/resolve HTTP/1.1\r\n"))
        #expect(sent.lowercased().contains("idempotency-key: k1\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{}"))
    }

    @Test func followsNoRedirect() async throws {
        let elsewhere = try FakeService { _, _ in .json("{}") }
        let server = try FakeService { _, _ in
            .text("HTTP/1.1 307 Temporary Redirect\r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n")
        }
        let answer = try await URLSessionTransport().send(request(server))
        #expect(answer.status == 307)
        #expect(elsewhere.requests.isEmpty)
    }

    @Test(arguments: ["Content-Length: 101\r\n\r\n", "\r\n"])
    func stopsAnAnswerThatIsTooLong(head: String) async throws {
        let body = String(repeating: "x", count: 101)
        let server = try FakeService { _, _ in
            .text("HTTP/1.1 200 OK\r\n\(head)\(body)")
        }
        await #expect(throws: TransportError.answerTooLarge) { try await URLSessionTransport().send(request(server)) }
    }

    @Test func givesUpWhenTheTimeIsUp() async throws {
        let server = try FakeService { _, _ in .silence }
        await #expect(throws: TransportError.timedOut) {
            try await URLSessionTransport().send(request(server, timeLimit: .milliseconds(50)))
        }
    }

    @Test func stopsWhenWhoeverWaitsIsCancelled() async throws {
        let server = try FakeService { _, _ in .silence }
        let request = request(server)
        let task = Task { try await URLSessionTransport().send(request) }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }

    @Test func saysThatNobodyListens() async throws {
        let gone = try FakeService { _, _ in .silence }
        let request = request(gone)
        let port = gone.port
        let transport = URLSessionTransport()
        // Nothing listens on the reserved port 1 of a machine, whatever ran before.
        var closed = request
        closed.url = request.url.replacing(":\(port)", with: ":1")
        await #expect {
            try await transport.send(closed)
        } throws: { error in
            if case TransportError.unreachable = error { true } else { false }
        }
    }
}
