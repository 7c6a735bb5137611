import FoundationEssentials
import Testing
import WaymarkServer

@testable import WaymarkSite

/// The documentation in the executable, against the files of the repository.
@Suite struct DocumentationTests {
    private static let root = String(#filePath.prefix(upTo: #filePath.firstRange(of: "/Tests/")!.lowerBound))

    private static func file(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(root)/\(path)").map { Array($0) }
    }

    @Test func embedsTheFilesOfTheRepository() {
        #expect(EmbeddedFile.documents.count > 30)
        for (path, content) in EmbeddedFile.documents { #expect(content.bytes == Self.file(path), "\(path)") }
        #expect(EmbeddedFile.apiDocument == Self.file("Public/openapi.json"))
    }

    @Test(arguments: ["docs/guide", "docs/operations", "docs/reference"])
    func embedsEachPageOfTheFolder(_ folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)")
        // The page about HTTP is for those who work on the server itself.
        for name in names where name.hasSuffix(".md") && name != "http.md" {
            let isThere = EmbeddedFile.documents["\(folder)/\(name)"] != nil
            #expect(isThere, "add \(name) to Sources/CWaymarkDocuments/documents.c")
        }
    }

    @Test func namesEachPageOnce() {
        #expect(Documentation.shared.pageNames.count == EmbeddedFile.documents.count)
    }

    @Test(arguments: [
        ("[a](b.md)", "[a](b.md)"), ("[a](../reference/c.md#d)", "[a](c.md#d)"), ("[a](#b)", "[a](#b)"),
        ("[a](https://example.com/x)", "[a](https://example.com/x)"), ("[`a`](../nothing.md) b", "`a` b"),
        ("![p](../images/p.png)", "p"), ("[![p](p.png)](b.md)", "[p](b.md)"), ("a `[b](c.md)` d", "a `[b](c.md)` d"),
        ("```\n[b](c.md)\n```\n[e](b.md)", "```\n[b](c.md)\n```\n[e](b.md)"), ("[a] (b.md) [c", "[a] (b.md) [c"),
        ("`` ` [b](x.md) ``", "`` ` [b](x.md) ``"), ("] [a](b", "] [a](b"), ("[a][b](../../x)", "[a]b"),
        ("` [a](x.md)", "` a"), ("[a](./b.md)", "[a](b.md)"),
    ])
    func rewritesLinks(_ text: String, _ rewritten: String) {
        let links = DocumentLinks(["one/b.md": "b.md", "reference/c.md": "c.md"], from: "one/a.md")
        #expect(String(decoding: links.rewritten(Array(text.utf8)), as: UTF8.self) == rewritten)
    }

    @Test func leadsOnlyToPagesThatThereAre() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let index = try await fixture.call("GET", "/_/llms.txt", key: nil)
            for name in Documentation.shared.pageNames {
                let page = try await fixture.call("GET", "/_/docs/\(name).md", key: nil)
                #expect(page.status == 200)
                for target in Self.targets(in: page.text) where !target.contains("://") && !target.hasPrefix("#") {
                    let path = target.split(separator: "#")[0]
                    let isPage = path.hasSuffix(".md") && Documentation.shared.page(String(path.dropLast(3))) != nil
                    #expect(isPage || path == "../openapi.json", "\(name): \(target)")
                }
            }
            let listed = Self.targets(in: index.text)
            #expect(listed.count > 25)
            for target in listed {
                #expect(try await fixture.call("GET", target, key: nil).status == 200, "\(target)")
            }
        }
    }

    /// Outside of code.
    private static func targets(in text: String) -> [String] {
        var targets: [String] = []
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        for (index, part) in parts where index % 2 == 0 {
            for piece in part.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
                if let target = piece.split(separator: ")").first { targets.append(String(target)) }
            }
        }
        return targets
    }

    @Test func `each page is HTML whose links lead to pages`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for name in Documentation.shared.pageNames {
                let page = try await fixture.call("GET", "/_/docs/\(name)", key: nil)
                #expect(page.status == 200)
                #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
                #expect(page.text.contains("<h1 id="))
                for part in page.text.split(separator: "<a href=\"").dropFirst() {
                    let target = part.prefix { $0 != "\"" }
                    guard !target.contains(":"), !target.hasPrefix("/"), !target.hasPrefix("#") else { continue }
                    let path = String(target.prefix { $0 != "#" })
                    let isPage = Documentation.shared.pageNames.contains(path)
                    #expect(isPage || path == "../openapi.json", "\(name): \(target)")
                }
            }
            let start = try await fixture.call("GET", "/_/docs/", key: nil)
            #expect(start.status == 200)
            let index = try await fixture.call("GET", "/_/docs/search.json", key: nil)
            #expect(index[header: "Content-Type"] == "application/json")
            #expect((1...2_000_000).contains(index.body.count))
        }
    }

    @Test(arguments: [
        ("# A & b", "<h1 id=\"a--b\"><a href=\"#a--b\">A &amp; b</a></h1>\n"),
        ("a **b** `<c>`", "<p>a <strong>b</strong> <code>&lt;c&gt;</code></p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        ("[a](javascript:b)", "<p>a</p>\n"), ("[a](b#c)", "<p><a href=\"b#c\">a</a></p>\n"),
        ("- a\n- b\n  - c", "<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("```sh\na <b\n```", "<pre tabindex=\"0\"><code>a &lt;b\n</code></pre>\n"),
        ("> a\n> b", "<blockquote>\n<p>a b</p>\n</blockquote>\n"), ("<!-- a -->", ""), ("a\nb", "<p>a b</p>\n"),
    ])
    func `Markdown becomes HTML`(_ text: String, _ html: String) {
        #expect(MarkdownPage(Array(text.utf8)).content.text == html)
    }

    @Test func listsThePagesWithTheirQuestions() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("GET", "/_/llms.txt", key: nil)
            #expect(answer[header: "Content-Type"] == "text/plain; charset=utf-8")
            let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first == "# Waymark")
            #expect(lines.dropFirst().first { !$0.isEmpty }?.hasPrefix("> ") == true)
            #expect(lines.contains("## Operators"))
            let concepts = "What are applications, routes, links, resolves and redeems?"
            #expect(lines.contains { $0 == "- [Concepts](/_/docs/concepts.md): \(concepts)" })
            #expect(lines.contains { $0.hasPrefix("- [openapi.json](/_/openapi.json): ") })
            #expect(!answer.text.contains("layout.md"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func servesPagesWithAnETag(_ transport: TransportKind) async throws {
        var options = SiteFixture.options()
        options.publicFolder = "/nothing"
        try await SiteFixture.run(transport, options: options) { fixture in
            let page = try await fixture.call("GET", "/_/docs/concepts.md", key: nil)
            #expect(page.status == 200)
            #expect(page[header: "Content-Type"] == "text/markdown; charset=utf-8")
            #expect(page.text.hasPrefix("# "))
            let tag = try #require(page[header: "ETag"])
            let head = try await fixture.call("HEAD", "/_/docs/concepts.md", key: nil)
            #expect(head.status == 200)
            #expect(head[header: "ETag"] == tag)
            #expect(head.body.isEmpty)
            let again = try await fixture.call(
                "GET", "/_/docs/concepts.md", key: nil, headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            let other = try await fixture.call(
                "GET", "/_/docs/concepts.md", key: nil, headers: [("If-Match", "\"other\"")])
            #expect(other.status == 412)
        }
    }

    @Test(arguments: [
        "nothing.md", "nothing", "..%2Fguide%2Fconcepts.md", "Concepts.md", "http.md", "../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd", "%2e%2e%2fetc%2fpasswd", "concepts/", "search",
    ])
    func `an unknown page gets 404`(_ name: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "GET", "/_/docs/\(name)", key: nil, headers: [("Accept", "application/json")])
            #expect(answer.status == 404)
            #expect(answer.problem == "resource-unknown")
        }
    }
}
