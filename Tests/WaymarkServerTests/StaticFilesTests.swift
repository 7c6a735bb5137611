import Glibc
import Synchronization
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Files over a real server and a real directory.
@Suite struct StaticFilesTests {
    private static let tree: String = {
        var template = Array("/tmp/waymark-static-XXXXXX".utf8CString)
        let root = String(cString: mkdtemp(&template))
        for directory in ["", "/public", "/public/sub", "/public/.well-known", "/public/.hidden", "/public/empty"] {
            mkdir(root + directory, 0o755)
        }
        func write(_ path: String, _ text: String) {
            let descriptor = open(root + path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            _ = text.utf8CString.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count - 1) }
            close(descriptor)
        }
        write("/secret", "secret")
        write("/public/index.html", "home")
        write("/public/app.js", "script")
        write("/public/a b.txt", "spaced")
        write("/public/sub/index.html", "sub")
        write("/public/.well-known/assetlinks.json", "[]")
        write("/public/.well-known/apple-app-site-association", "{}")
        write("/public/.hidden/file", "hidden")
        write("/public/.env", "hidden")
        write("/public/large.bin", String(repeating: "0123456789abcdef", count: 200_000))
        symlink("../secret", root + "/public/link")
        symlink("..", root + "/public/up")
        mkfifo(root + "/public/pipe", 0o644)
        return root
    }()

    private final class Handler: RequestHandler {
        let files: StaticFiles

        init(_ files: StaticFiles) { self.files = files }

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            let request = StaticFileRequest(head, in: bytes, droppingSegments: 1)
            let files = files
            return .later {
                switch await files.serve(request) {
                case .response(let response): response
                case .notFound: Response(.notFound)
                case .preconditionFailed: Response(.preconditionFailed)
                case .rangeNotSatisfiable(let fields): Response(.rangeNotSatisfiable, fields: fields)
                case .failed: Response(.serviceUnavailable)
                }
            }
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    private func withFiles(
        _ kind: EventLoopKind = .standard, _ body: (RawClient, Server) async throws -> Void
    ) async throws {
        let files = try StaticFiles(root: Self.tree + "/public")
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = kind
        let server = try await Server.start(configuration) { _ in Handler(files) }
        do {
            try await body(try RawClient(server.listeners[0].address), server)
        } catch {
            await server.drain()
            throw error
        }
        await server.drain()
    }

    private func get(_ client: RawClient, _ path: String, _ fields: String = "", method: String = "GET") async throws
        -> RawResponse
    {
        await client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        return try await client.readResponse(isHead: method == "HEAD")
    }

    @Test(arguments: [
        ("/_/", "home", "text/html; charset=utf-8"), ("/_/index.html", "home", "text/html; charset=utf-8"),
        ("/_/app.js", "script", "text/javascript; charset=utf-8"),
        ("/_/a%20b.txt", "spaced", "text/plain; charset=utf-8"),
        ("/_/sub/", "sub", "text/html; charset=utf-8"),
        ("/_/.well-known/assetlinks.json", "[]", "application/json"),
        ("/_/.well-known/apple-app-site-association", "{}", "application/json"),
    ])
    func servesFilesAndIndexes(path: String, text: String, type: String) async throws {
        try await withFiles { client, _ in
            let response = try await get(client, path)
            #expect(response.status == 200)
            #expect(response.text == text)
            #expect(response.value("Content-Type") == type)
            #expect(response.value("X-Content-Type-Options") == "nosniff")
        }
    }

    @Test(arguments: [
        "/_/../secret", "/_/%2e%2e/secret", "/_/..%2fsecret", "/_/sub/../../secret", "/_/link", "/_/up/secret",
        "/_/.hidden/file", "/_/.env", "/_//index.html", "/_/sub//", "/_/./index.html", "/_/missing", "/_/app.js/",
        "/_/app.js/x", "/_/empty/", "/_/pipe", "/_/%5c..%5csecret", "/_/\(String(repeating: "n", count: 300))", "/_",
        "/_/%FF", "/_/.", "/_/..",
    ])
    func servesNothingElse(path: String) async throws {
        try await withFiles { client, _ in
            let response = try await get(client, path)
            #expect(response.status == 404)
        }
    }

    @Test func sendsADirectoryWithoutItsSlashThere() async throws {
        try await withFiles { client, _ in
            let response = try await get(client, "/_/sub")
            #expect(response.status == 301)
            #expect(response.value("Location") == "/_/sub/")
        }
    }

    @Test func answersHeadAndKnowsWhatTheClientHas() async throws {
        try await withFiles { client, _ in
            let first = try await get(client, "/_/app.js", method: "HEAD")
            #expect(first.value("Content-Length") == "6")
            let tag = try #require(first.value("ETag"))
            let modified = try #require(first.value("Last-Modified"))
            for field in ["If-None-Match: \(tag)", "If-None-Match: \"x\", W/\(tag)", "If-None-Match: *"] {
                let response = try await get(client, "/_/app.js", field + "\r\n")
                #expect(response.status == 304)
                #expect(response.value("ETag") == tag)
            }
            #expect(try await get(client, "/_/app.js", "If-Modified-Since: \(modified)\r\n").status == 304)
            #expect(try await get(client, "/_/app.js", "If-None-Match: \"x\"\r\n").status == 200)
            let both = "If-None-Match: \"x\"\r\nIf-Modified-Since: \(modified)\r\n"
            #expect(try await get(client, "/_/app.js", both).status == 200)
            let old = "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            #expect(try await get(client, "/_/app.js", old).status == 200)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsLargeFilesWhole(kind: EventLoopKind) async throws {
        try await withFiles(kind) { first, server in
            let client = try RawClient(server.listeners[0].address, receiveBuffer: 16_384)
            for _ in 0..<2 {
                let response = try await get(client, "/_/large.bin")
                #expect(response.body.count == 3_200_000)
                #expect(response.body.suffix(16).elementsEqual("0123456789abcdef".utf8))
            }
        }
    }

    @Test func survivesAClientThatLeavesDuringAFile() async throws {
        try await withFiles { _, server in
            for _ in 0..<10 {
                let client = try RawClient(server.listeners[0].address, receiveBuffer: 4_096)
                await client.send("GET /_/large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
                await client.readMore(atMost: 100)
                await client.closeAbruptly()
            }
            let client = try RawClient(server.listeners[0].address)
            let response = try await get(client, "/_/app.js")
            #expect(response.text == "script")
        }
    }
}
