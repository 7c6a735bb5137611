import FoundationEssentials
import Logging
import Synchronization
import Testing
import WaymarkJSON
import WaymarkServer
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSite

/// Lint and simulation over REST, the page, and what a start says about files in the public folder.
@Suite struct AssociationToolTests {
    private static let file =
        #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/e/*", "exclude": true}, {"/": "/buy/*"}]}]}}"#

    private static func body(_ members: [(String, String)]) -> String {
        var object = JSONObject()
        for (name, value) in members { object[name] = JSONValue(value) }
        return JSONValue(object).text()
    }

    @Test(arguments: TransportKind.allCases)
    func simulatesADocument(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let body = Self.body([("document", Self.file), ("url", "https://example.com/buy/1")])
            let answer = try await fixture.call("POST", "/api/v1/association/simulate", body)
            #expect(answer.status == 200)
            #expect(answer[header: "Cache-Control"] == "no-store")
            let names = (answer.json.object?.members ?? []).map(\.name)
            #expect(
                names == ["opens", "appID", "detail", "component", "excluded", "documented", "trace", "warnings"])
            #expect(answer.json["opens"]?.bool == true)
            #expect(answer.json["appID"]?.string == "ABCDE12345.com.example.app")
            #expect(answer.json["component"]?.integer == 1)
            #expect(answer.json["trace"]?.array?.count == 2)

            let excluded = Self.body([("document", Self.file), ("url", "https://example.com/e")])
            let stop = try await fixture.call("POST", "/api/v1/association/simulate", excluded).json
            #expect(stop["opens"]?.bool == false)
            #expect(stop["excluded"]?.bool == true)
            #expect(stop["appID"]?.isNull == true)

