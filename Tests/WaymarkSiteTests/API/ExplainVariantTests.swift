import Testing
import WaymarkJSON

/// Visitors of a variant, as `POST /api/v1/explain` is asked for them.
@Suite struct ExplainVariantTests {
    private static let url = #""url": "https://go.example.com/x""#

    private func withLink(_ rules: String, _ test: (SiteFixture) async throws -> Void) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                #"{"slug": "x", "urls": {"web": "https://else.example/"}, "rules": [\#(rules)]}"#)
            try await test(fixture)
        }
    }

    private static let halves = """
        {"name": "a", "when": {"percentage": 1}, "to": "https://a.example/"},
        {"name": "b", "when": {"percentage": 49, "platform": "linux"}, "to": "https://b.example/"}
        """
    private static let linux = #""headers": {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}"#

    @Test(arguments: [
        ("\"a\"", "", "a" as JSONValue, "https://a.example/"), ("\"b\"", linux, "b", "https://b.example/"),
        ("null", linux, .null, "https://else.example/"), ("null", "", .null, "https://else.example/"),
        // The share has such visitors, and the rule does not take them.
        ("\"b\"", "", .null, "https://else.example/"),
    ])
    func `a visitor is in the share of the variant`(
        variant: String, visitor: String, taken: JSONValue, target: String
    ) async throws {
        try await withLink(Self.halves) { fixture in
            let more = visitor.isEmpty ? "" : ", \(visitor)"
            let answer = try await fixture.call(
                "POST", "/api/v1/explain", "{\(Self.url), \"variant\": \(variant)\(more)}")
            #expect(answer.json["variant"] == taken, "\(answer.text)")
            #expect(answer.json["leadsTo"]?.string == target)
        }
    }

    @Test func `variants of the application are found behind the link's`() async throws {
        try await withLink(Self.halves) { fixture in
            let app = try await fixture.call("GET", "/api/v1/apps/shop")
            var document = try #require(app.json.object)
            document["rules"] = try JSONValue(
                parsing: """
                    [{"name": "c", "when": {"percentage": 1}, "to": "https://c.example/"},
                     {"when": {"percentage": 99}, "to": "https://d.example/"}]
                    """)
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", JSONValue(document).text()).status == 200)
            let answer = try await fixture.call("POST", "/api/v1/explain", "{\(Self.url), \"variant\": \"c\"}")
            #expect(answer.json["variant"] == "c" && answer.json["leadsTo"] == "https://c.example/")
            // A rule without a name takes everybody else.
            let rest = try await fixture.call("POST", "/api/v1/explain", "{\(Self.url), \"variant\": null}")
            #expect(rest.json["rule"] != nil && rest.status == 200, "\(rest.text)")
        }
    }

    @Test func `the link's rule precedes one of the same name`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let app = try await fixture.call("GET", "/api/v1/apps/shop")
            var document = try #require(app.json.object)
            document["rules"] = try JSONValue(
                parsing: #"[{"name": "b", "when": {"percentage": 50}, "to": "https://app.example/"}]"#)
            #expect(try await fixture.call("PUT", "/api/v1/apps/shop", JSONValue(document).text()).status == 200)
            // The places of visitors differ from link to link.
            for slug in (0..<20).map({ "s\($0)" }) {
                let rule = #"{"name": "b", "when": {"percentage": 2, "platform": "linux"}, "to": "https://b.example/"}"#
                _ = try await fixture.create(
                    #"{"slug": "\#(slug)", "urls": {"web": "https://else.example/"}, "rules": [\#(rule)]}"#)
                let url = #""url": "https://go.example.com/\#(slug)", "variant": "b""#
                for (visitor, target) in [(", \(Self.linux)", "https://b.example/"), ("", "https://app.example/")] {
                    let answer = try await fixture.call("POST", "/api/v1/explain", "{\(url)\(visitor)}")
                    #expect(answer.json["leadsTo"]?.string == target, "\(answer.text)")
                }
            }
        }
    }

    @Test(arguments: ["\"c\"", "\"\"", "\"1\"", "1"])
    func `another name is refused`(variant: String) async throws {
        try await withLink(Self.halves) { fixture in
            let answer = try await fixture.call(
                "POST", "/api/v1/explain", "{\(Self.url), \"variant\": \(variant)}")
            #expect(answer.status == 422 && answer.fields == ["variant"], "\(answer.text)")
        }
    }
}
