import Glibc
import Testing
import WaymarkServer
import WaymarkSockets

/// Listeners behind proxies: the PROXY protocol, forwarded addresses, Unix-domain sockets.
@Suite struct ListenerTests {
    /// Flips all bits, in place of TLS: what stands ahead of it must not go through it.
    private final class FlippingTransport: Transport {
        private var descriptor: Int32 = -1

        func attach(to descriptor: Int32) { self.descriptor = descriptor }
        func handshake() -> TransportOutcome { .done(0) }
        func closeWriting() {}

        func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportOutcome {
            switch SystemCall.receive(descriptor, into: buffer) {
            case .processed(let count):
                for index in 0..<count { buffer[index] = ~buffer[index] }
                return .done(count)
            case .wouldBlock: return .wantsRead
            case .failed: return .failed
            }
        }

        func send(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> TransportOutcome {
            switch bytes.map(~).withUnsafeBytes({ SystemCall.send(descriptor, $0) }) {
            case .processed(let count): return .done(count)
            case .wouldBlock: return .wantsWrite
            case .failed: return .failed
            }
        }
    }

    private static let loopback = TrustedProxies(networks: [NetworkPrefix("127.0.0.0/8")].compactMap(\.self))
    private static let line = Array("PROXY TCP4 192.0.2.1 10.0.0.1 12345 80\r\n".utf8)
    private static let request = Array("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    private func withProxyServer(
        _ kind: EventLoopKind, trusted: TrustedProxies = loopback, limits: ServerLimits = ServerLimits(),
        isFlipped: Bool = false, _ body: (RawClient, TestHandler.Board) async throws -> Void
    ) async throws {
        try await withServer(
            kind, limits: limits,
            configure: {
                $0.trustedProxies = trusted
                $0.listeners[0].expectsProxyHeader = true
                if isFlipped { $0.listeners[0].transport = { _ in FlippingTransport() } }
            }
        ) { _, address, board in
            try await body(try RawClient(address), board)
        }
    }

