import FoundationEssentials
import Testing
import WaymarkJSON
import WaymarkSite
import WaymarkTestSupport

/// Association files as Apple's and Google's systems fetch them.
@Suite struct AssociationTests {
    private static let applePaths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]

    @Test(arguments: TransportKind.allCases)
    func hostsBothFilesAtEveryPath(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            for path in Self.applePaths {
                let answer = try await fixture.visit(path)
                #expect(answer.status == 200)
                #expect(answer[header: "Content-Type"] == "application/json")
                #expect(
                    answer.json["applinks"]?["details"]
                        == (try JSONValue(
                            parsing: """
                                [{"appIDs": ["ABCDE12345.com.example.shop"],
                                  "components": [{"/": "/_/*", "exclude": true}, {"/": "/*"}]}]
                                """)))
            }
            let links = try await fixture.visit("/.well-known/assetlinks.json")
            #expect(links.status == 200)
            #expect(links[header: "Content-Type"] == "application/json")
            #expect(links.json.array?.first?["target"]?["package_name"]?.string == "com.example.shop")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersPerHost(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            for path in Self.applePaths + ["/.well-known/assetlinks.json"] {
                let unknown = try await fixture.visit(path, host: "other.example")
                #expect(unknown.status == 404)
                #expect(unknown.problem == "host-unknown")
                #expect(try await fixture.visit(path, host: "news.example.com").status == 404)
                #expect(try await fixture.visit(path, host: "GO.example.com:443").status == 200)
            }
        }
    }

    @Test func followsAChangeOfTheApplication() async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            #expect(try await fixture.visit(Self.applePaths[0]).text.contains("com.example.shop"))
            let renamed = SiteFixture.shop.replacing("ABCDE12345.com.example.shop", with: "ABCDE12345.com.example.new")
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", renamed).status == 200)
            #expect(try await fixture.visit(Self.applePaths[0]).text.contains("com.example.new"))
        }
    }

    @Test func writesTheOlderFormWherePathsAreGiven() async throws {
        let older = SiteFixture.shop.replacing(
            #""components": [ {"/": "/_/*", "exclude": true}, {"/": "/*"} ],"#, with: ""
        )
        .replacing(#""paths": null"#, with: #""paths": ["NOT /_/*", "*"]"#)
        try await SiteFixture.run(.inProcess, applications: [older]) { fixture in
            let answer = try await fixture.visit(Self.applePaths[1])
            #expect(
                answer.json["applinks"]
                    == (try JSONValue(
                        parsing: """
                            {"apps": [], "details": [{"appID": "ABCDE12345.com.example.shop", "paths": ["NOT /_/*", "*"]}]}
                            """)))
        }
    }

    @Test func servesDynamicRulesOfAnApplication() async throws {
        let rules = #"[{"/":"/a/*","?":{"x":"?*"},"exclude":true},{"/":"*"}]"#
        let application = SiteFixture.shop.replacing(
            #""android": { "package""#, with: #""android": { "components": \#(rules), "package""#)
        try await SiteFixture.run(.inProcess, applications: [application]) { fixture in
            let stored = try await fixture.call("GET", "/api/v1/apps/shop")
            #expect(stored.json["android"]?["components"] == (try JSONValue(parsing: rules)))
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", stored.text).status == 200)
            let statement = try await fixture.visit("/.well-known/assetlinks.json").json.array?.first
            #expect(
                statement?["relation_extensions"]
                    == (try JSONValue(
                        parsing: """
                            {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \(rules)}}
                            """)))
            let wrong = application.replacing(#"{"/":"*"}"#, with: #"{"/":""}"#)
            let refused = try await fixture.call("PUT", "/api/v1/apps/shop", wrong)
            #expect(refused.status == 422)
            #expect(refused.json["errors"]?.array?.map { $0["field"]?.string } == ["android.components[1]./"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func prefersTheFilesOfThePublicFolder(transportKind: TransportKind) async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        func write(_ text: String, _ path: String) throws {
            let directory = folder + "/" + path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: folder + "/" + path, contents: Data(text.utf8)))
        }
        try write(#"{"applinks": {"details": []}}"#, "hosts/go.example.com/apple-app-site-association")
        try write("[]", ".well-known/assetlinks.json")
        var options = SiteOptions()
        options.publicFolder = folder
        try await SiteFixture.run(transportKind, options: options) { fixture in
            for path in Self.applePaths {
                let own = try await fixture.visit(path)
                #expect(own.text == #"{"applinks": {"details": []}}"#)
                #expect(own[header: "Content-Type"] == "application/json")
                #expect(try await fixture.visit(path, host: "other.example").status == 404)
            }
            for host in ["go.example.com", "other.example"] {
                #expect(try await fixture.visit("/.well-known/assetlinks.json", host: host).text == "[]")
            }
            try write("[{}]", "hosts/go.example.com/assetlinks.json")
            fixture.site.reload()
            #expect(try await fixture.visit("/.well-known/assetlinks.json").text == "[{}]")
            for name in ["hosts", "%68osts", "host%73"] {
                let answer = try await fixture.visit("/_/\(name)/go.example.com/apple-app-site-association")
                #expect(answer.status == 404, "\(name)")
            }
            try write("text", "handouts/page.txt")
            #expect(try await fixture.visit("/_/handouts/page.txt").status == 200)
            let folder = try await fixture.visit("/_/handouts")
            #expect(folder.status == 301)
            #expect(folder[header: "Location"] == "/_/handouts/")
        }
    }
}
