import Testing
import WaymarkJSON

/// Rules over REST and in browsers.
@Suite struct RuleInterfaceTests {
    private static let rules = #"""
        [{"name": "German 2", "when": {"language": "de", "platform": ["windows", "linux"]}, "to": "https://de.example/"},
         {"when": {"query": {"src": true, "n": [1, "2"]}, "inApp": false}, "to": {"web": "https://query.example/"}},
         {"when": {"percentage": 50, "referrerHost": "*.news.example"}, "to": "https://news.example/"}]
        """#

    @Test(arguments: TransportKind.allCases)
    func keepsAndAnswersRules(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let plain = try await fixture.create(SiteFixture.plain)
            #expect(plain["rules"] == nil)
            let link = try await fixture.create(
                #"{"urls": {"web": "https://a.example/"}, "rules": \#(Self.rules)}"#)
            let rules = try #require(link["rules"]?.array)
            #expect(rules.count == 3)
            #expect(rules.map { $0["name"]?.string } == ["German 2", nil, nil])
            #expect(rules[0]["when"]?["language"]?.string == "de")
            #expect(rules[0]["when"]?["platform"]?.array?.compactMap(\.string) == ["windows", "linux"])
            #expect(rules[0]["to"]?.string == "https://de.example/")
            #expect(rules[1]["when"]?["query"]?["src"]?.bool == true)
            #expect(rules[1]["when"]?["query"]?["n"]?.array?.compactMap(\.string) == ["1", "2"])
            #expect(rules[1]["when"]?["inApp"]?.bool == false)
            #expect(rules[1]["to"]?["web"]?.string == "https://query.example/")
            #expect(rules[2]["when"]?["percentage"]?.integer == 50)
            let slug = link["slug"]?.string ?? ""
            let path = "/api/v1/links/go.example.com/\(slug)"
            #expect(try await fixture.call("GET", path).json["rules"] == link["rules"])
            // A patch replaces them as a whole, and null takes them away.
            let patched = try await fixture.call("PATCH", path, #"{"rules": [{"to": "https://b.example/"}]}"#)
            #expect(patched.status == 200)
            #expect(patched.json["rules"]?.array?.count == 1)
            #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://b.example/")
            let kept = try await fixture.call("PATCH", path, #"{"tags": ["x"]}"#)
            #expect(kept.json["rules"]?.array?.count == 1)
            let without = try await fixture.call("PATCH", path, #"{"rules": null}"#)
            #expect(without.json["rules"] == nil)
            #expect(try await fixture.visit("/\(slug)")[header: "Location"] == "https://a.example/")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func leadsByRulesAndSaysWhatItLookedAt(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(#"{"urls": {"web": "https://a.example/"}, "rules": \#(Self.rules)}"#)["slug"]?
                    .string)
            for _ in 0..<2 {
                let german = try await fixture.visit(
                    "/\(slug)", headers: [("Accept-Language", "en;q=0.5, de-AT;q=0.9")])
                #expect(german[header: "Location"] == "https://de.example/")
                #expect(
                    german[header: "Vary"]
                        == "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile, Accept-Language, Referer")
                let english = try await fixture.visit("/\(slug)", headers: [("Accept-Language", "en, de;q=0.9")])
                #expect(english[header: "Location"] == "https://a.example/")
                let asked = try await fixture.visit("/\(slug)?src=x&n=2")
                #expect(asked[header: "Location"] == "https://query.example/?src=x&n=2")
            }
        }
    }

    @Test func splitsByAddressAndStays() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let smartlink = try #require(
                try await fixture.create(
                    #"""
                    {"urls": {"web": "https://a.example/"},
                     "rules": [{"when": {"percentage": 50}, "to": "https://b.example/"}]}
                    """#)["smartlink"]?.string)
            var taken = 0
            for number in 0..<400 {
                var locations: Set<String> = []
                for _ in 0..<2 {
                    let answer = try await fixture.call(
                        "POST", "/api/v1/explain",
                        #"{"url": "\#(smartlink)", "ip": "192.0.2.\#(number % 256)", "headers": {"User-Agent": "\#(Agent.windows)\#(number / 256)"}}"#
                    )
                    locations.insert(answer.json["response"]?["headers"]?["Location"]?.string ?? "")
                }
                #expect(locations.count == 1)
                if locations.first == "https://b.example/" { taken += 1 }
            }
            #expect((150...250).contains(taken))
        }
    }

    @Test(arguments: [
        (#"{}"#, ["rules"]), (#"[{"when": {}}]"#, ["rules[0].to"]), (#"[1]"#, ["rules[0]"]),
        (#"[{"to": 1}]"#, ["rules[0].to"]), (#"[{"to": "https://a.example", "else": 1}]"#, ["rules[0].else"]),
        (#"[{"when": {"phase": "moon"}, "to": "https://a.example"}]"#, ["rules[0].when.phase"]),
        (#"[{"when": {"platform": 1}, "to": "https://a.example"}]"#, ["rules[0].when.platform"]),
        (#"[{"when": {"query": {"a": {}}}, "to": "https://a.example"}]"#, ["rules[0].when.query.a"]),
        (#"[{"to": {}}]"#, ["rules[0].to"]), (#"[{"name": 1, "to": "https://a.example"}]"#, ["rules[0].name"]),
        (#"[{"to": "https://a.example"}, {"to": "https://b.example"}]"#, ["rules[1]"]),
    ])
    func namesEveryBadMember(rules: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/links", #"{"urls": {"web": "https://a.example/"}, "rules": \#(rules)}"#)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }

    @Test func holdsKeysOfAppsToTheApplicationsHosts() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let key = try await fixture.key(["create"])
            func body(_ to: String) -> String {
                #"{"route": "products/:product_id", "routeParameters": {"product_id": "1"}, "rules": [{"to": \#(to)}]}"#
            }
            let own = try await fixture.call("POST", "/api/v1/links", body(#""https://shop.example.com/x""#), key: key)
            #expect(own.status == 201, "\(own.text)")
            for to in [#""https://evil.example/""#, #"{"ios": "https://evil.example/"}"#] {
                #expect(try await fixture.call("POST", "/api/v1/links", body(to), key: key).status == 403)
            }
        }
    }

    @Test func takesRulesForAWholeApplication() async throws {
        let news = SiteFixture.news.replacing(
            #""redirectStatus": 307"#,
            with: #""redirectStatus": 307, "rules": [{"when": {"browser": "firefox"}, "to": "https://fox.example/"}]"#)
        try await SiteFixture.run(.inProcess, applications: [news]) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.plain)["slug"]?.string)
            let fox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"
            for _ in 0..<2 {
                let led = try await fixture.visit("/\(slug)", as: fox, host: "news.example.com")
                #expect(led.status == 307)
                #expect(led[header: "Location"] == "https://fox.example/")
                let other = try await fixture.visit("/\(slug)", host: "news.example.com")
                #expect(other[header: "Location"] == "https://www.example.com/page")
            }
            #expect(try await fixture.call("GET", "/api/v1/apps/news").json["rules"]?.array?.count == 1)
        }
    }
}