    @Test(arguments: EventLoopKind.allCases, [line, ProxyHeaderTests.binary(extensions: [4, 0, 1, 9])])
    func knowsTheClientFromTheProxysHeader(kind: EventLoopKind, header: [UInt8]) async throws {
        try await withProxyServer(kind) { client, _ in
            await client.send(header + Self.request + Self.request)
            for _ in 0..<2 {
                let response = try await client.readResponse()
                #expect(response.text == "192.0.2.1 public")
            }
        }
        try await withProxyServer(kind) { client, _ in
            for byte in header {
                await client.send([byte])
                await client.readForAMoment()
            }
            await client.send(Self.request)
            let response = try await client.readResponse()
            #expect(response.text == "192.0.2.1 public")
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["PROXY UNKNOWN\r\n", "local"])
    func takesTheProxyForTheClientWhereItAsksForItself(kind: EventLoopKind, header: String) async throws {
        let bytes =
            header == "local"
            ? ProxyHeaderTests.binary(command: 0x20, family: 0, addresses: []) : Array(header.utf8)
        try await withProxyServer(kind) { client, _ in
            await client.send(bytes + Self.request)
            let response = try await client.readResponse()
            #expect(response.text == "127.0.0.1 public")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func readsTheHeaderAheadOfATransport(kind: EventLoopKind) async throws {
        try await withProxyServer(kind, isFlipped: true) { client, _ in
            await client.setMask(0xFF)
            await client.send(Self.line + Self.request.map(~))
            let response = try await client.readResponse()
            #expect(response.text == "192.0.2.1 public")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesWithoutAWordWhatBeginsOtherwise(kind: EventLoopKind) async throws {
        for first in [Self.request, Array("PROXY TCP4 x\r\n".utf8) + Self.request, [0x16, 3, 1, 2, 0]] {
            try await withProxyServer(kind) { client, board in
                await client.send(first)
                #expect(await client.readToEnd() == "")
                #expect(board.callCount == 0)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func listensToTrustedProxiesOnly(kind: EventLoopKind) async throws {
        let others = TrustedProxies(networks: [NetworkPrefix("192.0.2.0/24")].compactMap(\.self))
        try await withProxyServer(kind, trusted: others) { client, board in
            await client.send(Self.line + Self.request)
            #expect(await client.readToEnd() == "")
            #expect(board.callCount == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func givesUpOnAHeaderThatDoesNotCome(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.firstByte = .milliseconds(60)
        try await withProxyServer(kind, limits: limits) { client, _ in
            await client.send(Array(Self.line.prefix(20)))
            #expect(await client.readToEnd() == "")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func believesForwardedFieldsOfTrustedProxiesOnly(kind: EventLoopKind) async throws {
        let forwarded = "GET /peer HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
        let direct = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n"
        try await withServer(kind, configure: { $0.trustedProxies = Self.loopback }) { _, address, _ in
            let client = try RawClient(address)
            for (request, expected) in [(forwarded, "192.0.2.7"), (direct, "127.0.0.1"), (forwarded, "192.0.2.7")] {
                await client.send(request)
                let response = try await client.readResponse()
                #expect(response.text == "\(expected) public")
            }
        }
        try await withServer(kind) { _, address, _ in
            let client = try RawClient(address)
            await client.send(forwarded)
            let response = try await client.readResponse()
            #expect(response.text == "127.0.0.1 public")
        }
    }

    /// A load balancer that speaks the PROXY protocol, and an HTTP proxy behind it.
    @Test(arguments: EventLoopKind.allCases)
    func believesAProxyThatCameThroughAnother(kind: EventLoopKind) async throws {
        var trusted = Self.loopback
        trusted.networks.append(try #require(NetworkPrefix("192.0.2.1")))
        try await withProxyServer(kind, trusted: trusted) { client, _ in
            await client.send(
                Self.line + Array("GET /peer HTTP/1.1\r\nHost: a\r\nForwarded: for=203.0.113.5\r\n\r\n".utf8))
            let response = try await client.readResponse()
            #expect(response.text == "203.0.113.5 public")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func servesAUnixDomainSocketOnAllLoops(kind: EventLoopKind) async throws {
        let path = "/tmp/waymark-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        defer { unlink(path) }
        try await withServer(
            kind, threads: 3,
            configure: {
                $0.listeners.append(.init(.unix(path: path, mode: 0o600)))
                $0.trustedProxies = TrustedProxies(includesUnixSockets: true)
            }
        ) { server, _, _ in
            #expect(server.listeners.map(\.path) == [nil, path])
            for _ in 0..<20 {
                let client = try RawClient(path: path)
                await client.send(Self.request)
                let direct = try await client.readResponse()
                #expect(direct.text == "unix public")
                await client.send("GET /peer HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n")
                let forwarded = try await client.readResponse()
                #expect(forwarded.text == "192.0.2.7 public")
            }
        }
        #expect(access(path, F_OK) != 0, "the file is left behind")
    }

    @Test(arguments: EventLoopKind.allCases)
    func removesItsFileWhereAnotherAddressIsTaken(kind: EventLoopKind) async throws {
        let path = "/tmp/waymark-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        defer { unlink(path) }
        try await withServer(kind) { _, address, _ in
            let taken = HostAndPort(host: "127.0.0.1", port: address.port)
            let configuration = ServerConfiguration(listeners: [.init(.unix(path: path, mode: 0o600)), .init(taken)])
            await #expect(throws: ServerError.self) {
                _ = try await Server.start(configuration) { TestHandler(TestHandler.Board()) }
            }
        }
        #expect(access(path, F_OK) != 0, "the file is left behind")
    }

    @Test(arguments: EventLoopKind.allCases)
    func hearsFromEveryLoop(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 3) { server, _, _ in
            await withCheckedContinuation { continuation in server.touchLoops { continuation.resume() } }
        }
    }
}
