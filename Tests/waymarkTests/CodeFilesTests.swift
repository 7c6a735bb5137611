import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkTestSupport

@testable import waymark

/// What files of links as code may say, and how a mistake is named.
@Suite struct CodeFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to name: String = "links.json") throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// What the reader says of the folder; nil: nothing is wrong.
    private func problem() throws -> String? {
        do {
            var files = try CodeFiles(at: folder.url.path)
            let apps = files.appsByID
            try files.complete { apps[$0] }
            return nil
        } catch let failure as CommandFailure {
            #expect(failure.status == 2)
            return failure.message.replacing(folder.url.path + "/", with: "")
        }
    }

    private static let app =
        #"{"id": "shop", "domains": ["go.example.com"], "web": {"baseURL": "https://shop.example.com"}}"#

    private func file(_ link: String) -> String { "{\"applications\": [\(Self.app)],\n\"links\": [\n\(link)\n]}" }

    @Test func `a folder is read with its folders`() throws {
        try write("{\"applications\": [\(Self.app)]}", to: "a/b/apps.json")
        try write(#"{"links": [{"slug": "x", "urls": {"web": "https://a.example/"}}]}"#)
        try write("not JSON", to: "README.md")
        try write("not JSON", to: ".hidden/x.json")
        var files = try CodeFiles(at: folder.url.path)
        let apps = files.appsByID
        try files.complete { apps[$0] }
        #expect(files.links.map(\.address) == ["go.example.com/x"])
        #expect(files.links[0].request.app == "shop")
        #expect(files.owner == folder.url.lastPathComponent)
    }

    @Test(arguments: [
        (#"{"slug": "x", "urls": {"web": "https://a.example/"}, "tgas": []}"#, "did you mean \"tags\"?"),
        (#"{"slug": "x", "urls": {"web": "nonsense"}}"#, "links.json:3: urls.web"),
        (
            "{\"slug\": \"x\",\n\"rules\": [{\"when\": {\"contry\": \"DE\"}, \"to\": \"https://a.example/\"}]}",
            "links.json:4: rules[0].when.contry is not a known field; did you mean \"country\"?"
        ),
        (#"{"urls": {"web": "https://a.example/"}}"#, "links.json:3: slug is missing"),
        (
            #"{"slug": "x", "urls": {"web": "https://a.example/"}, "metadata": {"a": {"b": null}}}"#,
            "metadata.a.b is null"
        ),
        (#"{"slug": "x", "password": "p", "urls": {"web": "https://a.example/"}}"#, "password is a secret"),
        (#"{"slug": "x", "managedBy": "p", "urls": {"web": "https://a.example/"}}"#, "managedBy is set by"),
        (
            #"{"slug": "x", "app": "other", "urls": {"web": "https://a.example/"}}"#,
            "links.json:3: app other is not in the files; put it there, or name the server that has it with --url"
        ),
        (#"{"slug": "x", "domain": "b.example", "urls": {"web": "https://a.example/"}}"#, "domain is not a domain"),
        (#"{"slug": "x", "slug": "y"}"#, "links.json:3"),
        (#"[]"#, "must be an object, not an array"),
        (
            "{\"slug\": \"x\", \"urls\": {\"web\": \"https://a.example/\"}},\n"
                + "{\"slug\": \"x\", \"urls\": {\"web\": \"https://a.example/\"}}",
            "links.json:4: link go.example.com/x is in links.json:3 too"
        ),
        (
            #"{"slug": "x", "urls": {"web": "https://a.example/"}, "expect": [{"as": "ipone", "leadsTo": "a"}]}"#,
            "expect[0].as is no known visitor; did you mean \"iphone\"?"
        ),
        (#"{"slug": "x", "urls": {"web": "https://a.example/"}, "expect": [{"as": "iphone"}]}"#, "expects nothing"),
        (
            #"{"slug": "x", "urls": {"web": "https://a.example/"}, "expect": [{"as": "linux", "leadsto": "a"}]}"#,
            "did you mean \"leadsTo\"?"
        ),
        (
            #"{"slug": "x", "urls": {"web": "https://a.example/"}, "expect": [{"as": "linux", "at": "x", "leadsTo": "a"}]}"#,
            "expect[0].at is no RFC 3339 time"
        ),
    ])
    func `a mistake in a link is named with its line`(link: String, message: String) throws {
        try write(file(link))
        let problem = try #require(try problem())
        #expect(problem.replacing(folder.url.path + "/", with: "").contains(message), "\(problem)")
    }

    @Test(arguments: [
        ("de", true), ("pt-BR", true), ("zh-Hant-TW", true), ("de-AT,en;q=0.8", true), ("de, *;q=0.1", true),
        ("DE", true), ("deutsch!!", false), ("d", false), ("de_DE", false), ("de-", false), ("", false), (" ", false),
        ("*", false), ("de;q=2", false), ("de;q=0", false), ("de;x=1", false), ("de,!!", false), ("dé", false),
        (String(repeating: "a", count: 101), false),
    ])
    func `a language is read as a browser sends it`(language: String, isRead: Bool) throws {
        let expectation = "{\"as\": \"linux\", \"language\": \"\(language)\", \"leadsTo\": null}"
        try write(file(#"{"slug": "x", "urls": {"web": "https://a.example/"}, "expect": [\#(expectation)]}"#))
        let problem = try problem()
        #expect((problem == nil) == isRead, "\(problem ?? "")")
        #expect(isRead || problem?.contains("expect[0].language must be a language such as de or pt-BR") == true)
    }

    @Test(arguments: [
        ("x.yaml", "links: []", "x.yaml: YAML is not read; write JSON"),
        ("x.YAML", "links: []", "x.YAML: YAML is not read; write JSON"),
        ("x.Yml", "links: []", "x.Yml: YAML is not read; write JSON"),
        ("x.JSON", "{}", "x.JSON: is not read"),
        ("x.json/y.json", "{}", "x.json: is a folder; give it a name that does not end in .json"),
        ("x.JSON/y.json", "{}", "x.JSON: is a folder"),
        ("x.jsonc", "{}", "x.jsonc: is not read"),
        (
            "x.json", "{\"webhooks\": [{\"url\": \"https://a.example/\", \"events\": [\"link.*\"], \"name\": \"\"}]}",
            "x.json:1: name"
        ),
        (
            "x.json", "{\"webhooks\": [{\"url\": \"https://a.example/\", \"events\": [\"nonsense\"]}]}",
            "x.json:1: events"
        ),
        (
            "x.json", "{\"webhooks\": [{\"url\": \"https://a.example/\",\n\"events\": [\"*\"], \"managedBy\": \"a\"}]}",
            "x.json:2: managedBy is set by waymark apply"
        ),
        (
            "x.json", "{\"applications\": [{\"id\": \"a\",\n\"managedBy\": null}]}",
            "x.json:2: managedBy is set by waymark apply"
        ),
        ("x.json", "[]", "x.json: must be an object with applications, links, webhooks, not an array"),
        ("x.json", "{\n\"link\": []}", "x.json:2: \"link\" is not known; did you mean \"links\"?"),
        ("x.json", "{\"links\": {}}", "x.json:1: links must be an array, not an object"),
        ("x.json", "{\n\"links\": [,]}", "x.json:2: "),
        ("x.json", String(repeating: "[", count: 100_000), "x.json:1: "),
        ("x.json", "", "x.json"),
        ("x.txt", "", "the folder has no .json file"),
    ])
    func `a file that is none is refused`(name: String, text: String, message: String) throws {
        try write(text, to: name)
        let problem = try #require(try problem())
        #expect(problem.contains(message), "\(problem)")
    }

    @Test(arguments: ["x.json", "x", "x.txt", "sub/x"], ["/etc/passwd", "/", "missing"])
    func `a symbolic link is refused`(name: String, target: String) throws {
        try write("{}")
        try write("{}", to: "sub/links.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent(name).path, withDestinationPath: target)
        let problem = try #require(try problem())
        #expect(problem.contains("\(name): is a symbolic link; put the file or folder itself there"), "\(problem)")
    }

    @Test func `a hidden symbolic link is left out`() throws {
        try write("{}")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent(".git").path, withDestinationPath: "/")
        #expect(try problem() == nil)
    }

    @Test func `a folder may be named by a symbolic link`() throws {
        try write(file(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#), to: "real/links.json")
        let link = folder.url.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
        #expect(try CodeFiles(at: link).links.count == 1)
    }

    @Test func `every visitor has a name and an agent of its own`() {
        #expect(Set(ExpectedVisitor.names).count == ExpectedVisitor.all.count)
        #expect(Set(ExpectedVisitor.all.map(\.userAgent)).count == ExpectedVisitor.all.count)
        #expect(Set(["iphone", "ipad", "android", "windows", "linux"]).isSubset(of: ExpectedVisitor.names))
    }
}
