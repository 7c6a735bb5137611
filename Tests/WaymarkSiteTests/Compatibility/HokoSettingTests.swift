import Testing
import WaymarkJSON
import WaymarkTestSupport

/// What HOKO's links had: each row of the guide's table, asked of visits and of the app's calls.
@Suite struct HokoSettingTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let row: String
        let body: String
        let agent: String
        /// In the redirect's location, or in the page.
        let answer: String

        var testDescription: String { "\(row) \(answer)" }

        init(_ row: String, _ body: String, _ agent: String, to answer: String) {
            self.row = row
            self.body = body
            self.agent = agent
            self.answer = answer
        }
    }

    private static let routes = #"""
        {"uri": "sale", "routes": {"web": {"link": "https://shop.example.com/w"}, "universal": {"link": "shop://u"},
         "android": {"link": "shop://a", "fallback": "https://shop.example.com/f"}}}
        """#

    static let settings: [Setting] = [
        Setting("uri", #"{"uri": "sale"}"#, Agent.windows, to: "https://shop.example.com/sale"),
        Setting("uri", #"{"uri": "sale"}"#, Agent.iphone, to: "shop://sale"),
        Setting("uri", #"{"uri": "sale"}"#, Agent.android, to: "intent://sale?_hk_cid="),
        Setting(
            "route templates", #"{"uri": "shop://products/42"}"#, Agent.windows,
            to: "https://shop.example.com/products/42"),
        Setting("route templates", #"{"uri": "products/42"}"#, Agent.iphone, to: "shop://products/42"),
        Setting("routes", routes, Agent.windows, to: "https://shop.example.com/w"),
        Setting("routes", routes, Agent.iphone, to: "shop://u"), Setting("routes", routes, Agent.ipad, to: "shop://u"),
        Setting("routes", routes, Agent.android, to: "intent://a?_hk_cid="),
        Setting("fallback", routes, Agent.android, to: "S.browser_fallback_url=https%3A%2F%2Fshop.example.com%2Ff"),
        Setting("fallback", routes, Agent.iphone, to: "https://apps.apple.com/app/id123456789"),
        Setting(
            "metadata", #"{"uri": "sale", "metadata": {"a": 1}}"#, Agent.windows, to: "https://shop.example.com/sale"),
        Setting(
            "redeem_limit", #"{"uri": "sale", "metadata": {"a": 1}, "redeem_limit": 1}"#, Agent.windows,
            to: "https://shop.example.com/sale"),
        Setting("unique", #"{"uri": "sale", "unique": true}"#, Agent.windows, to: "https://shop.example.com/sale"),
    ]

    @Test(arguments: settings) func linksDecideAsBefore(setting: Setting) async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { fixture in
            let token = try await fixture.token("iphone")
            let code = try await fixture.hokoCode(setting.body, token: token)
            let resolve = #"{"smartlink": "http://go.example.com/\#(code)"}"#
            var hadMetadata: [Bool] = []
            for _ in 0..<2 {
                let resolved = try await fixture.hoko("POST", "/v2/smartlinks/resolve", resolve, token: token)
                hadMetadata.append(resolved.json["metadata"] != nil)
            }
            #expect(hadMetadata == [setting.body.contains("metadata"), setting.row == "metadata"])
            let answer = try await fixture.visit("/\(code)", as: setting.agent)
            #expect((answer[header: "Location"] ?? answer.text).contains(setting.answer), "\(answer.text)")
            let isSame = try await fixture.hokoCode(setting.body, token: token) == code
            #expect(isSame == (setting.row == "unique"))
        }
    }

    @Test func lazyLinksLeadWhereTheirURISays() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.hokoShop]) { fixture in
            let answer = try await fixture.visit("/lazy?uri=sale")
            #expect(answer[header: "Location"] == "https://shop.example.com/sale")
        }
    }

    @Test func theGuideHasEveryRow() throws {
        let names = try GuideTable.names(in: "from-hoko.md", under: "Settings of the old service")
        #expect(Set(names) == Set(Self.settings.map(\.row) + ["lazy links"]))
    }
}
