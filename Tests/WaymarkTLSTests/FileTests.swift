import Foundation
import TLSTestSupport
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets
import WaymarkTLS
import WaymarkTestSupport

/// Files through TLS: read in pieces and encrypted, where a plain connection leaves all of it to the kernel.
@Suite struct FileTests {
    private static let pattern = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private let store: CertificateStore
    private let folder: TemporaryFolder

    private final class Handler: RequestHandler {
        let files: StaticFiles

        init(_ files: StaticFiles) { self.files = files }

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            let request = StaticFileRequest(head, in: bytes)
            return .later { [files] in
                if case .response(let response) = await files.serve(request) { response } else { Response(.notFound) }
            }
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = try TestCertificates.store([TestCertificates.shared.ecdsa])
        try Self.pattern.write(to: URL(fileURLWithPath: folder.path + "/large.bin"))
        try Data(String(repeating: "text ", count: 1_000).utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/page.html"))
    }

    private func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: go.example.com\r\n\(fields)\r\n"
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsFilesAndPartsOfThem(kind: EventLoopKind) async throws {
        let files = try StaticFiles(root: folder.path)
        try await withTLSServer(kind, store, handler: { Handler(files) }) { _, port in
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            await client.send(
                request("/large.bin") + request("/large.bin", "Range: bytes=1000000-2999998\r\n")
                    + request("/page.html", "Accept-Encoding: gzip\r\n")
                    + request("/large.bin", "Range: bytes=1-16384, -2\r\n"))
            let whole = try #require(await client.response())
            #expect(Data(whole.body) == Self.pattern)
            let part = try #require(await client.response())
            #expect(part.head.contains("Content-Range: bytes 1000000-2999998/3000000"))
            #expect(Data(part.body) == Self.pattern[1_000_000..<2_999_999])
            let coded = try #require(await client.response())
            #expect(coded.head.contains("Content-Encoding: gzip"))
            #expect(coded.body == Gzip.compressed(Array(String(repeating: "text ", count: 1_000).utf8)))
            let parts = try #require(await client.response())
            #expect(parts.head.contains("HTTP/1.1 206 "))
            #expect(Data(parts.body).range(of: Self.pattern[1...16_384]) != nil)
            #expect(Data(parts.body).range(of: Data("Content-Range: bytes 2999998-2999999/3000000".utf8)) != nil)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func breaksOffUnannouncedWhereTheFileHasBecomeShorter(kind: EventLoopKind) async throws {
        let files = try StaticFiles(root: folder.path)
        try Data(count: 40_000_000).write(to: URL(fileURLWithPath: folder.path + "/large.bin"))
        try await withTLSServer(kind, store, handler: { Handler(files) }) { _, port in
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            await client.send(request("/large.bin"))
            await client.receiveRaw()
            #expect(truncate(folder.path + "/large.bin", 0) == 0)
            // The end is not one that TLS announces: what came is not all of it.
            #expect(await client.readToEnd().isAnnounced == false)
        }
    }
}
