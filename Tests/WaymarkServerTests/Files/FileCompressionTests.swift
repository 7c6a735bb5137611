import Glibc
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Content coding of files, over real sockets (RFC 9110 section 8.4 and 12.5.3).
@Suite struct FileCompressionTests {
    private static let text = String(repeating: "One line after the other. ", count: 200)
    private let tree: ServedTree

    init() throws {
        tree = try ServedTree()
        tree.write("page.html", Self.text)
        tree.write("small.css", String(repeating: "a", count: 255))
        tree.write("enough.css", String(repeating: "a", count: 256))
        tree.write("image.png", Self.text)
        tree.write("large.txt", String(repeating: Self.text, count: 700))
        var noise = SystemRandomNumberGenerator()
        tree.write("noise.txt", (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &noise) })
    }

    @Test(arguments: EventLoopKind.allCases)
    func unpacksToTheFile(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { client in
            let plain = try await client.get("/_/page.html")
            // Made, then from memory.
            for _ in 0..<2 {
                let response = try await client.get("/_/page.html", "Accept-Encoding: gzip, deflate, br")
                #expect(response.status == 200)
                #expect(response.value("Content-Encoding") == "gzip")
                #expect(response.value("Vary") == "Accept-Encoding")
                #expect(response.value("Content-Type") == "text/html; charset=utf-8")
                #expect(response.value("Accept-Ranges") == nil)
                #expect(response.body.count < plain.body.count / 10)
                #expect(unzipped(response.body) == Array(Self.text.utf8))
                #expect(response.value("ETag") == plain.value("ETag").map { $0.dropLast() + "-gz\"" })
                #expect(response.value("Last-Modified") == plain.value("Last-Modified"))
            }
            #expect(plain.value("Content-Encoding") == nil)
            #expect(plain.value("Vary") == "Accept-Encoding")
        }
    }

    @Test func answersHeadWithTheSameFields() async throws {
        try await withFiles(of: tree) { client in
            for field in ["Accept-Encoding: gzip", "Accept-Encoding: identity", "Accept-Encoding: gzip;q=0"] {
                func names(_ response: RawResponse) -> [String] {
                    response.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
                }
                let head = try await client.head("/_/page.html", field)
                #expect(names(head) == names(try await client.get("/_/page.html", field)))
                #expect(head.body.isEmpty)
            }
        }
    }

    @Test(arguments: [
        "Accept-Encoding: br", "Accept-Encoding: gzip;q=0", "Accept-Encoding: *;q=0", "Accept-Encoding:",
        "Accept-Encoding: gzip;q=0.5, identity;q=0.6", "Accept-Encoding: identity;q=0", "X: gzip",
        "Accept-Encoding: gzip;q=0, *", "Accept-Encoding: gzip;q=2", "Accept-Encoding: zgzip",
    ])
    func sendsPlainBytesToWhoWantsThem(field: String) async throws {
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/page.html", field)
            #expect(response.status == 200)
            #expect(response.value("Content-Encoding") == nil)
            #expect(response.value("Vary") == "Accept-Encoding")
            #expect(response.text == Self.text)
        }
    }

    @Test(arguments: [("small.css", nil), ("enough.css", "gzip"), ("image.png", nil), ("noise.txt", nil)])
    func compressesWhereItPays(name: String, coding: String?) async throws {
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/" + name, "Accept-Encoding: gzip")
            #expect(response.value("Content-Encoding") == coding)
            // Without it, it is the file as it is, and there are parts of it.
            #expect((response.value("Accept-Ranges") == "bytes") == (coding == nil))
        }
    }

    @Test func knowsEachFormByItsOwnTag() async throws {
        try await withFiles(of: tree) { client in
            let plain = try #require(try await client.get("/_/page.html").value("ETag"))
            let coded = try #require(try await client.get("/_/page.html", "Accept-Encoding: gzip").value("ETag"))
            for (field, tag, status) in [
                ("X: y", plain, 304), ("X: y", coded, 200), ("Accept-Encoding: gzip", coded, 304),
                ("Accept-Encoding: gzip", plain, 200), ("Accept-Encoding: gzip", "\(plain), \(coded)", 304),
            ] {
                let response = try await client.get("/_/page.html", field, "If-None-Match: \(tag)")
                #expect(response.status == status)
                #expect(response.value("Vary") == "Accept-Encoding")
                #expect(response.value("Content-Encoding") == (status == 200 && field != "X: y" ? "gzip" : nil))
            }
            #expect(try await client.get("/_/page.html", "Accept-Encoding: gzip", "If-Match: \(plain)").status == 412)
        }
    }

    @Test func hasNoPartsOfTheCodedForm() async throws {
        try await withFiles(of: tree) { client in
            let coded = try #require(try await client.get("/_/page.html", "Accept-Encoding: gzip").value("ETag"))
            let part = try await client.get("/_/page.html", "Accept-Encoding: gzip", "Range: bytes=0-2")
            #expect(part.status == 206)
            #expect(part.text == "One")
            #expect(part.value("Content-Encoding") == nil)
            for fields in [
                ["Range: bytes=0-2", "If-Range: \(coded)"], ["Range: bytes=x"],
            ] {
                let whole = try await client.get(
                    "/_/page.html", "Accept-Encoding: gzip", fields.joined(separator: "\r\n"))
                #expect(whole.status == 200)
                #expect(whole.value("Content-Encoding") == "gzip")
            }
            let neverPlain = try await client.get(
                "/_/page.html", "Accept-Encoding: gzip, identity;q=0", "Range: bytes=0-2")
            #expect(neverPlain.status == 200)
            #expect(unzipped(neverPlain.body) == Array(Self.text.utf8))
        }
    }

    @Test func compressesWhatIsThereNow() async throws {
        try await withFiles(of: tree) { client in
            for count in [300, 400, 300] {
                let text = String(repeating: "x", count: count)
                tree.write("page.html", text)
                let response = try await client.get("/_/page.html", "Accept-Encoding: gzip")
                #expect(unzipped(response.body) == Array(text.utf8))
            }
        }
    }

    // MARK: Sidecars

    /// What stands in the file is told from what is made of it.
    private func zipped(_ text: String) throws -> [UInt8] {
        try #require(Gzip.compressed(Array(text.utf8)))
    }

    @Test func sendsAFileThatWasCompressedBeforehand() async throws {
        let other = String(repeating: "made beforehand ", count: 50)
        tree.write("page.html.gz", try zipped(other))
        try await withFiles(of: tree) { client in
            let response = try await client.get("/_/page.html", "Accept-Encoding: gzip")
            #expect(response.value("Content-Encoding") == "gzip")
            #expect(response.value("Content-Type") == "text/html; charset=utf-8")
            #expect(unzipped(response.body) == Array(other.utf8))
            let tag = try #require(response.value("ETag"))
            #expect(tag.hasSuffix("-gz\""))
            let unchanged = try await client.get("/_/page.html", "Accept-Encoding: gzip", "If-None-Match: \(tag)")
            #expect(unchanged.status == 304)
            #expect(unchanged.value("Vary") == "Accept-Encoding")
            #expect(try await client.get("/_/page.html").text == Self.text)
            // Another one is another representation, though the page has stayed.
            tree.write("page.html.gz", try zipped(other + "."))
            let changed = try await client.get("/_/page.html", "Accept-Encoding: gzip", "If-None-Match: \(tag)")
            #expect(changed.status == 200)
            // By its own name it is an archive.
            let itself = try await client.get("/_/page.html.gz", "Accept-Encoding: gzip")
            #expect(itself.value("Content-Encoding") == nil)
            #expect(itself.value("Content-Type") == "application/gzip")
        }
    }

    @Test func leavesASidecarThatDoesNotFit() async throws {
        let other = try zipped(String(repeating: "made beforehand ", count: 50))
        let index = tree.path("page.html.gz")
        try await withFiles(of: tree) { client in
            func check(_ why: Comment) async throws {
                let response = try await client.get("/_/page.html", "Accept-Encoding: gzip")
                #expect(response.value("Content-Encoding") == "gzip", why)
                #expect(unzipped(response.body) == Array(Self.text.utf8), why)
                unlink(index)
            }
            tree.write("page.html.gz", other)
            tree.date("page.html.gz", 1_000_000_000)
            try await check("it is older than the file")
            tree.write("page.html.gz", "no gzip")
            try await check("it is no gzip")
            tree.write("page.html.gz", other + [UInt8](repeating: 0, count: 10_000))
            try await check("it is larger than the file")
            tree.write("elsewhere", other)
            symlink("elsewhere", index)
            try await check("it is a link")
            mkfifo(index, 0o644)
            try await check("it is a pipe")
            mkdir(index, 0o755)
            try await check("it is a folder")
        }
    }

    @Test func `a file too large to compress can have a sidecar`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 300_000)
        tree.write("huge.txt", text)
        try await withFiles(of: tree) { client in
            let plain = try await client.get("/_/huge.txt", "Accept-Encoding: gzip")
            #expect(plain.value("Content-Encoding") == nil)
            #expect(plain.body.count == 4_800_000)
            #expect(try await client.get("/_/huge.txt", "If-None-Match: \(plain.value("ETag") ?? "")").status == 304)
            tree.write("huge.txt.gz", try zipped(text))
            let coded = try await client.get("/_/huge.txt", "Accept-Encoding: gzip")
            #expect(unzipped(coded.body) == Array(text.utf8))
        }
    }

    // MARK: Memory

    @Test func keepsBoundedMemory() async throws {
        let cache = CompressionCache(capacity: 10_000)
        for number in 0..<200 {
            let content = Array("\(number) \(String(repeating: "x\(number)", count: 2_000))".utf8)
            let coded = try #require(await cache.compressed(content, isKept: true))
            #expect(unzipped(coded) == content)
            #expect(cache.bytes <= 10_000)
        }
        #expect(cache.bytes > 5_000)
        // One content that would take all the room is given out and not kept.
        let before = cache.bytes
        var noise = SystemRandomNumberGenerator()
        let content = (0..<20_000).map { _ in UInt8.random(in: 0..<16, using: &noise) }
        #expect(await cache.compressed(content, isKept: true) != nil)
        #expect(await cache.compressed(Array(Self.text.utf8), isKept: false) != nil)
        #expect(cache.bytes == before)
    }

    @Test func goesWithoutCompressionInACrowd() async throws {
        let cache = CompressionCache(mostWaiting: 0)
        try await withFiles(of: tree, compression: cache) { client in
            let response = try await client.get("/_/page.html", "Accept-Encoding: gzip")
            #expect(response.status == 200)
            #expect(response.text == Self.text)
            #expect(response.value("Vary") == "Accept-Encoding")
        }
    }

    @Test func answersACrowdThatAsksForTheSame() async throws {
        try await withFiles(of: tree) { client in
            try await withThrowingTaskGroup { group in
                for _ in 0..<12 {
                    group.addTask { try await client.get("/_/large.txt", "Accept-Encoding: gzip") }
                }
                for try await response in group {
                    #expect(response.status == 200)
                    #expect(unzipped(response.body)?.count == Self.text.utf8.count * 700)
                }
            }
        }
    }
}
