import Testing
import WaymarkBytes
import WaymarkHTTP
import WaymarkSockets

@testable import WaymarkServer

/// For whom trusted proxies ask.
@Suite struct ForwardedTests {
    private static let trusted = TrustedProxies(
        networks: ["10.0.0.0/8", "2001:db8:a::/48"].compactMap { NetworkPrefix($0) })

    /// The client's address, whether it came encrypted, and the host, as `192.0.2.1 https example.com:443`.
    private func client(
        _ lines: [String], from address: String = "10.0.0.1", isSecure: Bool = false,
        trusted: TrustedProxies = ForwardedTests.trusted, believing fields: ForwardedFields = .either
    ) throws -> String {
        let text = "GET / HTTP/1.1\r\nHost: inner:8080\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n"
        let bytes = Array(text.utf8)
        let head = RequestHead()
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head) else {
            Issue.record("the head is not valid")
            return ""
        }
        let peer = Peer(address: try #require(IPAddress(address)), isSecure: isSecure, isTrustedProxy: true)
        let client = trusted.client(behind: peer, head, bytes.span, believing: fields)
        #expect(client.isForwarded)
        #expect(!client.isLocal)
        let host = String(decoding: head.host.indices.map { bytes[$0] }, as: UTF8.self)
        return "\(client.addressText) \(client.isSecure ? "https" : "http") \(host)\(head.port.map { ":\($0)" } ?? "")"
    }

    private static let fallback = "10.0.0.1 http inner:8080"

