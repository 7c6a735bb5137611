import Synchronization
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

@Suite struct AccessLogTests {
    final class Lines: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ line: String) { texts.withLock { $0.append(line) } }
    }

    private final class Log: AccessLog {
        let scope: AccessLogScope
        let format: AccessLogFormat
        private let lines: Lines

        init(_ scope: AccessLogScope, _ lines: Lines, _ format: AccessLogFormat = .json) {
            self.scope = scope
            self.format = format
            self.lines = lines
        }

        func write(_ line: Span<UInt8>) {
            lines.add(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Method, path, status and how many it stands for, of each line; the loop's work is done when the server is.
    private func summaries(
        _ kind: EventLoopKind, _ scope: AccessLogScope, _ requests: [String]
    ) async throws -> [String] {
        let lines = Lines()
        try await withRoutedServer(kind, configure: { $0.accessLog = { _ in Log(scope, lines) } }) { _, address in
            let client = try RawClient(address)
            for request in requests { await client.send(request) }
            _ = await client.readToEnd()
        }
        return lines.all.map { line in
            func member(_ name: String) -> Substring {
                guard let start = line.firstRange(of: "\"\(name)\":") else { return "-" }
                return line[start.upperBound...].prefix { $0 != "," && $0 != "}" }
            }
            return ["method", "path", "route", "status", "oneIn"].map { String(member($0)) }.joined(separator: " ")
        }
    }

    private static let requests = [
        "GET /quiet HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ready?q HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /now HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ready-body HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD /later HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n", "GET /probe HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /failing-probe HTTP/1.1\r\nHost: a\r\n\r\n", "GET /broken HTTP/1.1\r\nHost: a\r\n\r\n", "nonsense\r\n\r\n",
    ]

    @Test(
        arguments: EventLoopKind.allCases,
        [
            (
                AccessLogScope.all,
                [
                    #""GET" "/quiet" "/quiet" 200 -"#, #""GET" "/ready" "/quiet" 302 -"#, #""GET" "/now" "/now" 200 -"#,
                    #""GET" "/ready-body" "/now" 200 -"#, #""HEAD" "/later" "/later" 200 -"#,
                    #""GET" "/ready" "/quiet" 302 -"#,
                    #""GET" "/probe" "/probe" 200 -"#, #""GET" "/failing-probe" "/probe" 503 -"#,
                    #""GET" "/broken" "/quiet" 503 -"#, #""" "" "none" 400 -"#,
                ]
            ),
            (
                .sampled(oneIn: 2),
                [
                    #""GET" "/ready" "/quiet" 302 2"#, #""GET" "/now" "/now" 200 -"#,
                    #""GET" "/ready-body" "/now" 200 -"#, #""HEAD" "/later" "/later" 200 -"#,
                    #""GET" "/failing-probe" "/probe" 503 -"#,
                    #""GET" "/broken" "/quiet" 503 -"#, #""" "" "none" 400 -"#,
                ]
            ),
            (
                .withoutQuiet,
                [
                    #""GET" "/now" "/now" 200 -"#, #""GET" "/ready-body" "/now" 200 -"#,
                    #""HEAD" "/later" "/later" 200 -"#, #""GET" "/failing-probe" "/probe" 503 -"#,
                    #""GET" "/broken" "/quiet" 503 -"#, #""" "" "none" 400 -"#,
                ]
            ),
        ])
    func hearsOfEachRequestInItsScope(
        kind: EventLoopKind, example: (scope: AccessLogScope, lines: [String])
    ) async throws {
        #expect(try await summaries(kind, example.scope, Self.requests) == example.lines)
    }

    private static let hostile: [(userAgent: [UInt8], written: String)] = [
        (Array("plain".utf8), "plain"),
        (Array(#"a"b\c"#.utf8), #"a\"b\\c"#),
        (Array("a\tb".utf8), #"a\u0009b"#),
        ([0x61, 0xFF, 0x62, 0xC3, 0x28], "a\u{FFFD}b\u{FFFD}("),
        (Array("x\u{9B}31m\u{2028}\u{202E}y".utf8), #"x\u009b31m\u2028\u202ey"#),
        (Array("ü\u{1F600}".utf8), "ü\u{1F600}"),
    ]

    @Test(arguments: hostile)
    func `text of a client does not leave its string`(example: (userAgent: [UInt8], written: String)) async throws {
        let lines = Lines()
        try await withRoutedServer(
            .standard, configure: { $0.accessLog = { _ in Log(.all, lines) } }
        ) { _, address in
            let client = try RawClient(address)
            await client.send(
                Array("GET /now?secret=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nUser-Agent: ".utf8)
                    + example.userAgent + Array("\r\nConnection: close\r\n\r\n".utf8))
            _ = await client.readToEnd()
        }
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.contains("\"userAgent\":\"\(example.written)\",\"status\":200,\"bytes\":4,"), "\(line)")
        #expect(line.hasSuffix("}\n"))
        #expect(line.utf8.dropLast().allSatisfy { $0 >= 0x20 })
        #expect(!line.contains("secret"))
        #expect(line.firstMatch(of: /^\{"time":"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z",/) != nil)
    }

    /// The lines of these requests on one connection.
    private func lines(_ format: AccessLogFormat, _ requests: [UInt8]) async throws -> [String] {
        let lines = Lines()
        try await withRoutedServer(
            .standard, configure: { $0.accessLog = { _ in Log(.all, lines, format) } }
        ) { _, address in
            let client = try RawClient(address)
            await client.send(requests)
            _ = await client.readToEnd()
        }
        return lines.all
    }

    private static func request(
        _ target: String, referrer: [UInt8], userAgent: [UInt8], version: String = "1.1"
    ) -> [UInt8] {
        Array("GET \(target) HTTP/\(version)\r\nHost: a\r\nReferer: ".utf8) + referrer
            + Array("\r\nUser-Agent: ".utf8) + userAgent + Array("\r\nConnection: close\r\n\r\n".utf8)
    }

    /// What `Referer` and `User-Agent` are in a line of the Combined Log Format, and the first in JSON.
    private static let referrers: [(sent: [UInt8], combined: String, json: String)] = [
        (Array("https://a.example/b?key=secret".utf8), "https://a.example/b", "https://a.example/b"),
        (Array("https://a.example/#secret".utf8), "https://a.example/", "https://a.example/"),
        (Array("https://user:secret@a.example/b".utf8), "-", ""),
        (Array("https://a.example/@b".utf8), "https://a.example/@b", "https://a.example/@b"),
        ([], "-", ""),
        (Array(#"a" 200 0 "-" "x\"#.utf8), #"a\x22 200 0 \x22-\x22 \x22x\x5c"#, #"a\" 200 0 \"-\" \"x\\"#),
        ([0x61, 0x09, 0xFF, 0xC3, 0xBC], #"a\x09\xff\xc3\xbc"#, "a\\u0009\u{FFFD}ü"),
    ]

    @Test(arguments: referrers, [("/now", 4), ("/later", 5)])
    func writesLinesThatNoClientCanForge(
        example: (sent: [UInt8], combined: String, json: String), target: (path: String, bytes: Int)
    ) async throws {
        let request = Self.request(
            target.path + "?secret=1", referrer: example.sent, userAgent: Array(#"x" 200 "\"#.utf8))
        let combined = try await lines(.combined, request)
        #expect(combined.count == 1)
        let line = try #require(combined.first)
        #expect(
            line.firstMatch(
                of: /^127\.0\.0\.1 - - \[[0-3]\d\/[A-Z][a-z][a-z]\/20\d\d:[0-2]\d:[0-5]\d:[0-6]\d \+0000\] "GET \//)
                != nil, "\(line)")
        #expect(
            line.contains(#""GET \#(target.path) HTTP/1.1" 200 \#(target.bytes) "\#(example.combined)" ""#),
            "\(line)")
        #expect(
            line.hasSuffix(#" "x\x22 200 \x22\x5c"\#n"#)
                && line.utf8.dropLast().allSatisfy { (0x20..<0x7F).contains($0) })

        let full = try #require(try await lines(.jsonFull, request).first)
        #expect(full.contains(#","referrer":"\#(example.json)","protocol":"HTTP/1.1","status":200,"#), "\(full)")
        #expect(!line.contains("secret=") && !full.contains("key=secret"))
        #expect(try await !lines(.json, request)[0].contains("referrer"))
    }

    @Test func writesCombinedLinesOfUnreadableAndOldRequests() async throws {
        let old = try await lines(
            .combined, Self.request("/now", referrer: Array("-".utf8), userAgent: [], version: "1.0"))
        #expect(old.first?.hasSuffix(#""GET /now HTTP/1.0" 200 4 "-" "-"\#n"#) == true, "\(old)")
        let unreadable = try await lines(.combined, Array("nonsense\r\n\r\n".utf8))
        #expect(unreadable.first?.contains(#"] "-" 400 "#) == true, "\(unreadable)")
    }
}
