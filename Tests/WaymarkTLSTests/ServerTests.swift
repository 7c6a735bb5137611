import CWaymarkOpenSSL
import Foundation
import TLSTestSupport
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTLS

/// TLS over real sockets, on both kinds of event loop.
@Suite struct ServerTests {
    private let certificates = TestCertificates.shared
    private let store: CertificateStore

    init() throws {
        store = try TestCertificates.store([certificates.ecdsa, certificates.rsa])
    }

    private func request(_ path: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: go.example.com\r\n\(more)\r\n"
    }

    @Test(arguments: EventLoopKind.allCases, [TLS1_2_VERSION, TLS1_3_VERSION])
    func answersRequests(kind: EventLoopKind, version: Int32) async throws {
        try await withTLSServer(kind, store) { server, port in
            #expect(server.listeners[0].isSecure)
            let client = try SocketClient(port: port, .init(minimum: version, maximum: version))
            #expect(await client.shakeHands() == .done)
            await client.send(request("/peer"))
            #expect(await client.text() == "secure: true")
            await client.send(request("/slowly"), isSlow: true)
            #expect(await client.text() == "/slowly")
            await client.send((0..<300).map { request($0 % 3 == 0 ? "/later" : "/\($0)") }.joined())
            for number in 0..<300 { #expect(await client.text() == (number % 3 == 0 ? "later" : "/\(number)")) }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func carriesLargeBodiesBothWays(kind: EventLoopKind) async throws {
        try await withTLSServer(kind, store) { server, port in
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            await client.send(request("/large"))
            #expect(await client.response()?.body == EchoHandler.large)
            let body = String(repeating: "0123456789abcdef", count: 60_000)
            await client.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(await client.text() == body)
            await client.send(request("/after"))
            #expect(await client.text() == "/after")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func announcesEachOrderlyEnd(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.keepAliveIdle = .milliseconds(60)
        try await withTLSServer(kind, store, limits: limits) { server, port in
            for text in [request("/a", "Connection: close\r\n"), request("/a"), "nonsense\r\n\r\n"] {
                let client = try SocketClient(port: port)
                #expect(await client.shakeHands() == .done)
                await client.send(text)
                let end = await client.readToEnd()
                #expect(end.text.hasPrefix("HTTP/1.1 "))
                #expect(end.isAnnounced)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases, [true, false])
    func answersAClientThatHasEndedItsSide(kind: EventLoopKind, isAnnounced: Bool) async throws {
        try await withTLSServer(kind, store) { server, port in
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            await client.send(request("/later"))
            await client.endSending(announced: isAnnounced)
            #expect(await client.text() == "later")
            #expect(await client.readToEnd().isAnnounced)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func tellsPlainHTTPThatThisIsHTTPS(kind: EventLoopKind) async throws {
        try await withTLSServer(kind, store) { server, port in
            let client = try SocketClient(port: port)
            await client.sendRaw(Array((request("/") + String(repeating: "x", count: 100_000)).utf8))
            var answer: [UInt8] = []
            while await !client.isAtEnd { answer += await client.receiveRaw() }
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.hasSuffix("This port speaks HTTPS, and the request came as plain HTTP."))
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func endsAHandshakeThatStalls(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.firstByte = .milliseconds(60)
        try await withTLSServer(kind, store, limits: limits) { server, port in
            for bytes in [[], [0x16, 0x03, 0x01, 0x02, 0x00]] as [[UInt8]] {
                let client = try SocketClient(port: port)
                await client.sendRaw(bytes)
                #expect(await client.receiveRaw().isEmpty)
            }
            #expect(server.statistics.timeouts == 2)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func showsNewCertificatesWhileOldConnectionsLive(kind: EventLoopKind) async throws {
        try await withTLSServer(kind, store) { server, port in
            let old = try SocketClient(port: port)
            #expect(await old.shakeHands() == .done)
            store.use(try CertificateTable([certificates.commonName], ticketKeys: TicketKeys()))
            await old.send(request("/old"))
            #expect(await old.text() == "/old")
            let new = try SocketClient(port: port)
            #expect(await new.shakeHands() == .done)
            #expect(await new.shownName == "other.example.org")
            #expect(await old.shownName == "ecdsa")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func refusesRequestsForAHostWhoseCertificateWasNotShown(kind: EventLoopKind) async throws {
        let store = try TestCertificates.store([certificates.ecdsa, certificates.rsa, certificates.wildcard])
        try await withTLSServer(kind, store) { server, port in
            let cases: [(name: String?, host: String, status: String)] = [
                ("go.example.com", "go.example.com", "200"), ("go.example.com", "GO.example.COM:8443", "200"),
                ("go.example.com", "www.example.com", "421"), ("go.example.com", "a.example.com", "421"),
                ("a.example.com", "b.example.com", "200"), ("a.example.com", "go.example.com", "200"),
                ("go.example.com", "unknown.example.net", "200"), ("go.example.com", "127.0.0.1", "200"),
                (nil, "go.example.com", "200"), (nil, "a.example.com", "421"),
            ]
            for (name, host, status) in cases {
                let client = try SocketClient(port: port, .init(serverName: name))
                #expect(await client.shakeHands() == .done)
                for _ in 0..<2 {
                    await client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    guard let answer = await client.response() else {
                        #expect(status == "421")
                        break
                    }
                    #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "), "\(host) under \(name ?? "none")")
                }
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func speaksWithTheCommandLineClient(kind: EventLoopKind) async throws {
        try await withTLSServer(kind, store) { server, port in
            let connect = ["s_client", "-connect", "127.0.0.1:\(port)", "-servername", "go.example.com"]
            let answer = await openssl(
                connect + ["-quiet", "-alpn", "http/1.1", "-CAfile", certificates.ecdsa.certificate],
                input: request("/peer", "Connection: close\r\n"))
            #expect(answer.contains("HTTP/1.1 200 OK"), "\(answer)")
            #expect(answer.contains("secure: true"))
            let file = certificates.folder + "/session-\(kind).pem"
            for version in ["-tls1_2", "-tls1_3"] {
                let first = await openssl(
                    connect + ["-quiet", version, "-sess_out", file], input: request("/a", "Connection: close\r\n"))
                #expect(first.contains("HTTP/1.1 200 OK"), "\(first)")
                let second = await openssl(connect + [version, "-sess_in", file], input: "Q\n")
                #expect(second.contains("\nReused, TLSv1."), "\(second)")
            }
            #expect(await openssl(connect + ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], input: "Q\n").contains("alert"))
        }
    }

    /// On a thread of its own: the server under test needs the others.
    private func openssl(_ arguments: [String], input: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: TestCertificates.openssl(arguments, input: input))
            }
        }
    }
}
