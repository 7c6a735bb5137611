import Synchronization
import Testing
import WaymarkServer
import WaymarkSockets

/// What stands between socket and parser, with a stand-in for TLS.
@Suite struct TransportTests {
    private static let mask: UInt8 = 0x5a

    /// Shakes hands with one byte each way, masks every byte, keeps what it has unmasked back and hands it out in small
    /// pieces, and takes little at a time: as inconvenient as TLS, and more.
    private final class MaskingTransport: Transport {
        private var descriptor: Int32 = -1
        private var held: [UInt8] = []
        private var isEnded = false

        func attach(to descriptor: Int32) { self.descriptor = descriptor }

        func handshake() -> TransportOutcome {
            var byte: UInt8 = 0
            let result = withUnsafeMutableBytes(of: &byte) { SystemCall.receive(descriptor, into: $0) }
            switch result {
            case .processed(1) where byte == UInt8(ascii: "H"):
                let answer: [UInt8] = [UInt8(ascii: "K")]
                _ = answer.withUnsafeBytes { SystemCall.send(descriptor, $0) }
                return .done(0)
            case .wouldBlock: return .wantsRead
            default: return .failed
            }
        }

        func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportOutcome {
            if held.isEmpty, !isEnded {
                var bytes = [UInt8](repeating: 0, count: 16_384)
                switch bytes.withUnsafeMutableBytes({ SystemCall.receive(descriptor, into: $0) }) {
                case .processed(0): isEnded = true
                case .processed(let count): held = bytes[..<count].map { $0 ^ mask }
                case .wouldBlock: return .wantsRead
                case .failed: return .failed
                }
            }
            let piece = held.prefix(min(100, buffer.count))
            buffer.copyBytes(from: piece)
            held.removeFirst(piece.count)
            return .done(piece.count)
        }

        func send(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> TransportOutcome {
            let masked = bytes.prefix(1_000).map { $0 ^ mask }
            switch masked.withUnsafeBytes({ SystemCall.send(descriptor, $0) }) {
            case .processed(let count): return .done(count)
            case .wouldBlock: return .wantsWrite
            case .failed: return .failed
            }
        }

        func closeWriting() {
            let farewell: [UInt8] = [UInt8(ascii: ".") ^ mask]
            _ = farewell.withUnsafeBytes { SystemCall.send(descriptor, $0) }
        }
    }

    private static func masked(_ text: String) -> [UInt8] { text.utf8.map { $0 ^ mask } }

    private func withMaskingServer(
        _ kind: EventLoopKind, limits: ServerLimits = ServerLimits(),
        _ body: (RawClient, TestHandler.Board) async throws -> Void
    ) async throws {
        try await withServer(
            kind, limits: limits,
            configure: {
                $0.listeners[0].transport = { _ in MaskingTransport() }
            }
        ) { server, address, board in
            #expect(server.listeners[0].isSecure)
            let client = try RawClient(address)
            try await body(client, board)
        }
    }

    private func shakeHands(_ client: RawClient) async throws {
        await client.send("H")
        while await client.received.isEmpty { try #require(await client.readMore()) }
        #expect(await client.take(1) == Array("K".utf8))
        await client.setMask(Self.mask)
    }

    @Test(arguments: EventLoopKind.allCases)
    func servesThroughIt(kind: EventLoopKind) async throws {
        try await withMaskingServer(kind) { client, board in
            try await shakeHands(client)
            let paths = (0..<200).map { $0 % 5 == 0 ? "/later/\($0)" : "/now/\($0)" } + ["/medium", "/end"]
            await client.send(Self.masked(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()))
            for path in paths {
                let response = try await client.readResponse()
                #expect(path == "/medium" ? response.body.count == 200_000 : response.text == path)
            }
            await client.send(Self.masked("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n"))
            await client.send(Self.masked(String(repeating: "b", count: 900)))
            let response = try await client.readResponse()
            #expect(response.body.count == 900)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func saysFarewellThroughIt(kind: EventLoopKind) async throws {
        try await withMaskingServer(kind) { client, board in
            try await shakeHands(client)
            await client.send(Self.masked("nonsense\r\n\r\n"))
            let response = try await client.readResponse()
            #expect(response.status == 400)
            #expect(await client.readToEnd() == ".")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func endsAHandshakeThatDoesNotComeOrFails(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.firstByte = .milliseconds(60)
        try await withMaskingServer(kind, limits: limits) { client, board in
            #expect(await client.readToEnd() == "")
        }
        try await withMaskingServer(kind) { client, board in
            await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(await client.readToEnd() == "")
        }
    }
}
