import Synchronization
import Testing
import WaymarkSockets
import WaymarkTLS
import WaymarkTestSupport

@testable import WaymarkClient

/// The client over real connections.
@Suite struct HTTPClientTests {
    /// Answers 204 to so many requests on each connection, then closes it without a word.
    private final class Server: Sendable {
        private final class Log: Sendable {
            let connections = Mutex(0)
            let heads = Mutex<[String]>([])
        }

        private let log = Log()
        private let listener: SocketListener

        init(requestsPerConnection limit: Int) throws {
            listener = try SocketListener { [log] socket in
                log.connections.withLock { $0 += 1 }
                var text = ""
                for _ in 0..<limit {
                    while !text.contains("\r\n\r\n") {
                        guard let bytes = try? socket.receive(), !bytes.isEmpty else { return }
                        text += String(decoding: bytes, as: UTF8.self)
                    }
                    guard let end = text.firstRange(of: "\r\n\r\n") else { return }
                    log.heads.withLock { $0.append(String(text[..<end.upperBound])) }
                    text.removeSubrange(..<end.upperBound)
                    try? socket.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
                }
            }
        }

        var url: String { "http://127.0.0.1:\(listener.port)/a?b" }
        var connections: Int { log.connections.withLock { $0 } }
        var heads: [String] { log.heads.withLock { $0 } }
    }

    private static func request(_ url: String, timeout: Int = 20) -> HTTPRequest {
        HTTPRequest(url, timeout: timeout, bodyLimit: 10)
    }

    @Test(arguments: [(10, 1), (1, 3), (2, 2)])
    func `requests share connections that the server keeps`(limit: Int, connections: Int) async throws {
        let server = try Server(requestsPerConnection: limit)
        let outcomes = await HTTPClient(userAgent: "test").outcomes(
            of: Array(repeating: Self.request(server.url), count: 3)
        ) { _ in true }
        #expect(outcomes.map { $0.response?.status } == [204, 204, 204])
        #expect(server.connections == connections)
        #expect(server.heads.map { $0.contains("Connection: close") } == [false, false, true])
        #expect(server.heads.allSatisfy { $0.hasPrefix("GET /a?b HTTP/1.1\r\n") && $0.contains("User-Agent: test") })
    }

    @Test func `an outcome can end the sequence`() async throws {
        let server = try Server(requestsPerConnection: 10)
        let outcomes = await HTTPClient().outcomes(of: Array(repeating: Self.request(server.url), count: 3)) { _ in
            false
        }
        #expect(outcomes.count == 1 && server.heads.count == 1)
    }

    @Test func `requests can be pipelined`() async throws {
        let server = try Server(requestsPerConnection: 3)
        let (url, message) = (server.url, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let (statuses, failure, isReusable) = try await NetworkThread.run {
            Result {
                let connection = try HTTPClient().connect(to: try #require(HTTPTarget(url)), timeout: 20)
                let pipelined = String(repeating: message, count: 4)
                let (responses, failure) = connection.exchange(Array(pipelined.utf8), count: 4, bodyLimit: 10)
                return (responses.map(\.status), failure, connection.isReusable)
            }
        }.get()
        #expect(statuses == [204, 204, 204] && failure?.isEndOfConnection == true && !isReusable)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 2\r\n\r\nab", 302, "ab", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", 200, "", true),
            ("HTTP/1.1 200 OK\r\n\r\n01234567890", 200, "", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nb\r\n0123456789a", 200, "a", true),
        ])
    func `a response is whole or cut off, whatever its status`(
        text: String, status: Int, body: String, isCutOff: Bool
    ) async throws {
        let server = try FakeService { _, _ in .text(text) }
        let response = try await HTTPClient().response(to: Self.request(server.url))
        #expect(response.status == status && String(decoding: response.body, as: UTF8.self) == body)
        #expect(response.isCutOff == isCutOff && server.requests.count == 1)
    }

    @Test(
        arguments: [
            ("", "127.0.0.1 closed the connection unexpectedly"),
            ("HTTP/1.1 200 OK\r\nX", "the connection ended before the answer did"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", "the connection ended before the answer did"),
            ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "it does not begin with a status line of HTTP/1"),
        ])
    func `a failure says what is wrong with the answer`(text: String, sentence: String) async throws {
        let server = try FakeService { _, _ in .text(text) }
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: Self.request(server.url))
        }
        #expect(failure?.sentence.contains(sentence) == true)
    }

    @Test func `a silent server is not waited for without end`() async throws {
        let server = try FakeService { _, _ in .silence }
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: Self.request(server.url, timeout: 1))
        }
        #expect(failure?.sentence == "127.0.0.1 did not answer in time")
    }

    @Test(arguments: [
        // Seconds that each attempt takes, and those that each address may take.
        (4, [10, 6, 2], OutgoingConnection.Failure.timeout), (10, [10], .timeout), (0, [10, 10, 10, 10], .unreachable),
    ])
    func `the addresses of a name share one time limit`(
        duration: Int, given: [Int], failure: OutgoingConnection.Failure
    ) {
        var elapsed = 0
        var rests: [Int] = []
        let limit = ExchangeLimit(seconds: 10) { .seconds(elapsed) }
        #expect(throws: failure) {
            try HTTPClient.first(of: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"], within: limit) {
                (_, rest) throws(OutgoingConnection.Failure) in
                rests.append(rest)
                elapsed += duration
                throw .unreachable
            }
        }
        #expect(rests == given)
    }

    @Test(arguments: ["ftp://a.example/", "https://", "a.example", "http://a.example:0/", "http://a.example:65536/"])
    func `only http and https URLs are called`(url: String) async {
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPClient().response(to: Self.request(url))
        }
        #expect(failure?.fieldProblem == "must be an http or https URL")
    }

    @Test(
        arguments: [
            ([], "leads to an address that is not public"), (["127.0.0.0/8"], nil), (["10.0.0.0/8"], "not public"),
        ] as [([String], String?)])
    func `the rule decides where connections go`(networks: [String], problem: String?) async throws {
        let server = try Server(requestsPerConnection: 1)
        let client = HTTPClient(.host(AddressRule(allowedNetworks: networks.compactMap { NetworkPrefix($0) })))
        let outcome = await client.outcomes(of: [Self.request(server.url)]) { _ in false }[0]
        let obstacle = await client.obstacle(to: server.url)
        if let problem {
            #expect(obstacle?.fieldProblem.contains(problem) == true && outcome.response == nil)
            #expect(server.connections == 0)
        } else {
            #expect(obstacle == nil && outcome.response?.status == 204)
        }
    }

    @Test func `another address can stand in for the host`() async throws {
        let server = try Server(requestsPerConnection: 1)
        let url = server.url.replacing("127.0.0.1", with: "go.example.com")
        let response = try await HTTPClient(.address("127.0.0.1")).response(to: Self.request(url))
        #expect(response.status == 204)
        #expect(server.heads.first?.contains("\r\nHost: go.example.com:") == true)
    }
}