            let typed = Self.body([
                ("document", Self.file), ("url", "https://example.com/buy/1"), ("context", "typed"),
            ])
            #expect(try await fixture.call("POST", "/api/v1/association/simulate", typed).json["opens"]?.bool == false)
        }
    }

    @Test func lintsADocument() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let good = try await fixture.call("POST", "/api/v1/association/lint", Self.body([("document", Self.file)]))
            #expect(good.status == 200)
            #expect(good.json["clean"]?.bool == true)
            // What is no JSON is a finding, not a fault of the request.
            let bad = try await fixture.call("POST", "/api/v1/association/lint", Self.body([("document", "{“a”: 1")]))
            #expect(bad.status == 200)
            #expect(bad.json["clean"]?.bool == false)
            #expect(bad.json["findings"]?.array?.first?["code"]?.string == "json-curly-quote")
            #expect(bad.json["findings"]?.array?.first?["column"]?.integer == 2)
        }
    }

    @Test func takesTheFilesOfAnApplication() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let lint = try await fixture.call("POST", "/api/v1/association/lint", #"{"application": "shop"}"#)
            #expect(lint.status == 200)
            // The shop excludes `/_/*` alone, and its app would take the rest of what is the service's own.
            #expect(lint.json["findings"]?.array?.map { $0["code"]?.string } == ["exclusion-missing"])
            let links = #"{"application": "shop", "kind": "assetlinks.json"}"#
            #expect(try await fixture.call("POST", "/api/v1/association/lint", links).json["clean"]?.bool == true)
            let simulate = #"{"application": "shop", "url": "https://go.example.com/Ab3", "platform": "android"}"#
            let answer = try await fixture.call("POST", "/api/v1/association/simulate", simulate)
            #expect(answer.json["appID"]?.string == "com.example.shop")

            let key = try await fixture.key(["links"], app: "news")
            let other = try await fixture.call(
                "POST", "/api/v1/association/lint", #"{"application": "shop"}"#, key: key)
            #expect(other.status == 404)
            #expect(
                try await fixture.call("POST", "/api/v1/association/lint", #"{"application": "none"}"#).status == 404)
            #expect(
                try await fixture.call("POST", "/api/v1/association/lint", #"{"application": "news"}"#, key: key)
                    .problem
                    == "resource-unknown")
        }
    }

    @Test(arguments: [
        ("lint", "{}", "document"), ("lint", #"{"document": 1}"#, "document"),
        ("lint", #"{"document": "{}", "application": "shop"}"#, "application"),
        ("lint", #"{"document": "{}", "kind": "x"}"#, "kind"), ("lint", #"{"document": "{}", "x": 1}"#, "x"),
        ("simulate", #"{"document": "{}"}"#, "url"), ("simulate", #"{"document": "{}", "url": "x"}"#, "url"),
        ("simulate", #"{"document": "{", "url": "https://a.b/"}"#, "document"),
        ("simulate", #"{"document": "{}", "url": "https://a.b/", "platform": "windows"}"#, "platform"),
        ("simulate", #"{"document": "{}", "url": "https://a.b/", "context": "x"}"#, "context"),
        ("simulate", #"{"document": "{}", "url": "https://a.b/?\#(String(repeating: "a&", count: 1_001))"}"#, "url"),
        (
            "simulate", #"{"document": "{}", "url": "https://a.b/", "app": "\#(String(repeating: "a", count: 501))"}"#,
            "app"
        ),
        (
            "simulate",
            #"{"document": "{}", "url": "https://a.b/", "domains": [\#(String(repeating: "\"\",", count: 100))""]}"#,
            "domains"
        ),
    ])
    func refusesWhatItCannotUse(tool: String, body: String, field: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/association/\(tool)", body)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.json["errors"]?.array?.map { $0["field"]?.string } == [field])
        }
    }

    @Test func refusesDocumentsThatAreTooLarge() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let document = "[" + String(repeating: " ", count: 262_144) + "]"
            for tool in ["lint", "simulate"] {
                let body = Self.body(
                    [("document", document), ("url", "https://a.b/")].filter { tool != "lint" || $0.0 != "url" })
                let answer = try await fixture.call("POST", "/api/v1/association/\(tool)", body)
                #expect(answer.status == 413)
                #expect(answer[header: "Content-Type"] == "application/problem+json")
                #expect(answer.problem == "body-too-large")
            }
        }
    }

    /// A document that nobody waits for: an answer all the same, and a finding that says so.
    @Test(arguments: ["lint", "simulate"])
    func saysWhereTheWorkWasTooMuch(tool: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            // To compare rules with each other, and to match them.
            let items = { (rule: Int) in (0..<50).map { #""a\#($0)":"x\#(rule)*""# }.joined(separator: ",") }
            let rules =
                tool == "lint"
                ? (0..<300).map { #"{"?":{\#(items($0))}}"# } : (0..<6_000).map { #"{"/":"/*a*\#($0)*a*"}"# }
            let document =
                #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a.b"],"components":[\#(rules.joined(separator: ","))]}]}}"#
            var members = [("document", document)]
            if tool == "simulate" { members.append(("url", "https://a.b/" + String(repeating: "a", count: 16_000))) }
            let answer = try await fixture.call("POST", "/api/v1/association/\(tool)", Self.body(members))
            #expect(answer.status == 200)
            #expect(answer.json["findings"]?.array?.contains { $0["code"]?.string == "budget-exceeded" } == true)
        }
    }

    @Test func limitsCallersOfBothTools() async throws {
        var options = SiteFixture.options()
        options.callerLimits[.association] = RateLimit(perMinute: 6, burst: 2)
        options.callerLimits.exemptsLoopback = false
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            let body = Self.body([("document", "{}")])
            for (tool, status) in [("lint", 200), ("simulate", 422), ("lint", 429)] {
                let answer = try await fixture.call("POST", "/api/v1/association/\(tool)", body)
                #expect(answer.status == status)
            }
        }
    }

    /// Hosts can be made up without end; what is made of a file is not made for each of them.
    @Test func givesFilesForAllHostsOnce() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        try FileManager.default.createDirectory(atPath: folder + "/hosts/a.example", withIntermediateDirectories: true)
        for path in ["hosts/a.example/assetlinks.json", "assetlinks.json"] {
            #expect(FileManager.default.createFile(atPath: folder + "/" + path, contents: Data("[]".utf8)))
        }
        let overrides = AssociationOverrides(folder: folder)
        #expect(overrides.file(.assetLinks, host: "a.example")?.host == "a.example")
        #expect(overrides.file(.assetLinks, host: "b.example")?.host == "")
        #expect(overrides.file(.apple, host: "b.example") == nil)
    }

    @Test func needsTheScopeForLinks() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let key = try await fixture.key(["resolve", "create"])
            for tool in ["lint", "simulate"] {
                let answer = try await fixture.call("POST", "/api/v1/association/\(tool)", "{}", key: key)
                #expect(answer.status == 403)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func servesThePage(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let page = try await fixture.visit("/_/association")
            #expect(page.status == 200)
            #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
            #expect(page[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
            #expect(!page.text.contains("<script>") && !page.text.contains(" style=") && !page.text.contains("http:"))
            for asset in ["association.js", "association.css"] {
                #expect(try await fixture.visit("/_/\(asset)").status == 200)
            }
        }
    }

    /// Always the file and 200, whatever the asker has; the tag moves with the bytes.
    @Test(arguments: TransportKind.allCases)
    func tagsTheFilesAndSendsThemWhole(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let path = "/.well-known/apple-app-site-association"
            let first = try await fixture.visit(path)
            let tag = try #require(first[header: "ETag"])
            #expect(tag.hasPrefix("\"") && tag.count == 34)
            let again = try await fixture.visit(path, headers: [("If-None-Match", tag)])
            #expect(again.status == 200)
            #expect(again.text == first.text)
            #expect(try await fixture.visit("/apple-app-site-association")[header: "ETag"] == tag)
            let renamed = SiteFixture.shop.replacing("ABCDE12345.com.example.shop", with: "ABCDE12345.com.example.new")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", renamed).status == 200)
            #expect(try await fixture.visit(path)[header: "ETag"] != tag)
        }
    }

    @Test func saysInTheLogWhatIsWrongWithFilesOfThePublicFolder() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        try FileManager.default.createDirectory(atPath: folder + "/hosts/a.example", withIntermediateDirectories: true)
        func write(_ text: String, _ path: String) {
            #expect(FileManager.default.createFile(atPath: folder + "/" + path, contents: Data(text.utf8)))
        }
        write("{“applinks”: 1}", "hosts/a.example/apple-app-site-association")
        write("[]", "assetlinks.json")
        let lines = LoggedLines()
        AssociationOverrides(folder: folder).lint(to: lines.logger)
        #expect(lines.all.contains { $0.contains("of a.example line 1") && $0.contains("[json-curly-quote]") })
        #expect(lines.all.contains { $0.contains("assetlinks.json") && $0.contains("[statements-missing]") })
        #expect(lines.all.allSatisfy { !$0.contains("\n") })
    }
}

/// What a logger was told.
private final class LoggedLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(target: self) } }

    private struct Handler: LogHandler {
        let target: LoggedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            target.lines.withLock { $0.append("\(event.message)") }
        }
    }
}
