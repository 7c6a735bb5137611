import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Conditional requests and ranges, over real sockets (RFC 9110 sections 13 and 14).
@Suite struct FileConditionTests {
    private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    /// Read only, so one for all.
    private static let shared = Result {
        let tree = try ServedTree()
        tree.write("digits.txt", digits)
        tree.date("digits.txt", 784_111_777)
        tree.write("long.txt", String(repeating: digits, count: 20))
        tree.write("empty.txt", "")
        return tree
    }
    private let tree: ServedTree

    init() throws {
        tree = try Self.shared.get()
    }

    /// `TAG` in a field stands for the file's own.
    private func get(_ fields: [String], method: String = "GET") async throws -> (RawResponse, whole: RawResponse) {
        var result: (RawResponse, whole: RawResponse)?
        try await withFiles(of: tree) { client in
            let whole = try await client.get("/_/digits.txt")
            let tag = try #require(whole.value("ETag"))
            let lines = fields.map { $0.replacing("TAG", with: tag) }.joined(separator: "\r\n")
            result = (try await client.get("/_/digits.txt", lines, method: method), whole)
        }
        return try #require(result)
    }

    @Test func saysWhatItIs() async throws {
        let (response, _) = try await get(["X: y"])
        #expect(response.status == 200)
        #expect(response.text == Self.digits)
        #expect(response.value("Last-Modified") == Self.modified)
        #expect(response.value("Accept-Ranges") == "bytes")
        #expect(response.value("Content-Range") == nil)
        #expect(response.value("ETag")?.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
    }

