import TLSTestSupport
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTLS

/// The field that tells browsers to come over TLS only: in every answer over TLS, once, and in none in clear.
@Suite struct StrictTransportSecurityTests {
    private let store: CertificateStore
    private let security = StrictTransportSecurity(maximumAge: 63_072_000, includesSubdomains: true)
    private static let line = "Strict-Transport-Security: max-age=63072000; includeSubDomains"

    init() throws {
        store = try TestCertificates.store([TestCertificates.shared.ecdsa])
    }

    @Test(
        arguments: EventLoopKind.allCases,
        ["GET /page", "HEAD /page", "GET /later", "GET /large", "POST /echo", "GET page", "BREW /page"])
    func `the field is in every response over TLS`(kind: EventLoopKind, request: String) async throws {
        try await withTLSServer(kind, store, security: security) { server, port in
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            let body = request.hasPrefix("POST") ? "Content-Length: 2\r\n" : ""
            await client.send(
                "\(request) HTTP/1.1\r\nHost: go.example.com\r\n\(body)Connection: close\r\n\r\n"
                    + (body.isEmpty ? "" : "ab"))
            let text = await client.readToEnd().text
            let head = try #require(text.components(upTo: "\r\n\r\n"))
            #expect(head.hasPrefix("HTTP/1.1 "))
            #expect(head.split(separator: "\r\n").count { $0 == Self.line } == 1, "\(head)")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func `the field is not in a plain response of a TLS port`(kind: EventLoopKind) async throws {
        try await withTLSServer(kind, store, security: security) { server, port in
            let client = try SocketClient(port: port)
            await client.sendRaw(Array("GET / HTTP/1.1\r\nHost: go.example.com\r\n\r\n".utf8))
            var answer: [UInt8] = []
            while await !client.isAtEnd { answer += await client.receiveRaw() }
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(!text.contains("Strict-Transport-Security"))
        }
    }

    @Test(arguments: [
        (StrictTransportSecurity(maximumAge: 0), "max-age=0"),
        (StrictTransportSecurity(maximumAge: 300, includesSubdomains: true), "max-age=300; includeSubDomains"),
        (
            StrictTransportSecurity(maximumAge: 31_536_000, includesSubdomains: true, isPreloaded: true),
            "max-age=31536000; includeSubDomains; preload"
        ),
    ])
    func `the field is spelled as in the standard`(security: StrictTransportSecurity, value: String) {
        #expect(security.value == value)
    }
}

extension String {
    fileprivate func components(upTo mark: String) -> String? {
        firstRange(of: mark).map { String(self[..<$0.lowerBound]) }
    }
}
