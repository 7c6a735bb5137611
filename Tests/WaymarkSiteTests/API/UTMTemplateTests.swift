import Testing
import WaymarkHTTP
import WaymarkJSON

@testable import WaymarkSite

/// `/api/v1/apps/{id}/utm-templates`.
@Suite struct UTMTemplateTests {
    private static let path = "/api/v1/apps/shop/utm-templates"
    private static let templates = #"""
        {"templates": [{"name": "Newsletter", "campaign": {"source": "newsletter", "medium": "email"}},
                       {"name": "Post", "campaign": {"term": "shoes", "content": "a", "name": "spring"}}]}
        """#

    @Test(arguments: TransportKind.allCases)
    func allAreReplacedTogether(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let none = try await fixture.call("GET", Self.path)
            #expect(none.status == 200 && none.text == #"{"templates":[]}"#, "\(none.text)")
            #expect(none[header: "ETag"] == "\"1\"")
            let put = try await fixture.call("PUT", Self.path, Self.templates)
            #expect(put.status == 200, "\(put.text)")
            #expect(put[header: "ETag"] == "\"2\"")
            let read = try await fixture.call("GET", Self.path)
            #expect(read.body == put.body)
            #expect(read[header: "ETag"] == "\"2\"")
            #expect(read.json["templates"]?.array?.map { $0["name"]?.string } == ["Newsletter", "Post"])
            let campaign = read.json["templates"]?.array?.first?["campaign"]
            #expect(campaign?["source"]?.string == "newsletter" && campaign?["name"]?.isNull == true, "\(read.text)")
            #expect(try await fixture.call("PUT", Self.path, #"{"templates": []}"#).status == 200)
            #expect(try await fixture.call("GET", Self.path).text == #"{"templates":[]}"#)
        }
    }

    @Test func ifMatchHoldsBackAChangeOfAnotherVersion() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for (tag, status) in [("\"7\"", 412), ("\"1\"", 200), ("\"1\"", 412), ("\"2\"", 200), ("*", 200)] {
                let put = try await fixture.call("PUT", Self.path, Self.templates, headers: [("If-Match", tag)])
                #expect(put.status == status, "\(tag): \(put.text)")
            }
        }
    }

    static let refused: [(body: String, fields: [String])] = [
        ("{}", ["templates"]),
        (#"{"templates": [{}]}"#, ["templates[0].name", "templates[0].campaign"]),
        (#"{"templates": [{"name": "", "campaign": {}}]}"#, ["templates[0].name"]),
        (#"{"templates": [{"name": "a\u0000", "campaign": {}}]}"#, ["templates[0].name"]),
        (#"{"templates": [{"name": "a", "campaign": {"source": ""}}]}"#, ["templates[0].campaign.source"]),
        (#"{"templates": [{"name": "a", "campaign": {"id": "x"}}]}"#, ["templates[0].campaign.id"]),
        (
            #"{"templates": [{"name": "a", "campaign": {}}, {"name": "a", "campaign": {}}]}"#, ["templates[1].name"]
        ),
        (#"{"templates": [{"name": "\#(String(repeating: "é", count: 65))", "campaign": {}}]}"#, ["templates[0].name"]),
        (
            #"{"templates": [\#((0...100).map { #"{"name": "\#($0)", "campaign": {}}"# }.joined(separator: ","))]}"#,
            ["templates"]
        ),
    ]

    @Test(arguments: refused.indices)
    func theFieldThatIsWrongIsNamed(index: Int) async throws {
        let (body, fields) = Self.refused[index]
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("PUT", Self.path, body)
            #expect(answer.status == 422)
            let named = (answer.json["errors"]?.array ?? []).compactMap { $0["field"]?.string }
            #expect(Set(named) == Set(fields), "\(answer.text)")
            #expect(try await fixture.call("GET", Self.path).text == #"{"templates":[]}"#)
        }
    }

    @Test func keysReadWithReadAndReplaceWithLinks() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            for (scope, app, read, write) in [
                ("read", "shop", 200, 403), ("links", "shop", 200, 200), ("resolve", "shop", 403, 403),
                ("links", "news", 404, 404),
            ] {
                let key = try await fixture.key([scope], app: app)
                #expect(try await fixture.call("GET", Self.path, key: key).status == read, "\(scope) \(app)")
                let put = try await fixture.call("PUT", Self.path, Self.templates, key: key)
                #expect(put.status == write, "\(scope) \(app)")
            }
            #expect(try await fixture.call("GET", "/api/v1/apps/none/utm-templates").status == 404)
        }
    }
}