    @Test(
        arguments: ["GET", "HEAD"],
        [
            ["If-None-Match: TAG"], ["If-None-Match: W/TAG"], ["If-None-Match: *"], ["If-None-Match: \"x\", TAG"],
            ["If-None-Match: \"x\"", "If-None-Match: TAG"], ["If-Modified-Since: \(modified)"],
            ["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"], ["If-Modified-Since: Sun Nov  6 08:49:37 1994"],
            ["If-None-Match: TAG", "If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"],
            ["If-Match: TAG", "If-None-Match: TAG"],
            // Ranges come last.
            ["If-None-Match: TAG", "Range: bytes=0-1"], ["If-None-Match: TAG", "Range: bytes=100-"],
        ])
    func knowsWhatTheClientHas(method: String, _ fields: [String]) async throws {
        let (response, whole) = try await get(fields, method: method)
        #expect(response.status == 304)
        for name in ["ETag", "Cache-Control", "Vary"] { #expect(response.value(name) == whole.value(name)) }
        #expect(response.value("Date") != nil)
        for name in ["Content-Type", "Content-Length", "Content-Range", "Last-Modified", "Content-Encoding"] {
            #expect(response.value(name) == nil)
        }
    }

    @Test(
        arguments: ["GET", "HEAD"],
        [
            ["If-Match: \"x\""], ["If-Match: W/TAG"], ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"],
            ["If-Match: \"x\"", "If-None-Match: TAG"], ["If-Match: \"x\"", "Range: bytes=0-1"],
        ])
    func failsForAnotherVersion(method: String, _ fields: [String]) async throws {
        #expect(try await get(fields, method: method).0.status == 412)
    }

    @Test(arguments: [
        ["If-None-Match: \"x\""], ["If-None-Match: \"x\"", "If-Modified-Since: \(modified)"], ["If-Match: TAG"],
        ["If-Match: *"], ["If-Unmodified-Since: \(modified)"], ["If-Modified-Since: yesterday"],
        ["If-Match: TAG", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"],
        // No range, or none that means anything.
        ["Range: items=0-1"], ["Range: bytes=1-0"], ["Range: bytes=x"], ["Range: bytes=0-1", "Range: bytes=0-1"],
        ["Range: bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8"], ["Range: bytes=0-,0-"],
        ["Range: bytes=0-1", "If-Range: \"x\""], ["Range: bytes=0-1", "If-Range: W/TAG"],
        ["Range: bytes=100-", "If-Range: \"x\""], ["Range: bytes=0-1", "If-Range: Sun, 06 Nov 1994 08:49:36 GMT"],
        ["Range: bytes=0-1", "If-Range: Sun, 06 Nov 1994 08:49:38 GMT"], ["If-Range: TAG"],
    ])
    func sendsTheWhole(_ fields: [String]) async throws {
        let (response, _) = try await get(fields)
        #expect(response.status == 200)
        #expect(response.text == Self.digits)
    }

    @Test(arguments: [
        (["Range: bytes=0-0"], "0", "0-0"), (["Range: bytes=10-12"], "abc", "10-12"),
        (["Range: bytes=33-"], "xyz", "33-35"), (["Range: bytes=-2"], "yz", "34-35"),
        (["Range: bytes=-100"], digits, "0-35"), (["Range: bytes=35-99999999999999999999"], "z", "35-35"),
        (["Range: Bytes=0-1"], "01", "0-1"), (["Range: bytes=100-,1-1"], "1", "1-1"),
        (["Range: bytes=0-1", "If-Range: TAG"], "01", "0-1"),
        (["Range: bytes=0-1", "If-Range: \(modified)"], "01", "0-1"),
        (["Range: bytes=0-1", "If-Range: Sun Nov  6 08:49:37 1994"], "01", "0-1"),
        (["Range: bytes=0-1", "If-Match: TAG", "If-None-Match: \"x\""], "01", "0-1"),
        // Parts are of the plain bytes.
        (["Range: bytes=0-1", "Accept-Encoding: gzip"], "01", "0-1"),
    ])
    func sendsAPart(_ fields: [String], text: String, range: String) async throws {
        let (response, whole) = try await get(fields)
        #expect(response.status == 206)
        #expect(response.text == text)
        #expect(response.value("Content-Range") == "bytes \(range)/36")
        for name in ["ETag", "Cache-Control", "Vary", "Content-Type", "Last-Modified"] {
            #expect(response.value(name) == whole.value(name))
        }
        #expect(response.value("Content-Encoding") == nil)
    }

    @Test(arguments: ["bytes=36-", "bytes=-0", "bytes=99999999999999999999-", "bytes=100-200,300-"])
    func saysHowLongTheFileIsInstead(range: String) async throws {
        let (response, _) = try await get(["Range: \(range)"])
        #expect(response.status == 416)
        #expect(response.value("Content-Range") == "bytes */36")
    }

    @Test func looksAtRangesForGetOnly() async throws {
        let (response, whole) = try await get(["Range: bytes=0-1"], method: "HEAD")
        #expect(response.status == 200)
        #expect(response.value("Content-Length") == "36")
        #expect(response.fields.map(\.name).sorted() == whole.fields.map(\.name).sorted())
    }

    @Test func hasNoPartOfAnEmptyFile() async throws {
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/empty.txt", "Range: bytes=0-")
            #expect(response.status == 416)
            #expect(response.value("Content-Range") == "bytes */0")
            #expect(try await client.get("/_/empty.txt", "Range: bytes=-1").status == 200)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsSeveralParts(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { client in
            var boundaries: Set<String> = []
            for _ in 0..<2 {
                let response = try await client.get("/_/long.txt", "Range: bytes=0-1, -1, 1000-, 10-12")
                #expect(response.status == 206)
                #expect(response.value("Content-Range") == nil)
                let type = try #require(response.value("Content-Type"))
                let boundary = String(
                    try #require(type.wholeMatch(of: /multipart\/byteranges; boundary=([0-9a-f]{32})/)).output.1)
                boundaries.insert(boundary)
                let parts = [("0-1", "01"), ("719-719", "z"), ("10-12", "abc")].map {
                    "--\(boundary)\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes \($0)/720\r\n\r\n\($1)\r\n"
                }
                #expect(response.text == parts.joined() + "--\(boundary)--\r\n")
            }
            #expect(boundaries.count == 2)
        }
    }

    @Test(arguments: [
        ("digits.txt", "0-0,-1"), ("long.txt", "0-99,200-299,300-399,400-499,500-719"),
        ("long.txt", "0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14"), ("long.txt", "0-359,0-359"), ("long.txt", "0-199,500-"),
        ("long.txt", "0-9,20-29,40-49"), ("long.txt", "1-1,0-0"),
    ])
    func sendsNoPartsLongerThanTheFile(name: String, ranges: String) async throws {
        try await withFiles(of: tree) { client in
            let whole = try await client.get("/_/\(name)")
            let response = try await client.get("/_/\(name)", "Range: bytes=\(ranges)")
            #expect(response.text.utf8.count <= whole.text.utf8.count)
            #expect(response.status == 206 || response.text == whole.text)
            if response.status == 200 { #expect(response.value("Content-Type") == whole.value("Content-Type")) }
        }
    }
}
