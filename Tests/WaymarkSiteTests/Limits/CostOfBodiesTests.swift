import Testing
import WaymarkJSON

/// Bodies that would be dear if anything in them were read, checked or named without a bound.
@Suite struct CostOfBodiesTests {
    /// A body, and what becomes of it: the status, a field that is named, and at most so many entries in `errors`.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let target: (method: String, path: String)
        let body: String
        let status: Int
        var field: String?
        var named: Int?

        var testDescription: String { name }
    }

    private static let web = #""urls": {"web": "https://shop.example.com/"}"#

    private static func list(_ element: String, _ count: Int) -> String {
        "[" + repeatElement(element, count: count).joined(separator: ",") + "]"
    }

    private static func members(_ count: Int, _ value: String, _ prefix: String = "m") -> String {
        (0..<count).map { "\"\(prefix)\($0)\": \(value)" }.joined(separator: ", ")
    }

    private static func link(_ members: String) -> String { "{\(web), \(members)}" }

    /// The rules that were compared with one another for seconds.
    private static func rules(_ rules: Int, _ parameters: Int, _ values: Int) -> String {
        let list = "[" + (0..<values).map { "\"v\($0)\"" }.joined(separator: ",") + "]"
        let query = members(parameters, list, "p")
        return "\"rules\": ["
            + (0..<rules).map {
                #"{"when": {"query": {\#(query)}, "before": "2030-01-01T00:00:\#($0 < 10 ? "0" : "")\#($0)Z"}, "to": "https://shop.example.com/"}"#
            }.joined(separator: ",") + "]"
    }

    private static func post(
        _ name: String, _ body: String, _ status: Int = 422, _ field: String? = nil, named: Int? = nil,
        path: String = "/api/v1/links"
    ) -> Case {
        Case(name: name, target: ("POST", path), body: body, status: status, field: field, named: named)
    }

    static let cases: [Case] = [
        post("rules with many values", link(rules(50, 11, 250)), 422, "rules", named: 1),
        post("exactly 1,000 values", link(rules(4, 5, 50)), 201),
        post("1,001 values", link(rules(13, 1, 77)), 422, "rules", named: 1),
        post(
            "unknown members and 340,000 tags", "{\(web), \(members(200, "1")), \"tags\": \(list("\"\"", 340_000))}",
            422, "tags", named: 200),
        post("70,000 unknown members", link(members(70_000, "0")), 422, "m0", named: 200),
        post("an unknown member with a wide array", link("\"x\": \(list("0", 400_000))"), 422, "x", named: 1),
        post("an unknown member with objects", link("\"x\": \(list("{\"\":0}", 120_000))"), 422, "x", named: 1),
        post("17 tags", link("\"tags\": \(list("\"a\"", 17))"), 422, "tags", named: 1),
        post("tags of another type", link("\"tags\": \(list("{}", 300_000))"), 422, "tags", named: 17),
        post("300,000 rules", link("\"rules\": \(list("{}", 300_000))"), 422, "rules", named: 200),
        post(
            "wide values",
            link(
                "\"rules\": [{\"when\": {\"language\": \(list("\"de\"", 100_000))}, \"to\": \"https://shop.example.com/\"}]"
            ), 422, "rules[0].when.language", named: 2),
        post("50,000 platforms", "{\"urls\": {\(members(50_000, "\"x\""))}}", 422, "urls", named: 200),
        post("50,000 query parameters", link("\"queryParameters\": {\(members(50_000, "1"))}"), 422, "queryParameters"),
        post("50,000 route parameters", link("\"routeParameters\": {\(members(50_000, "1"))}"), 422, "routeParameters"),
        post("metadata of a mebibyte", link("\"metadata\": {\"a\": \(list("0", 400_000))}"), 422, "metadata", named: 1),
        post("a name of 900,000 bytes", link("\"\(String(repeating: "n", count: 900_000))\": 1"), 422, named: 1),
        post("a name of one character", link("\"e\(String(repeating: "\u{301}", count: 400_000))\": 1"), 422, named: 1),
        post(
            "names of controls",
            link((0..<200).map { "\"\(String(repeating: "\\u0001", count: 90))\($0)\": 1" }.joined(separator: ",")),
            422, named: 200),
        post(
            "a number of 100,000 digits", link("\"maxClicks\": \(String(repeating: "9", count: 100_000))"), 422,
            "maxClicks", named: 1),
        post(
            "a parameter of 100,000 digits",
            link("\"queryParameters\": {\"a\": \(String(repeating: "9", count: 100_000))}"), 422, "queryParameters.a"),
        post("a parameter of a huge power", link("\"queryParameters\": {\"a\": 1e1000000}"), 201),
        post("content of 64 KiB", link(bigURLs), 422, "", named: 1),
        post("a batch of 4 million", list("0", 1_000_000), 422, "body", named: 1, path: "/api/v1/links:batch"),
        post("a batch of objects", list("{\"a\":0}", 500_000), 422, "body", named: 1, path: "/api/v1/links:batch"),
        post(
            "100,000 events", "{\"events\": \(list("{}", 100_000))}", 422, "events", named: 200, path: "/api/v1/events"),
        post(
            "unknown members of resolve", "{\(members(50_000, "[]"))}", 422, "m0", named: 200, path: "/api/v1/resolve"),
        post("a claim with objects", "{\"app\": \(list("{}", 200_000))}", 422, "app", path: "/api/v1/deferred/claim"),
        post(
            "50,000 headers", "{\"url\": \"https://go.example.com/a\", \"headers\": {\(members(50_000, "\"\""))}}", 422,
            "headers", path: "/api/v1/explain"),
        post(
            "300,000 scopes", "{\"name\": \"k\", \"scopes\": \(list("\"x\"", 200_000))}", 422, "scopes", named: 17,
            path: "/api/v1/keys"),
        put("100,000 domains", "\"domains\": \(list("\"a.example\"", 60_000))", "domains"),
        put("templates", "\"templates\": \(list("{}", 200_000))", "templates"),
        put("schemes", "\"schemes\": \(list("\"\"", 200_000))", "schemes"),
        put("origins", "\"cors\": {\"origins\": \(list("\"\"", 200_000))}", "cors.origins"),
        put("rules of an application", rules(50, 5, 100), "rules"),
        put("components", "\"ios\": {\"components\": \(list("{}", 200_000))}", "ios.components"),
        put(
            "fingerprints", "\"android\": {\"sha256CertFingerprints\": \(list("\"\"", 200_000))}",
            "android.sha256CertFingerprints"),
    ]

    /// 50 rules with a URL of 2 KiB each: every part within its bounds.
    private static let bigURLs =
        "\"rules\": ["
        + (0..<40).map {
            #"{"when": {"query": {"a": "\#($0)"}}, "to": "https://shop.example.com/\#(String(repeating: "x", count: 2_000))"}"#
        }.joined(separator: ",") + "]"

    private static func put(_ name: String, _ members: String, _ field: String) -> Case {
        Case(
            name: name, target: ("PUT", "/api/v1/apps/other"), body: "{\"name\": \"Other\", \(members)}", status: 422,
            field: field, named: 200)
    }

    @Test(arguments: cases)
    func answersShortlyAndStoresNothing(_ given: Case) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(given.target.method, given.target.path, given.body)
            #expect(answer.status == given.status, "\(answer.text.prefix(300))")
            #expect(answer.body.count <= 64 * 1024)
            guard given.status == 422 else { return }
            #expect(answer.fields.count <= given.named ?? 200)
            if let field = given.field { #expect(answer.fields.contains(field), "\(answer.fields.prefix(5))") }
            let links = try await fixture.call("GET", "/api/v1/links").json["links"]?.array
            #expect(links?.isEmpty == true)
            #expect(try await fixture.call("GET", "/api/v1/apps/other").status == 404)
        }
    }

    @Test func theLastEntryCountsTheRest() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body =
                "{\(Self.members(190, "1")), \"tags\": \(Self.list("5", 16)), \"urls\": {\"web\": \"javascript:x\"}}"
            let answer = try await fixture.call("POST", "/api/v1/links", body)
            let errors = try #require(answer.json["errors"]?.array)
            #expect(errors.count == 200)
            #expect(errors.last?["field"]?.string == "")
            #expect(errors.last?["problem"]?.string == "and 8 more problems")
            #expect(answer.json["detail"]?.string == "207 fields are not valid.")
        }
    }

    @Test func aBatchSharesWhatItsProblemsTake() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let body = Self.list("{\(Self.members(200, "1", String(repeating: "n", count: 20)))}", 1_000)
            let answer = try await fixture.call("POST", "/api/v1/links:batch", body)
            #expect(answer.status == 200)
            #expect(answer.json["results"]?.array?.count == 1_000)
            #expect(answer.body.count < 1024 * 1024)
        }
    }

    @Test func aBatchNamesTooManyTagsAtTheirLink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let good = "{\(Self.web)}"
            let bad = Self.link("\"tags\": \(Self.list("\"a\"", 17))")
            let answer = try await fixture.call("POST", "/api/v1/links:batch", "[\(good), \(bad)]")
            let results = try #require(answer.json["results"]?.array)
            #expect(results.map { $0["status"]?.integer } == [201, 422])
        }
    }

    @Test(arguments: [
        (#"{"expiresat": null}"#, ["expiresat"]), (#"{"bogus": null}"#, ["bogus"]),
        (#"{"urls": {"bogus": null}}"#, ["urls.bogus"]), (#"{"social": {"bogus": null}}"#, ["social.bogus"]),
        (#"{"campaign": {"bogus": null, "nope": null}}"#, ["campaign.bogus", "campaign.nope"]),
        (#"{"minimumVersion": {"bogus": null}}"#, ["minimumVersion.bogus"]),
        (#"{"rules": [{"when": {"bogus": null}, "to": "https://shop.example.com/"}]}"#, ["rules[0].when.bogus"]),
    ])
    func aPatchRemovesNoUnknownMember(patch: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(slug)", patch)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }

    @Test(arguments: [
        #"{"expiresAt": null, "social": null, "tags": null}"#, #"{"urls": {"ios": null}}"#,
        #"{"queryParameters": {"nobody": null}}"#, #"{"metadata": {"nobody": null}}"#,
    ])
    func aPatchRemovesWhatMayBeThere(patch: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let answer = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(slug)", patch)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(arguments: [
        "{\"metadata\": {\(members(20_000, "null"))}}", "{\"tags\": \(list("\"a\"", 200_000))}",
        "{\(members(60_000, "null"))}", "{\"queryParameters\": {\(members(50_000, "null"))}}",
        "{\(rules(50, 11, 250))}", "{\(bigURLs)}", "{\"redeem\": \(list("{}", 100_000)), \"tags\": [\"\"]}",
    ])
    func aPatchIsBoundedLikeALink(patch: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let path = "/api/v1/links/go.example.com/\(try #require(link["slug"]?.string))"
            let answer = try await fixture.call("PATCH", path, patch)
            #expect(answer.status == 422)
            #expect(!answer.fields.isEmpty)
            #expect(answer.body.count <= 64 * 1024)
            #expect(try await fixture.call("GET", path).json["version"]?.integer == 1)
        }
    }

    @Test(arguments: [
        ("42.0", "42"), ("1e2", "100"), ("4.20e1", "42"), ("\"42.0\"", "42.0"), ("-0", "0"), ("0.10", "0.1"),
        ("5e-1", "0.5"), ("-12.50", "-12.5"), ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("123456789012345678901234567890.0", "123456789012345678901234567890"), ("true", "true"),
    ])
    func aParameterKeepsTheValueOfANumber(sent: String, kept: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(
                "{\"route\": \"products/:product_id\", \"routeParameters\": {\"product_id\": \(sent)}}")
            #expect(link["routeParameters"]?["product_id"]?.string == kept)
        }
    }

    @Test func theSameKeyWithAnotherLongBodyIsAMismatch() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            func call(_ tags: Int) async throws -> TestAnswer {
                try await fixture.call(
                    "POST", "/api/v1/links", Self.link("\"tags\": \(Self.list("\"a\"", tags))"),
                    headers: [("Idempotency-Key", "k1")])
            }
            let (first, other, again) = (try await call(16), try await call(17), try await call(16))
            #expect(first.status == 201)
            #expect(other.problem == "idempotency-mismatch")
            #expect(again.status == 201)
        }
    }
}
