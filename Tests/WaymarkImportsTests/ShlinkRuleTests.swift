import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// Rules of Shlink: each alone, and what remains where one can't be taken over.
@Suite struct ShlinkRuleTests {
    private static func rules(_ rules: [(url: String, conditions: [[String: String]])]) -> JSONValue {
        let values = rules.enumerated().map { index, rule in
            var object = JSONObject()
            object["longUrl"] = JSONValue(rule.url)
            object["priority"] = JSONValue(index + 1)
            object["conditions"] = JSONValue(
                rule.conditions.map { condition in
                    var members = JSONObject()
                    for (name, value) in condition { members[name] = JSONValue(value) }
                    return JSONValue(members)
                })
            return JSONValue(object)
        }
        return ["redirectRules": JSONValue(values)]
    }

    private func imported(_ conditions: [String: String], to url: String = "https://r.example/") throws -> ImportedLink
    {
        try ImportedLink(
            .shlink, ["shortCode": "a", "domain": "go.example.com", "longUrl": "https://a.example/"],
            rules: Self.rules([
                (url, [conditions]), ("https://last.example/", [["type": "device", "matchValue": "linux"]]),
            ]))
    }

    @Test(
        arguments: [
            (["type": "language", "matchValue": "en_US"], Visitor(platform: .web, language: "en-US")),
            (["type": "language", "matchValue": "de"], Visitor(platform: .web, language: "de-AT")),
            (["type": "browser", "matchValue": "firefox"], Visitor(platform: .web, browser: "firefox")),
            (["type": "device", "matchValue": "ios"], Visitor(platform: .ipad)),
            (["type": "device", "matchValue": "mobile"], Visitor(platform: .android, device: .phone)),
            (["type": "geolocation-country-code", "matchValue": "US"], Visitor(platform: .web, country: "US")),
            (["type": "query-param", "matchKey": "x", "matchValue": "1"], Visitor(platform: .web, query: "x=1")),
            (["type": "any-value-query-param", "matchKey": "x"], Visitor(platform: .web, query: "x=1")),
            (["type": "valueless-query-param", "matchKey": "x"], Visitor(platform: .web, query: "a=1&x")),
            (["type": "valueless-query-param", "matchKey": "x"], Visitor(platform: .web, query: "x=")),
            (["type": "before-date", "matchValue": "2030-01-01T00:00:00+00:00"], Visitor(platform: .web)),
        ])
    func conditionsDecideAsBefore(condition: [String: String], visitor: Visitor) throws {
        let link = try imported(condition)
        #expect(link.answer(visitor).hasPrefix("https://r.example/"), "\(link.notes)")
        #expect(
            link.answer(Visitor(platform: .linux)).hasPrefix(
                condition["type"] == "before-date" ? "https://r" : "https://last"))
    }

    @Test(arguments: ["x=1", "y", ""]) func aValueIsNoMissingValue(query: String) throws {
        let link = try imported(["type": "valueless-query-param", "matchKey": "x"])
        #expect(link.answer(Visitor(platform: .web, query: query)).hasPrefix("https://a.example/"))
    }

    /// The link and its other rules stay.
    @Test(
        arguments: [
            (["type": "browser", "matchValue": "android_browser"], "https://r.example/", "browser android_browser"),
            (["type": "language", "matchValue": "in the evening"], "https://r.example/", "when.language"),
            (["type": "geolocation-country-code", "matchValue": "EUR"], "https://r.example/", "when.country"),
            (["type": "device", "matchValue": "chromeos"], "https://r.example/", "device chromeos"),
            (["type": "ip-address", "matchValue": "1.2.3.*"], "https://r.example/", "ip-address"),
            (["type": "device", "matchValue": "windows"], "other://x", "to "),
            (["type": "device", "matchValue": "ios"], "unknown://x", "scheme"),
        ])
    func aRuleThatMeansNothingHereIsLeftOut(condition: [String: String], url: String, note: String) throws {
        let link = try imported(condition, to: url)
        #expect(link.link.content.rules.count == 1)
        #expect(link.notes.count == 1 && link.notes[0].contains("left out"), "\(link.notes)")
        #expect(link.notes[0].contains(note), "\(link.notes)")
        #expect(link.answer(Visitor(platform: .linux)) == "https://last.example/")
        #expect(link.answer(Visitor(platform: .windows)) == "https://a.example/")
    }

    @Test func aRuleMayLeadIntoTheApp() throws {
        let link = try imported(["type": "device", "matchValue": "ios"], to: "shop://p/:1")
        #expect(link.answer(Visitor(platform: .iphone)) == "shop://p/:1")
        #expect(link.notes.isEmpty)
    }

    @Test func aRuleBehindOneForEverybodyIsLeftOut() throws {
        let link = try ImportedLink(
            .shlink, ["shortCode": "a", "domain": "go.example.com", "longUrl": "https://a.example/"],
            rules: Self.rules([
                ("https://1.example/", [["type": "device", "matchValue": "mobile"]]),
                ("https://2.example/", [["type": "device", "matchValue": "mobile"]]),
            ]))
        #expect(link.link.content.rules.count == 1 && link.notes.first?.contains("can never match") == true)
        #expect(link.answer(Visitor(platform: .android, device: .phone)) == "https://1.example/")
    }
}