    @Test(
        arguments: [
            // The client is the right-most address that is no trusted proxy's.
            (["Forwarded: for=192.0.2.1"], "192.0.2.1 http inner:8080"),
            (["Forwarded: for=198.51.100.9, for=192.0.2.1"], "192.0.2.1 http inner:8080"),
            (["Forwarded: for=192.0.2.1, for=10.2.3.4"], "192.0.2.1 http inner:8080"),
            (["Forwarded: for=198.51.100.9", "Forwarded: for=192.0.2.1, for=10.2.3.4"], "192.0.2.1 http inner:8080"),
            (["Forwarded: for=10.9.9.9, for=10.2.3.4"], "10.9.9.9 http inner:8080"),
            ([#"Forwarded: for="[2001:db8::1]""#], "2001:db8::1 http inner:8080"),
            ([#"Forwarded: for="[2001:db8::1]:80", for="[2001:db8:a::5]:_p""#], "2001:db8::1 http inner:8080"),
            ([#"Forwarded: for="192.0.2.1:443";proto=https;host=go.example.com"#], "192.0.2.1 https go.example.com"),
            ([#"Forwarded: for=192.0.2.1;host="go.example.com:8443""#], "192.0.2.1 http go.example.com:8443"),
            ([#"Forwarded: for="\1\9\2.0.2.1""#], "192.0.2.1 http inner:8080"),
            // What the proxy beside the client saw counts, not what the inner ones saw of each other.
            (
                ["Forwarded: for=192.0.2.1;proto=https;host=a.example, for=10.2.3.4;proto=http;host=b.example"],
                "192.0.2.1 https a.example"
            ),
            (["Forwarded: proto=https"], "10.0.0.1 https inner:8080"),
            (["Forwarded: for=unknown;proto=https"], "10.0.0.1 https inner:8080"),
            (["Forwarded: for=192.0.2.1, for=_hidden"], "10.0.0.1 http inner:8080"),
            (["Forwarded: for=192.0.2.1, for=_hidden, for=10.2.3.4"], "10.2.3.4 http inner:8080"),

            (["X-Forwarded-For: 192.0.2.1"], "192.0.2.1 http inner:8080"),
            (["X-Forwarded-For: 198.51.100.9, 192.0.2.1 ,10.2.3.4"], "192.0.2.1 http inner:8080"),
            (["X-Forwarded-For: 198.51.100.9", "X-Forwarded-For: 192.0.2.1"], "192.0.2.1 http inner:8080"),
            (["X-Forwarded-For: 2001:db8::1"], "2001:db8::1 http inner:8080"),
            (["X-Forwarded-For: [2001:db8::1]:443"], "2001:db8::1 http inner:8080"),
            (["X-Forwarded-For: 192.0.2.1:65000"], "192.0.2.1 http inner:8080"),
            // Whatever a client sends ahead can't hide what the proxy appends.
            (["X-Forwarded-For: nonsense \", 192.0.2.1"], "192.0.2.1 http inner:8080"),
            (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: HTTPS"], "192.0.2.1 https inner:8080"),
            (["X-Forwarded-Proto: https", "X-Forwarded-Host: go.example.com"], "10.0.0.1 https go.example.com"),
            (
                ["X-Forwarded-For: 192.0.2.1, 10.2.3.4", "X-Forwarded-Proto: https, http"],
                "192.0.2.1 https inner:8080"
            ),
            (
                ["X-Forwarded-For: 192.0.2.1, 10.2.3.4", "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example"],
                "192.0.2.1 https a.example"
            ),
            (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: a.example, b.example"], "192.0.2.1 http b.example"),

            // Where both are there the proxy has written X-Forwarded-, and the client may have written the other.
            (["Forwarded: for=\"192.0.2.1", "X-Forwarded-For: 192.0.2.2"], "192.0.2.2 http inner:8080"),
            (["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.2"], "192.0.2.2 http inner:8080"),
            (
                ["Forwarded: for=192.0.2.1;proto=https;host=a.example", "X-Forwarded-For: 192.0.2.2"],
                "192.0.2.2 http inner:8080"
            ),
            (["Forwarded: host=a.example", "X-Forwarded-Host: a.example:8080"], "10.0.0.1 http a.example:8080"),
        ] as [([String], String)])
    func believesTrustedProxies(lines: [String], expected: String) throws {
        #expect(try client(lines) == expected)
    }

    @Test(arguments: [
        ["Forwarded: for=192.0.2.1;for=192.0.2.2"], ["Forwarded: for=192.0.2.256"], ["Forwarded: for=2001:db8::1"],
        [#"Forwarded: for="2001:db8::1""#], [#"Forwarded: for="[192.0.2.1]""#], [#"Forwarded: for="192.0.2.1:""#],
        [#"Forwarded: for="192.0.2.1:123456""#], ["Forwarded: for=somebody"], ["Forwarded: for=_"],
        ["Forwarded: for=192.0.2.1;proto=gopher"], [#"Forwarded: for=192.0.2.1;host="a b""#],
        [#"Forwarded: for=192.0.2.1;host="user@a""#], ["Forwarded: for=192.0.2.1, for="],
        ["X-Forwarded-For: somebody"], ["X-Forwarded-For: 192.0.2.1, nobody"], ["X-Forwarded-For: 192.0.2.1, _"],
        ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: ftp"],
        ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: a/b"],
        ["X-Forwarded-For: 192.0.2.1/24"], ["X-Forwarded-For: 2001:db8::1%eth0"], ["X-Forwarded-For: "],
        // Nothing of the other kind takes the place of what can't be read.
        ["Forwarded: for=192.0.2.1", "X-Forwarded-For: nobody"],
    ])
    func fallsBackToTheProxyItself(lines: [String]) throws {
        #expect(try client(lines) == Self.fallback)
    }

    @Test func takesTheSchemeOfTheConnectionWhereNoneIsSaid() throws {
        #expect(try client(["X-Forwarded-For: 192.0.2.1"], isSecure: true) == "192.0.2.1 https inner:8080")
        let lines = ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: http"]
        #expect(try client(lines, isSecure: true) == "192.0.2.1 http inner:8080")
    }

    @Test(arguments: [
        (ForwardedFields.xForwarded, ["Forwarded: for=192.0.2.1;host=a.example"], ForwardedTests.fallback),
        (.xForwarded, ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.2"], "192.0.2.2 http inner:8080"),
        (.forwarded, ["X-Forwarded-For: 192.0.2.2", "X-Forwarded-Host: a.example"], ForwardedTests.fallback),
        (.forwarded, ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.2"], "192.0.2.1 http inner:8080"),
        (.either, ["Forwarded: for=192.0.2.1"], "192.0.2.1 http inner:8080"),
    ])
    func readsOnlyTheFieldsThatAreBelieved(
        fields: ForwardedFields, lines: [String], expected: String
    ) throws {
        #expect(try client(lines, believing: fields) == expected)
    }

    @Test(arguments: [
        ("Forwarded: for=192.0.2.1", true), ("X-Forwarded-For: 192.0.2.1", true), ("X-Real-IP: 192.0.2.1", true),
        ("Via: 1.1 nginx", true), ("x-forwarded-port: 443", true), ("X-FORWARDED-Prefix: /a", true),
        ("X-Forwarded: yes", false), ("X-Forward-For: 1", false), ("Accept: */*", false),
    ])
    func recognizesForwardedRequests(line: String, isForwarded: Bool) throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n".utf8)
        let head = RequestHead()
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head) else { throw CancellationError() }
        #expect(Forwarding.isMentioned(in: head, bytes.span) == isForwarded)
    }

    @Test func exemptsOnlyThoseOnThisMachineWhoAskForThemselves() throws {
        let loopback = try #require(IPAddress("127.0.0.1"))
        #expect(Peer(address: loopback).isLocal)
        #expect(Peer(address: IPAddress(high: 0, low: 1)).isLocal)
        #expect(Peer(address: IPAddress(high: 0, low: 0), isUnixSocket: true).isLocal)
        #expect(!Peer(address: loopback, isForwarded: true).isLocal)
        #expect(!Peer(address: try #require(IPAddress("192.0.2.1"))).isLocal)
    }
}
