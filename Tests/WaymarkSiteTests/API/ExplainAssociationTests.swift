import FoundationEssentials
import Testing
import WaymarkJSON
import WaymarkTestSupport

@testable import WaymarkSite

/// What an explanation says about association files: the same as the simulator, and about the file that is served.
@Suite struct ExplainAssociationTests {
    /// Its rules are generated, except that the Android app opens `/a/*` alone.
    private static let mini = """
        { "id": "mini", "domains": ["go.mini.example"], "baseURL": "https://go.mini.example",
          "ios": {"appIDs": ["ABCDE12345.com.example.mini"]},
          "android": {"package": "com.example.mini", "components": [{"/": "/a/*"}], "sha256CertFingerprints":
            ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]},
          "templates": [{"name": "product", "route": "products/:product_id",
                         "urls": {"web": "https://mini.example/products/:product_id"}}] }
        """
    private static let applications = [SiteFixture.shop, SiteFixture.news, mini]
    private static let instagram =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0"

    private static func explain(_ url: String, as agent: String, _ fixture: SiteFixture) async throws -> JSONValue {
        let body: JSONObject = [
            "url": JSONValue(url), "headers": JSONValue(["User-Agent": JSONValue(agent)] as JSONObject),
        ]
        let answer = try await fixture.call("POST", "/api/v1/explain", JSONValue(body).text())
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    /// - Parameters:
    ///   - opens: nil for `null`.
    private typealias Case = (url: String, agent: String, opens: Bool?, rule: String?, why: String)

    private static let cases: [Case] = [
        (
            "https://go.mini.example/Ab3dE9x", Agent.iphone, true, #"{"/":"/*"}"#,
            #"opens ABCDE12345.com.example.mini: path "/Ab3dE9x" fits "/*""#
        ),
        ("https://go.mini.example/Ab3dE9x?a=b", Agent.ipad, true, #"{"/":"/*"}"#, "opens"),
        ("https://go.mini.example/products/42", instagram, true, #"{"/":"/*"}"#, "opens"),
        ("https://go.mini.example/_/links", Agent.iphone, false, #"{"/":"/_/*","exclude":true}"#, "excludes"),
        ("https://go.mini.example/Ab3dE9x+", Agent.iphone, false, #"{"/":"/*+","exclude":true}"#, "excludes"),
        ("https://go.mini.example/a/b", Agent.android, true, #"{"/":"/a/*"}"#, "opens com.example.mini"),
        ("https://go.mini.example/Ab3dE9x", Agent.android, false, nil, "no rule fits"),
        ("https://go.example.com/Ab3dE9x", Agent.android, true, #"{"/":"*"}"#, "opens com.example.shop"),
        ("https://go.example.com/Ab3dE9x/qr.png", Agent.android, false, #"{"/":"/*/qr.png","exclude":true}"#, ""),
        ("https://news.example.com/Ab3dE9x", Agent.iphone, nil, nil, "the host has no apple-app-site-association"),
        ("https://news.example.com/Ab3dE9x", Agent.android, nil, nil, "the host has no assetlinks.json"),
        ("https://other.example/Ab3dE9x", Agent.iphone, nil, nil, "the host has no apple-app-site-association"),
    ]

    @Test(arguments: cases.indices)
    func explainsWhatATapDoes(index: Int) async throws {
        let (url, agent, opens, rule, why) = Self.cases[index]
        try await SiteFixture.run(.inProcess, applications: Self.applications) { fixture in
            let association = try #require(try await Self.explain(url, as: agent, fixture)["association"])
            #expect(association["opens"] == opens.map { JSONValue($0) } ?? .null)
            #expect(association["rule"] == rule.map { JSONValue($0) } ?? .null)
            #expect(association["why"]?.string?.contains(why) == true, "\(association.text())")
        }
    }

    @Test(arguments: [Agent.windows, Agent.mac, "curl/8.5.0", ""])
    func saysNothingForOtherSystems(agent: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await Self.explain("https://go.example.com/Ab3dE9x", as: agent, fixture)
            #expect(answer["association"] == .null)
        }
    }

    @Test func agreesWithTheSimulator() async throws {
        try await SiteFixture.run(.inProcess, applications: Self.applications) { fixture in
            let paths = [
                "", "/", "/Ab3dE9x", "/a/b", "/_/", "/_", "/api/v1/links", "/a+", "/a/b/qr.svg", "/v1/x", "/x?y#z",
            ]
            for (host, id) in [
                ("go.mini.example", "mini"), ("go.example.com", "shop"), ("go.example.com:8443", "shop"),
            ] {
                for path in paths {
                    for (agent, kind, platform) in [
                        (Agent.iphone, "apple-app-site-association", "ios"),
                        (Agent.android, "assetlinks.json", "android"),
                    ] {
                        let url = "https://\(host)\(path)"
                        let explained = try await Self.explain(url, as: agent, fixture)["association"]
                        let body =
                            #"{"application": "\#(id)", "kind": "\#(kind)", "platform": "\#(platform)", "url": "\#(url)"}"#
                        let simulated = try await fixture.call("POST", "/api/v1/association/simulate", body)
                        #expect(explained?["opens"]?.bool == simulated.json["opens"]?.bool, "\(platform) \(url)")
                        #expect(explained?["opens"]?.bool != nil)
                    }
                }
            }
        }
    }

    @Test func looksAtTheFileOfThePublicFolder() async throws {
        let folder = try TemporaryFolder()
        let file = #"{"applinks": {"details": [{"appIDs": ["A1.b"], "components": [{"/": "/only/*"}]}]}}"#
        try FileManager.default.createDirectory(
            atPath: folder.path + "/hosts/go.example.com", withIntermediateDirectories: true)
        try Data(file.utf8).write(
            to: URL(fileURLWithPath: folder.path + "/hosts/go.example.com/apple-app-site-association"))
        var options = SiteOptions()
        options.publicFolder = folder.path
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            let closed = try await Self.explain("https://go.example.com/Ab3dE9x", as: Agent.iphone, fixture)
            #expect(closed["association"]?["opens"]?.bool == false)
            let open = try await Self.explain("https://go.example.com/only/1", as: Agent.iphone, fixture)
            #expect(open["association"]?["why"]?.string?.hasPrefix("opens A1.b") == true)
        }
    }

    @Test func crawlersHaveNoApps() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let agent =
                "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/130.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
            let association = try await Self.explain("https://go.example.com/a", as: agent, fixture)["association"]
            #expect(association == .null || association?["opens"] == .null)
        }
    }

    // MARK: Lint

    @Test func lintHoldsAnApplicationsFilesAgainstItsLinks() async throws {
        try await SiteFixture.run(.inProcess, applications: Self.applications) { fixture in
            _ = try await fixture.create(#"{"app": "mini", "slug": "b", "urls": {"web": "https://a.example/"}}"#)
            _ = try await fixture.create(#"{"app": "mini", "slug": "a/1", "urls": {"web": "https://a.example/"}}"#)
            func problems(_ kind: String) async throws -> [String] {
                let body = #"{"application": "mini", "kind": "\#(kind)"}"#
                let answer = try await fixture.call("POST", "/api/v1/association/lint", body)
                return (answer.json["findings"]?.array ?? []).filter { $0["code"]?.string == "link-not-opened" }
                    .compactMap { $0["problem"]?.string }
            }
            #expect(try await problems("apple-app-site-association").isEmpty)
            #expect(
                try await problems("assetlinks.json") == [
                    "new links, such as https://go.mini.example/Ab3dE9x, stay in the browser: no rule fits",
                    "one of the newest 2 links stays in the browser: https://go.mini.example/b: no rule fits",
                ])
        }
    }
}
